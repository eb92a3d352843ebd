import type { Evaluation, Outcome, Verdict } from '../activity/decision.ts'
import type { Json } from '../failure.ts'
import type { Organization, Policy } from '../organization/organization.ts'
import { approverOf, approversOf, factsOf, type Approval, type Approver } from './approvers.ts'
import { isPivotal } from './eligibility.ts'
import { exposedParams } from './exposed-params.ts'
import { compileCondition, compileConsensus, evaluate, isTrue, type Expression, type Facts } from './expression.ts'
import { isReachable } from './reachable.ts'

export type { Approval } from './approvers.ts'

/** The version of the rules and of the policy language: it is part of every decision's basis. */
export const RULES_VERSION = 1

/**
 * The steps that one decision may take to look ahead, over all policies: some 100 ms of work, a hundred times what
 * ordinary policies need for 100 users. Who writes policies to exhaust it gets a denial, not the server's time. It counts
 * steps and not milliseconds, so that an audit comes to the same answer.
 */
export const LOOKAHEAD_STEPS_MAX = 5_000_000

/** What is to be decided: the activity, as far as the rules ask. */
export type Matter = {
  readonly type: string
  readonly kind: string
  /** Undefined, as the action: no policy can allow it, only the root quorum. */
  readonly resource: string | undefined
  readonly action: string | undefined
  /** By the names that policies use, e.g. `user_id`. */
  readonly params: Readonly<Record<string, Json | undefined>>
  /** The user who proposed the activity. */
  readonly requester: string
  /** Whether the activity manages credentials of its requester. */
  readonly ownCredentials: boolean
}

/**
 * Decides on an activity, anew after each vote: the root quorum, if it is met; else the policies, of which a denial
 * outranks a permission, and a permission what needs more approvals; else what users may do without being told.
 *
 * What a member of the root quorum proposes is not denied: the other members may still meet the quorum, which outranks
 * every policy.
 *
 * @param approvals  those that count now, in order; of one user the first
 */
export const decide = (organization: Organization, matter: Matter, approvals: readonly Approval[]): Verdict => {
  const present = approversOf(organization, approvals)
  if (isQuorumMet(organization, present)) return { outcome: 'ALLOWED', rule: 'root-quorum', evaluations: [] }
  const isRootProposal = isRootMember(organization, matter.requester)
  const activity = activityOf(matter)
  if (activity === undefined) {
    return { outcome: isRootProposal ? 'CONSENSUS_NEEDED' : 'DENIED', rule: 'root-quorum', evaluations: [] }
  }
  const evaluations = evaluationsOf(organization, activity, present)
  const has = (wanted: Outcome) => evaluations.some(({ outcome }) => outcome === wanted)
  if (has('OUTCOME_DENY_EXPLICIT')) {
    return isRootProposal
      ? { outcome: 'CONSENSUS_NEEDED', rule: 'root-quorum', evaluations }
      : { outcome: 'DENIED', rule: 'policies', evaluations }
  }
  if (has('OUTCOME_ALLOW')) return { outcome: 'ALLOWED', rule: 'policies', evaluations }
  if (has('OUTCOME_REQUIRES_CONSENSUS')) return { outcome: 'CONSENSUS_NEEDED', rule: 'policies', evaluations }
  if (isRootProposal) return { outcome: 'CONSENSUS_NEEDED', rule: 'root-quorum', evaluations }
  if (matter.ownCredentials && present.some(({ user }) => user.id === matter.requester)) {
    return { outcome: 'ALLOWED', rule: 'own-credentials', evaluations }
  }
  return { outcome: 'DENIED', rule: 'policies', evaluations }
}

/**
 * Whether a user's vote on an activity can matter: members of the root quorum may always vote, other users where a
 * policy that could allow the activity asks for them (`isPivotal` says how that is found out, and how far).
 */
export const mayVote = (
  organization: Organization,
  matter: Matter,
  approvals: readonly Approval[],
  userId: string,
): boolean => {
  const user = organization.users.get(userId)
  if (user === undefined) return false
  if (isRootMember(organization, userId)) return true
  const activity = activityOf(matter)
  if (activity === undefined) return false
  const present = approversOf(organization, approvals)
  const everyone = everyoneOf(organization)
  const candidate = approverOf(user)
  const allowance = { steps: LOOKAHEAD_STEPS_MAX }
  for (const policy of organization.policies.values()) {
    if (policy.effect !== 'EFFECT_ALLOW') continue
    const condition = compileCondition(policy.condition)
    const consensus = compileConsensus(policy.consensus)
    if (condition._tag === 'Left' || consensus._tag === 'Left') continue
    if (!isTrue(evaluate(condition.right, factsOf(activity, present)))) continue
    if (isPivotal(consensus.right, activity, everyone, present, candidate, allowance)) return true
  }
  return false
}

const isQuorumMet = ({ quorum }: Organization, present: readonly Approver[]): boolean => {
  const members = new Set(quorum.userIds)
  const approving = present.filter(({ user }) => members.has(user.id)).length
  return approving > 0 && approving >= quorum.threshold
}

const isRootMember = ({ quorum, users }: Organization, userId: string): boolean =>
  quorum.userIds.includes(userId) && users.has(userId)

const activityOf = ({ type, kind, resource, action, params }: Matter): Facts['activity'] | undefined =>
  resource === undefined || action === undefined
    ? undefined
    : { type, kind, resource, action, params: exposedParams(type, params) }

const everyoneOf = ({ users }: Organization): readonly Approver[] => [...users.values()].map(approverOf)

const evaluationsOf = (
  organization: Organization,
  activity: Facts['activity'],
  present: readonly Approver[],
): readonly Evaluation[] => {
  const facts = factsOf(activity, present)
  const allowance = { steps: LOOKAHEAD_STEPS_MAX }
  let everyone: readonly Approver[] | undefined // of use to few policies, and the same for all
  const evaluations: Evaluation[] = []
  for (const policy of organization.policies.values()) {
    const outcome = outcomeOf(policy, facts, (consensus) =>
      isReachable(consensus, activity, (everyone ??= everyoneOf(organization)), present, allowance),
    )
    evaluations.push({ policyId: policy.policyId, outcome })
  }
  return evaluations
}

// Both clauses are evaluated always: an error in either means that the policy does not apply.
const outcomeOf = (policy: Policy, facts: Facts, canBeReached: (consensus: Expression) => boolean): Outcome => {
  const condition = compileCondition(policy.condition)
  const consensus = compileConsensus(policy.consensus)
  if (condition._tag === 'Left' || consensus._tag === 'Left') return 'OUTCOME_ERROR'
  const applies = evaluate(condition.right, facts)
  const agrees = evaluate(consensus.right, facts)
  if (applies._tag === 'error' || agrees._tag === 'error') return 'OUTCOME_ERROR'
  if (!applies.value) return 'OUTCOME_DENY_IMPLICIT'
  if (policy.effect === 'EFFECT_DENY') return agrees.value ? 'OUTCOME_DENY_EXPLICIT' : 'OUTCOME_DENY_IMPLICIT'
  if (agrees.value) return 'OUTCOME_ALLOW'
  return canBeReached(consensus.right) ? 'OUTCOME_REQUIRES_CONSENSUS' : 'OUTCOME_DENY_IMPLICIT'
}
