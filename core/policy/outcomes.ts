import { once } from '../collections/once.ts'
import { policies, type Policy } from '../organization/policies.ts'
import type { Organization } from '../organization/state.ts'
import { users } from '../organization/users.ts'
import type { Evaluation, Outcome } from '../log/decision.ts'
import { approverOf, type Approver } from './approvers.ts'
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
  type Language,
} from './expression.ts'
import { isReachable } from './reachable.ts'
import type { RulesVersion } from './rules.ts'
import type { Moment } from './time-clause.ts'

/** How a decision is taken. */
export type Taking = {
  readonly rules: RulesVersion
  readonly language: Language | undefined
  /** Whether a policy asks who might still approve. */
  readonly looksAhead: boolean
  /** The time of the decision. */
  readonly moment: Moment
}

export const evaluationsOf = (
  taking: Taking,
  organization: Organization,
  facts: Facts,
  present: readonly Approver[],
): readonly Evaluation[] => {
  const { rules } = taking
  const allowance = allowanceOf(rules.decisionSteps)
  const everyone = once(() => everyoneOf(organization)) // only few policies need it, and it is the same for all
  const canBeReached = (consensus: Expression): boolean =>
    taking.looksAhead && isReachable(consensus, facts.activity, everyone(), present, rules, allowance)
  const all = [...policies.of(organization).values()]
  const outcomes = new Map<string, Outcome>()
  for (const policy of inOrderOfWeight(all))
    outcomes.set(policy.policyId, outcomeOf(taking, policy, facts, allowance, canBeReached))
  return all.map(({ policyId }) => ({ policyId, outcome: outcomes.get(policyId) ?? 'OUTCOME_ERROR' }))
}

/** Denying policies come first, so that no other policy can use up their steps. */
const inOrderOfWeight = (policies: readonly Policy[]): readonly Policy[] => [
  ...policies.filter(({ effect }) => effect === 'EFFECT_DENY'),
  ...policies.filter(({ effect }) => effect !== 'EFFECT_DENY'),
]

/**
 * The outcome of one policy. Where its time is false, its other clauses are not read: they cannot matter, and cost nothing. Otherwise
 * all of them are always evaluated: after an error in one, the policy does not apply.
 */
const outcomeOf = (
  taking: Taking,
  policy: Policy,
  facts: Facts,
  allowance: Allowance,
  canBeReached: (consensus: Expression) => boolean,
): Outcome => {
  const { rules, language } = taking
  const denies = policy.effect === 'EFFECT_DENY'
  const time = taking.moment(policy, allowance)
  if (time._tag === 'inactive') return 'OUTCOME_TIME_INACTIVE'
  const mayDeny = denies && time._tag !== 'error'
  const compiled = compiledBy(rules, policy, allowance, language)
  if (compiled === undefined) return mayDeny ? 'OUTCOME_DENY_EXPLICIT' : 'OUTCOME_ERROR'
  const applies = evaluate(compiled.condition, facts, rules, allowance)
  const agrees = evaluate(compiled.consensus, facts, rules, allowance)
  if (time._tag !== 'active' || applies._tag === 'error' || agrees._tag === 'error')
    return mayDeny && mayBeTrue(applies) && mayBeTrue(agrees) ? 'OUTCOME_DENY_EXPLICIT' : 'OUTCOME_ERROR'
  if (!applies.value) return 'OUTCOME_DENY_IMPLICIT'
  if (denies) return agrees.value ? 'OUTCOME_DENY_EXPLICIT' : 'OUTCOME_DENY_IMPLICIT'
  if (agrees.value) return 'OUTCOME_ALLOW'
  return canBeReached(compiled.consensus) ? 'OUTCOME_REQUIRES_CONSENSUS' : 'OUTCOME_DENY_IMPLICIT'
}

/** Whether it is true, or its steps were used up: a caller must not escape a denial by making its evaluation take long. */
const mayBeTrue = (evaluated: Evaluated): boolean =>
  isTrue(evaluated) || (evaluated._tag === 'error' && evaluated.isExhausted)

type Compiled = { readonly condition: Expression; readonly consensus: Expression }

/** The compiled expressions of a policy. Reading them is charged to the allowance, also if they are in the cache. */
export const compiledBy = (
  rules: RulesVersion,
  policy: Policy,
  allowance: Allowance,
  language: Language | undefined,
): Compiled | undefined => {
  allowance.steps -= (policy.condition.length + policy.consensus.length) * rules.stepsPerCharacter
  if (allowance.steps <= 0) return undefined // reading takes long, too, and it could not be evaluated
  const condition = compileCondition(policy.condition, language)
  const consensus = compileConsensus(policy.consensus, language)
  return condition._tag === 'Left' || consensus._tag === 'Left'
    ? undefined
    : { condition: condition.right, consensus: consensus.right }
}

/** All users, with all their credentials. */
export const everyoneOf = (organization: Organization): readonly Approver[] =>
  [...users.of(organization).values()].map(approverOf)
