import { once } from '../collections/once.ts'
import { quorum } from '../organization/quorum.ts'
import { users } from '../organization/users.ts'
import { policies, type Policy } from '../organization/policies.ts'
import type { Outcome, Verdict } from '../log/decision.ts'
import type { Json } from '../failure.ts'
import { isExpired } from '../organization/credential.ts'
import { isForRecovery } from '../organization/issued-key.ts'
import type { Organization } from '../organization/state.ts'
import type { TimeZones } from '../ports/time-zones.ts'
import { approverOf, approversOf, factsOf, stampsByUser, type Approval, type Approver } from './approvers.ts'
import type { ResourceFacts } from './fact.ts'
import { isPivotal } from './eligibility.ts'
import { allowanceOf, evaluate, isTrue, type Expression, type Facts, type Language } from './expression.ts'
import { compiledBy, evaluationsOf, everyoneOf } from './outcomes.ts'
import { currentRules, type RulesVersion } from './rules.ts'
import { momentAt } from './time-clause.ts'

export type { Approval } from './approvers.ts'

/** The input of a decision: the data of the activity that the rules need. */
export type DecisionInput = {
  readonly type: string
  readonly kind: string
  /** If resource or action are undefined, no policy can allow the activity, only the root quorum. */
  readonly resource: string | undefined
  readonly action: string | undefined
  /** The parameters, by the names that policies use, e.g. `user_id`. */
  readonly params: Readonly<Record<string, Json | undefined>>
  /** The values of the keywords that the resource adds. */
  readonly facts?: ResourceFacts
  /** The user who submitted the activity. */
  readonly requester: string
  /** Whether the activity manages credentials of its requester. */
  readonly ownCredentials: boolean
  /** How long the new credentials of the activity live, in milliseconds: the longest of them; 0 if there are none. */
  readonly credentialsLiveMs: number
  /** The one clock reading of the decision: `time.now`. */
  readonly atMs: number
}

/** Options of a decision. */
export type DecisionOptions = {
  /** Default: the language without the facts of any resource. */
  readonly language?: Language
  /** The time zones of policies about times. Default: UTC alone. */
  readonly timeZones?: TimeZones | undefined
  /** Default: the present rules. */
  readonly rules?: RulesVersion
  /** Whether a policy asks who might still approve. Without it, a policy that allows nothing yet denies. Default: true. */
  readonly looksAhead?: boolean
}

export type EligibilityOptions = DecisionOptions & {
  /** Default: the number of the rules. If no decision depends on the answer, fewer steps may be enough. */
  readonly eligibilitySteps?: number
}

/**
 * What quorum and policies say of an activity. If the root quorum is met, the activity is allowed. Otherwise the
 * policies decide: a denial outranks a permission, and a permission outranks a policy that needs more approvals. If no policy
 * decides, a user may still manage their own credentials.
 *
 * If a member of the root quorum submitted the activity, it is not denied: the other members may still meet the quorum, which outranks
 * every policy.
 *
 * @param approvals  the approvals of the window, in order; the first of each user that counts is used
 */
export const verdictOf = (
  organization: Organization,
  input: DecisionInput,
  approvals: readonly Approval[],
  { rules = currentRules, language, timeZones, looksAhead = true }: DecisionOptions = {},
): Verdict => {
  const present = approversOf(organization, approvals)
  if (isQuorumMet(organization, present)) return { outcome: 'ALLOWED', rule: 'root-quorum', evaluations: [] }
  const isRootProposal = isRootMember(organization, input.requester)
  const activity = activityOf(input)
  if (activity === undefined) {
    return { outcome: isRootProposal ? 'CONSENSUS_NEEDED' : 'DENIED', rule: 'root-quorum', evaluations: [] }
  }
  const facts = factsOf(activity, present, input.facts)
  const evaluations = evaluationsOf(
    { rules, language, looksAhead, moment: momentAt(input.atMs, { rules, language, timeZones }) },
    organization,
    facts,
    present,
  )
  const has = (wanted: Outcome) => evaluations.some(({ outcome }) => outcome === wanted)
  if (has('OUTCOME_DENY_EXPLICIT')) {
    return isRootProposal
      ? { outcome: 'CONSENSUS_NEEDED', rule: 'root-quorum', evaluations }
      : { outcome: 'DENIED', rule: 'policies', evaluations }
  }
  if (has('OUTCOME_ALLOW')) return { outcome: 'ALLOWED', rule: 'policies', evaluations }
  if (has('OUTCOME_REQUIRES_CONSENSUS')) return { outcome: 'CONSENSUS_NEEDED', rule: 'policies', evaluations }
  if (isRootProposal) return { outcome: 'CONSENSUS_NEEDED', rule: 'root-quorum', evaluations }
  if (managesOwnCredentials(organization, input, approvals)) {
    return { outcome: 'ALLOWED', rule: 'own-credentials', evaluations }
  }
  return { outcome: 'DENIED', rule: 'policies', evaluations }
}

