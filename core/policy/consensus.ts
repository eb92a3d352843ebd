import type { Evaluation, Outcome, Verdict } from '../activity/decision.ts'
import type { Json } from '../failure.ts'
import { isExpired, type Organization, type Policy } from '../organization/organization.ts'
import { approverOf, approversOf, countedApprovals, factsOf, type Approval, type Approver } from './approvers.ts'
import { isPivotal } from './eligibility.ts'
import { exposedParams } from './exposed-params.ts'
import {
  allowanceOf,
  compileCondition,
  compileConsensus,
  evaluate,
  isTrue,
  type Allowance,
  type Evaluated,
  type Expression,
  type Facts,
  type Work,
} from './expression.ts'
import { isReachable } from './reachable.ts'
import { currentRules, type RulesVersion } from './rules.ts'

export type { Approval } from './approvers.ts'

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
  /** How long the credentials live that the activity registers: the longest of them; 0 where there are none. */
  readonly credentialsLiveMs: number
  /** The one clock reading of the decision. */
  readonly atMs: number
}

/** How a decision is taken. */
export type DecisionOptions = {
  /** Default: those of today. */
  readonly rules?: RulesVersion
  /** What it may cost whoever takes it. */
  readonly work?: Work | undefined
}

export type EligibilityOptions = DecisionOptions & {
  /** Default: as many as the rules give. An answer that nothing depends on may do with fewer. */
  readonly eligibilitySteps?: number
}

/**
 * Decides on an activity, anew after each vote: the root quorum, if it is met; else the policies, of which a denial
 * outranks a permission, and a permission what needs more approvals; else what users may do without being told.
 *
 * What a member of the root quorum proposes is not denied: the other members may still meet the quorum, which outranks
 * every policy.
 *
 * @param approvals  those of the window, in order; of one user the first that counts
 */
export const decide = (
  organization: Organization,
  matter: Matter,
  approvals: readonly Approval[],
  { rules = currentRules, work }: DecisionOptions = {},
): Verdict => {
  const present = approversOf(rules, organization, approvals)
  if (isQuorumMet(organization, present)) return { outcome: 'ALLOWED', rule: 'root-quorum', evaluations: [] }
  const isRootProposal = isRootMember(organization, matter.requester)
  const activity = activityOf(matter)
  if (activity === undefined) {
    return { outcome: isRootProposal ? 'CONSENSUS_NEEDED' : 'DENIED', rule: 'root-quorum', evaluations: [] }
  }
  const evaluations = evaluationsOf(rules, organization, activity, present, work)
  const has = (wanted: Outcome) => evaluations.some(({ outcome }) => outcome === wanted)
  if (has('OUTCOME_DENY_EXPLICIT')) {
    return isRootProposal
      ? { outcome: 'CONSENSUS_NEEDED', rule: 'root-quorum', evaluations }
      : { outcome: 'DENIED', rule: 'policies', evaluations }
  }
  if (has('OUTCOME_ALLOW')) return { outcome: 'ALLOWED', rule: 'policies', evaluations }
  if (has('OUTCOME_REQUIRES_CONSENSUS')) return { outcome: 'CONSENSUS_NEEDED', rule: 'policies', evaluations }
  if (isRootProposal) return { outcome: 'CONSENSUS_NEEDED', rule: 'root-quorum', evaluations }
  if (managesOwnCredentials(rules, organization, matter, approvals)) {
    return { outcome: 'ALLOWED', rule: 'own-credentials', evaluations }
  }
  return { outcome: 'DENIED', rule: 'policies', evaluations }
}

/** Tells whose vote on an activity can matter. */
export type Eligibility = (matter: Matter, approvals: readonly Approval[], userId: string) => boolean

/**
 * Finds out whether a user's vote on an activity can matter: members of the root quorum may always vote, other users where a
 * policy that could allow the activity asks for them (`isPivotal` says how that is found out, and how far).
 *
 * What it found out once it knows for as long as it lives: it is for one state of the organization. All questions share one
 * allowance; when that is used up, the answer is no.
 */
