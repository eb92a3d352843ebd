import { kindOf, type Credential } from '../organization/credential.ts'
import type { AuthenticationMethod, AuthenticationStep, MfaPolicy } from '../organization/mfa-policies.ts'
import type { Organization } from '../organization/state.ts'
import { users, type User } from '../organization/users.ts'
import { factsOf, type Approval } from './approvers.ts'
import type { DecisionInput } from './consensus.ts'
import { allowanceOf, compileCondition, evaluate, type Allowance, type Facts, type Language } from './expression.ts'
import { once } from './outcomes.ts'
import { currentRules, type RulesVersion } from './rules.ts'

/** What a user has to stamp an activity with, and has stamped it with. */
export type Factors = {
  readonly userId: string
  /** The first of the user's policies whose condition holds. */
  readonly policy: MfaPolicy
  /** The credentials that met steps, each another step, in the order of their stamps. */
  readonly met: readonly Credential[]
  /** Whether each step is met. */
  readonly isMet: boolean
}

/**
 * Finds the factors of a user.
 *
 * @param stamps  what the user has stamped for the activity
 * @returns `undefined` if none of the user's policies counts for the activity: then one stamp is enough
 */
export type FindFactors = (userId: string, stamps: readonly Approval[]) => Factors | undefined

export type FactorOptions = {
  readonly language?: Language | undefined
  readonly rules?: RulesVersion | undefined
  /** Default: one of the rules for each user. */
  readonly allowance?: Allowance | undefined
}

/**
 * Finds out about the second factors of users for one activity. Of a user's policies, the first one by `order`, and then by creation,
 * counts whose condition holds. A condition with an error does not hold. One whose steps are used up does: a caller must not escape a factor
 * by making its evaluation take long.
 */
export const factorsFor = (
  organization: Organization,
  input: DecisionInput,
  { language, rules = currentRules, allowance }: FactorOptions = {},
): FindFactors => {
  const { type, kind, resource, action, params } = input
  const facts = once(() => factsOf({ type, kind, resource, action, params }, [], input.facts))
  return (userId, stamps) => {
    const user = users.of(organization).get(userId)
    if (user === undefined || user.mfaPolicies.size === 0) return undefined
    const steps = allowance ?? allowanceOf(rules.factorSteps)
    const policy = inOrder(user).find(({ condition }) => counts(condition, facts(), language, rules, steps))
    if (policy === undefined) return undefined
    const required = policy.requiredAuthenticationMethods
    const met = metBy(required, credentialsOf(user, stamps))
    return { userId, policy, met, isMet: met.length === required.length }
  }
}

const inOrder = ({ mfaPolicies }: User): readonly MfaPolicy[] =>
  [...mfaPolicies.values()].toSorted((a, b) => a.order - b.order)

const counts = (
  condition: string,
  facts: Facts,
  language: Language | undefined,
  rules: RulesVersion,
  allowance: Allowance,
): boolean => {
  allowance.steps -= condition.length * rules.stepsPerCharacter
  if (allowance.steps <= 0) return true
  const compiled = compileCondition(condition, language)
  if (compiled._tag === 'Left') return true // an engine with other resources has accepted it
  const evaluated = evaluate(compiled.right, facts, rules, allowance)
  return evaluated._tag === 'value' ? evaluated.value : evaluated.isExhausted
}

/** The credentials of stamps, as far as the user still has them: of another one, nobody knows of which type it was. */
const credentialsOf = ({ credentials }: User, stamps: readonly Approval[]): readonly Credential[] =>
  stamps.flatMap(({ credentialId }) => credentials.get(credentialId) ?? [])

/**
 * The credentials that meet steps, each another one, so that as many steps are met as can be. A later stamp may take over the step of an
 * earlier one that meets another step, too; so the earlier one stays among those that meet steps.
 */
const metBy = (steps: readonly AuthenticationStep[], stamped: readonly Credential[]): readonly Credential[] => {
  const holders = new Map<AuthenticationStep, Credential>()
  const takes = (credential: Credential, tried: Set<AuthenticationStep>): boolean =>
    steps.some((step) => {
      if (tried.has(step) || !step.any.some((method) => isOf(method, credential))) return false
      tried.add(step)
      const holder = holders.get(step)
      if (holder !== undefined && !takes(holder, tried)) return false
      holders.set(step, credential)
      return true
    })
  const met: Credential[] = []
  for (const credential of stamped) {
    // Several passkeys may have one key: they are one factor.
    if (met.some(({ publicKey }) => publicKey === credential.publicKey)) continue
    if (takes(credential, new Set())) met.push(credential)
  }
  return met
}

const isOf = ({ type, id }: AuthenticationMethod, credential: Credential): boolean => {
  const method = kindOf(credential).methodOf(credential)
  return method !== undefined && type === method.type && (id === undefined || id === method.id)
}
