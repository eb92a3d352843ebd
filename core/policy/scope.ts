import { failure } from '../failure.ts'
import { isApiKey } from '../organization/credential.ts'
import type { Organization } from '../organization/state.ts'
import { users } from '../organization/users.ts'
import { factsOf, type Approval } from './approvers.ts'
import type { DecisionInput } from './consensus.ts'
import { allowanceOf, compileCondition, evaluate, type Language } from './expression.ts'
import { currentRules, type RulesVersion } from './rules.ts'

export const outOfScope = failure(
  'REQUEST_NOT_AUTHORIZED',
  'request not authorized: the scope of the session does not allow it',
)

/**
 * Whether the activity is outside the scope of the key that stamps it, or a vote on it. Only keys that were issued under a session profile have
 * one. Whatever does not give `true` is outside: also an error, and an evaluation that would take too long.
 *
 * @param decider  the state with the user
 */
export const isOutOfScope = (
  decider: Organization,
  { userId, credentialId }: Approval,
  inputOf: () => DecisionInput,
  { language, rules = currentRules }: { readonly language?: Language; readonly rules?: RulesVersion } = {},
): boolean => {
  const credential = users.of(decider).get(userId)?.credentials.get(credentialId)
  if (credential === undefined || !isApiKey(credential) || credential.profile === undefined) return false
  const { scope } = credential.profile
  const allowance = allowanceOf(rules.factorSteps - scope.length * rules.stepsPerCharacter)
  if (allowance.steps <= 0) return true
  const compiled = compileCondition(scope, language)
  if (compiled._tag === 'Left') return true
  const { type, kind, resource, action, params, facts: more } = inputOf()
  const facts = factsOf({ type, kind, resource, action, params }, [], more)
  const evaluated = evaluate(compiled.right, facts, rules, allowance)
  return !(evaluated._tag === 'value' && evaluated.value)
}