export const eligibility = (
  organization: Organization,
  { rules = currentRules, work, eligibilitySteps = rules.eligibilitySteps }: EligibilityOptions = {},
): Eligibility => {
  const allowance = allowanceOf(eligibilitySteps, work)
  const everyone = once(() => everyoneOf(organization))
  // A consensus speaks of approvers alone, so it asks for the same users whatever the activity is.
  const found = new Map<string, Map<string, boolean>>()

  /** Whether the user is asked for by policies, where these approve now: what was found out already is by policy. */
  const askedFor = (present: readonly Approver[], userId: string) => {
    const user = organization.users.get(userId)
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

  return (matter, approvals, userId) => {
    if (!organization.users.has(userId)) return false
    if (isRootMember(organization, userId)) return true
    const activity = activityOf(matter)
    if (activity === undefined) return false
    const present = approversOf(rules, organization, approvals)
    const facts = factsOf(activity, present)
    const isAskedFor = askedFor(present, userId)
    for (const policy of organization.policies.values()) {
      if (policy.effect !== 'EFFECT_ALLOW') continue
      const compiled = compiledBy(rules, policy, allowance)
      if (compiled === undefined) continue
      const { condition, consensus } = compiled
      if (!isTrue(evaluate(condition, facts, rules, conditionAllowance(rules, allowance)))) continue
      if (isAskedFor(policy, consensus)) return true
    }
    return false
  }
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

const managesOwnCredentials = (
  rules: RulesVersion,
  organization: Organization,
  { ownCredentials, requester, credentialsLiveMs, atMs }: Matter,
  approvals: readonly Approval[],
): boolean => {
  const own = countedApprovals(rules, organization, approvals).find(({ userId }) => userId === requester)
  if (!ownCredentials || own === undefined) return false
  if (rules.outlivesItself || credentialsLiveMs === 0) return true
  const key = organization.users.get(requester)?.apiKeys.get(own.credentialId)
  return key !== undefined && !isExpired(key, atMs + credentialsLiveMs - 1)
}

const everyoneOf = ({ users }: Organization): readonly Approver[] => [...users.values()].map(approverOf)

const identityOf = ({ user, credentials }: Approver): string => [user.id, ...credentials.map(({ id }) => id)].join()

/** Stands for the activity where an expression cannot speak of it. */
const ANY_ACTIVITY: Facts['activity'] = { type: '', kind: '', resource: '', action: '', params: {} }

const once = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | undefined
  return () => (made ??= { value: make() }).value
}

type Compiled = { readonly condition: Expression; readonly consensus: Expression }

/** The expressions of a policy. Reading them is charged to the allowance, whether or not they were read before. */
const compiledBy = (rules: RulesVersion, policy: Policy, allowance: Allowance): Compiled | undefined => {
  allowance.steps -= (policy.condition.length + policy.consensus.length) * rules.stepsPerCharacter
  if (rules.failsClosed && allowance.steps <= 0) return undefined // to read what cannot be evaluated takes long, too
  const condition = compileCondition(policy.condition)
  const consensus = compileConsensus(policy.consensus)
  return condition._tag === 'Left' || consensus._tag === 'Left'
    ? undefined
    : { condition: condition.right, consensus: consensus.right }
}

/** By the first rules, only looking ahead was bounded for a decision as a whole; each expression always was. */
const conditionAllowance = ({ decisionSteps }: RulesVersion, allowance: Allowance): Allowance =>
  decisionSteps === undefined ? { steps: Infinity, work: allowance.work } : allowance

const evaluationsOf = (
  rules: RulesVersion,
  organization: Organization,
  activity: Facts['activity'],
  present: readonly Approver[],
  work: Work | undefined,
): readonly Evaluation[] => {
  const facts = factsOf(activity, present)
  const allowance = allowanceOf(rules.decisionSteps ?? rules.lookaheadSteps, work)
  const everyone = once(() => everyoneOf(organization)) // of use to few policies, and the same for all
  const canBeReached = (consensus: Expression): boolean =>
    isReachable(consensus, activity, everyone(), present, rules, allowance)
  const policies = [...organization.policies.values()]
  const outcomes = new Map<string, Outcome>()
  for (const policy of inOrderOfWeight(rules, policies))
    outcomes.set(policy.policyId, outcomeOf(rules, policy, facts, allowance, canBeReached))
  return policies.map(({ policyId }) => ({ policyId, outcome: outcomes.get(policyId) ?? 'OUTCOME_ERROR' }))
}

/** Policies that deny come first: no other policy can use up their steps. */
const inOrderOfWeight = ({ failsClosed }: RulesVersion, policies: readonly Policy[]): readonly Policy[] =>
  failsClosed
    ? [
        ...policies.filter(({ effect }) => effect === 'EFFECT_DENY'),
        ...policies.filter(({ effect }) => effect !== 'EFFECT_DENY'),
      ]
    : policies

// Both clauses are evaluated always: an error in either means that the policy does not apply.
const outcomeOf = (
  rules: RulesVersion,
  policy: Policy,
  facts: Facts,
  allowance: Allowance,
  canBeReached: (consensus: Expression) => boolean,
): Outcome => {
  const denies = policy.effect === 'EFFECT_DENY'
  const compiled = compiledBy(rules, policy, allowance)
  if (compiled === undefined) return rules.failsClosed && denies ? 'OUTCOME_DENY_EXPLICIT' : 'OUTCOME_ERROR'
  const left = conditionAllowance(rules, allowance)
  const applies = evaluate(compiled.condition, facts, rules, left)
  const agrees = evaluate(compiled.consensus, facts, rules, left)
  if (applies._tag === 'error' || agrees._tag === 'error') {
    return rules.failsClosed && denies && mayBeTrue(applies) && mayBeTrue(agrees)
      ? 'OUTCOME_DENY_EXPLICIT'
      : 'OUTCOME_ERROR'
  }
  if (!applies.value) return 'OUTCOME_DENY_IMPLICIT'
  if (denies) return agrees.value ? 'OUTCOME_DENY_EXPLICIT' : 'OUTCOME_DENY_IMPLICIT'
  if (agrees.value) return 'OUTCOME_ALLOW'
  return canBeReached(compiled.consensus) ? 'OUTCOME_REQUIRES_CONSENSUS' : 'OUTCOME_DENY_IMPLICIT'
}

/** Whether it is true, or could not be found out: a caller must not escape a denial by making it take long. */
const mayBeTrue = (evaluated: Evaluated): boolean =>
  isTrue(evaluated) || (evaluated._tag === 'error' && evaluated.isExhausted)
