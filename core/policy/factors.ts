import { once } from '../collections/once.ts'
import { attestedMethod } from '../organization/attested.ts'
import { kindOf } from '../organization/credential.ts'
import type { AuthenticationMethod, AuthenticationStep, MfaPolicy } from '../organization/mfa-policies.ts'
import type { Organization } from '../organization/state.ts'
import { users, type User } from '../organization/users.ts'
import { factsOf, type Approval } from './approvers.ts'
import type { DecisionInput } from './consensus.ts'
import { allowanceOf, compileCondition, evaluate, type Allowance, type Facts, type Language } from './expression.ts'
import { currentRules, type RulesVersion } from './rules.ts'

/** What a user has to stamp an activity with, and has stamped it with. */
export type Factors = {
  readonly userId: string
  /** The first of the user's policies whose condition holds. */
  readonly policy: MfaPolicy
  /** What met steps, each another step, in the order of the stamps. */
  readonly met: readonly Factor[]
  /** Whether each step is met. */
  readonly isMet: boolean
}

/** What a stamp counts as. */
export type Factor = {
  readonly credentialId: string
  readonly method: AuthenticationMethod
  /** What is one factor however often it was given: a public key, or a contact. */
  readonly identity: string
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
    const met = metBy(required, factorsOf(user, stamps))
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

/**
 * What stamps count as, as far as the user still has the credential or the provider: of another one, nobody knows of which type it was. What meets no
 * step is left out.
 */
const factorsOf = ({ credentials, oauthProviders }: User, stamps: readonly Approval[]): readonly Factor[] =>
  stamps.flatMap(({ credentialId, attested }): readonly Factor[] => {
    if (attested === 'OAUTH') {
      const method = { type: attestedMethod(attested), id: credentialId }
      return oauthProviders.has(credentialId) ? [{ credentialId, method, identity: credentialId }] : []
    }
    if (attested !== undefined)
      return [{ credentialId, method: { type: attestedMethod(attested) }, identity: attested }]
    const credential = credentials.get(credentialId)
    const method = credential && kindOf(credential).methodOf(credential)
    return credential && method ? [{ credentialId, method, identity: credential.publicKey }] : []
  })

/**
 * What meets steps, each another one, so that as many steps are met as can be. A later stamp may take over the step of an earlier one that
 * meets another step, too; so the earlier one stays among those that meet steps.
 */
const metBy = (steps: readonly AuthenticationStep[], stamped: readonly Factor[]): readonly Factor[] => {
  const holders = new Map<AuthenticationStep, Factor>()
  const takes = (factor: Factor, tried: Set<AuthenticationStep>): boolean =>
    steps.some((step) => {
      if (tried.has(step) || !step.any.some((method) => isOf(method, factor))) return false
      tried.add(step)
      const holder = holders.get(step)
      if (holder !== undefined && !takes(holder, tried)) return false
      holders.set(step, factor)
      return true
    })
  const met: Factor[] = []
  for (const factor of stamped) {
    // Several passkeys may have one key, and several codes may go to one contact: they are one factor.
    if (met.some(({ identity }) => identity === factor.identity)) continue
    if (takes(factor, new Set())) met.push(factor)
  }
  return met
}

const isOf = ({ type, id }: AuthenticationMethod, { method }: Factor): boolean =>
  type === method.type && (id === undefined || id === method.id)
