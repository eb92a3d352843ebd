import * as t from '../../codec/t.ts'
import { policies } from '../../organization/policies.ts'
import type { Draft } from '../../organization/state.ts'
import type { ExecuteContext } from '../../definition/operation.ts'
import { checkQuota } from '../check-quota.ts'
import { policyLimits } from './policy-limits.ts'
import { checkPolicyName, checkRules, Effect, labelNotUnique } from './policy-rules.ts'

/** Notes may be absent, because clients leave them out, although the wire requires them. */
export const PolicyParams = t.fields(
  { policyName: t.Label, effect: Effect },
  { condition: t.string, consensus: t.string, notes: t.string, time: t.string },
)
export type PolicyParams = t.TypeOf<typeof PolicyParams>

/** A policy in a change; its time is the time of the event. */
export const NewPolicy = t.fields(
  { policyId: t.string, policyName: t.string, effect: Effect },
  { condition: t.string, consensus: t.string, notes: t.string, time: t.string },
)
export type NewPolicy = t.TypeOf<typeof NewPolicy>

/**
 * The policies with their ids, if nothing is against them.
 *
 * @param field  gives the prefix of the paths of the policy at an index, for messages
 */
export const newPolicies = <const A extends readonly PolicyParams[]>(
  added: A,
  field: (index: number) => string,
  {
    organization,
    ids,
    limits,
    language,
  }: Pick<ExecuteContext<undefined>, 'organization' | 'ids' | 'limits' | 'language'>,
): { readonly [K in keyof A]: NewPolicy } => {
  checkQuota(policies.of(organization).size + added.length, policyLimits.of({ limits }).policies, 'policies')
  const names = new Set<string>()
  const created = added.map((policy, index): NewPolicy => {
    const nameField = `${field(index)}policyName`
    if (names.has(policy.policyName)) throw labelNotUnique(nameField)
    names.add(policy.policyName)
    checkPolicyName(nameField, policy.policyName, organization)
    checkRules(policy, language)
    return { policyId: ids(), ...policy }
  })
  return created as { readonly [K in keyof A]: NewPolicy } // one for one
}

export const addPolicy = (draft: Draft, created: NewPolicy, atMs: number): void => {
  policies.in(draft).set(created.policyId, {
    policyId: created.policyId,
    policyName: created.policyName,
    effect: created.effect,
    condition: created.condition ?? '',
    consensus: created.consensus ?? '',
    time: created.time ?? '',
    notes: created.notes ?? '',
    createdAtMs: atMs,
    updatedAtMs: atMs,
  })
}