/** Tells whether a user's vote on an activity can matter. */
export type Eligibility = (input: DecisionInput, approvals: readonly Approval[], userId: string) => boolean

/**
 * Finds out whether a user's vote on an activity can matter. Members of the root quorum may always vote. Other users may vote if their
 * approval could matter to a policy that applies to the activity and allows (see `isPivotal`).
 *
 * A policy that does not apply at the time of `input` counts as little as one whose condition is false.
 *
 * It is for one state of the organization, and remembers its answers about consensuses, which no time changes. All calls share one
 * allowance; when that is used up, the answer is no.
 */
export const eligibility = (
  organization: Organization,
  { rules = currentRules, language, timeZones, eligibilitySteps = rules.eligibilitySteps }: EligibilityOptions = {},
): Eligibility => {
  const allowance = allowanceOf(eligibilitySteps)
  const everyone = once(() => everyoneOf(organization))
  // A consensus uses approvers alone, so its answer is the same for every activity.
  const found = new Map<string, Map<string, boolean>>()

  /** Whether a policy asks for the user, if `present` approve now. Known answers are kept by policy. */
  const askedFor = (present: readonly Approver[], userId: string) => {
    const user = users.of(organization).get(userId)
    const question = JSON.stringify([userId, present.map(identityOf)])
    const byPolicy = found.get(question) ?? new Map<string, boolean>()
    found.set(question, byPolicy)
    return (policy: Policy, consensus: Expression): boolean => {
      if (user === undefined) return false
      const known = byPolicy.get(policy.policyId)
      if (known !== undefined) return known
      const answer = isPivotal(consensus, ANY_ACTIVITY, everyone(), present, approverOf(user), rules, allowance)
      byPolicy.set(policy.policyId, answer)
      return answer
    }
  }

  return (input, approvals, userId) => {
    if (!users.of(organization).has(userId)) return false
    if (isRootMember(organization, userId)) return true
    const activity = activityOf(input)
    if (activity === undefined) return false
    const present = approversOf(organization, approvals)
    const facts = factsOf(activity, present, input.facts)
    const isAskedFor = askedFor(present, userId)
    const moment = momentAt(input.atMs, { rules, language, timeZones })
    for (const policy of policies.of(organization).values()) {
      if (policy.effect !== 'EFFECT_ALLOW') continue
      if (moment(policy, allowance)._tag !== 'active') continue
      const compiled = compiledBy(rules, policy, allowance, language)
      if (compiled === undefined) continue
      const { condition, consensus } = compiled
      if (!isTrue(evaluate(condition, facts, rules, allowance))) continue
      if (isAskedFor(policy, consensus)) return true
    }
    return false
  }
}

const isQuorumMet = (organization: Organization, present: readonly Approver[]): boolean => {
  const { userIds, threshold } = quorum.of(organization)
  const members = new Set(userIds)
  const approving = present.filter(({ user }) => members.has(user.id)).length
  return approving > 0 && approving >= threshold
}

const isRootMember = (organization: Organization, userId: string): boolean =>
  quorum.of(organization).userIds.includes(userId) && users.of(organization).has(userId)

const activityOf = ({ type, kind, resource, action, params }: DecisionInput): Facts['activity'] | undefined =>
  resource === undefined || action === undefined ? undefined : { type, kind, resource, action, params }

const managesOwnCredentials = (
  organization: Organization,
  { ownCredentials, requester, credentialsLiveMs, atMs }: DecisionInput,
  approvals: readonly Approval[],
): boolean => {
  const own = stampsByUser(organization, approvals).get(requester)?.[0]
  if (!ownCredentials || own === undefined) return false
  if (credentialsLiveMs === 0) return true
  const key = users.of(organization).get(requester)?.credentials.get(own.credentialId)
  return key !== undefined && (isForRecovery(key) || !isExpired(key, atMs + credentialsLiveMs - 1))
}

const identityOf = ({ user, credentials }: Approver): string => [user.id, ...credentials.map(({ id }) => id)].join()

/** A placeholder for the activity: a consensus cannot use the activity. */
const ANY_ACTIVITY: Facts['activity'] = { type: '', kind: '', resource: '', action: '', params: {} }
