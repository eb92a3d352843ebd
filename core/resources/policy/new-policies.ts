import { policies } from '../../organization/policies.ts'
import * as t from 'io-ts'
import { Label } from '../../codec/codec.ts'
import type { Failure } from '../../failure.ts'
import type { Draft } from '../../organization/state.ts'
import { E } from '../../prelude.ts'
import { fields } from '../../codec/fields.ts'
import type { ExecuteContext } from '../../definition/operation.ts'
import { checkQuota } from '../../definition/refusals.ts'
import { policyLimits } from './policy-limits.ts'
import { checkPolicyName, checkRules, Effect, labelNotUnique } from './policy-rules.ts'

/** Notes may be absent, because clients leave them out, although the wire requires them. */
export const PolicyParams = fields(
  { policyName: Label, effect: Effect },
  { condition: t.string, consensus: t.string, notes: t.string, time: t.string },
)
export type PolicyParams = t.TypeOf<typeof PolicyParams>

/** A policy in a change; its time is the time of the event. */
export const NewPolicy = fields(
  { policyId: t.string, policyName: t.string, effect: Effect },
  { condition: t.string, consensus: t.string, notes: t.string, time: t.string },
)
export type NewPolicy = t.TypeOf<typeof NewPolicy>

/**
 * The policies with their ids, or the reason why they are refused.
 *
 * @param field  gives the prefix of the paths of the policy at an index, for messages
 */
export const newPolicies = (
  added: readonly PolicyParams[],
  field: (index: number) => string,
  {
    organization,
    ids,
    limits,
    language,
  }: Pick<ExecuteContext<undefined>, 'organization' | 'ids' | 'limits' | 'language'>,
): E.Either<Failure, readonly NewPolicy[]> => {
  const count = policies.of(organization).size + added.length
  const within = checkQuota(count, policyLimits.of({ limits }).policies, 'policies')
  if (E.isLeft(within)) return within
  const names = new Set<string>()
  const created: NewPolicy[] = []
  for (const [index, policy] of added.entries()) {
    const nameField = `${field(index)}policyName`
    if (names.has(policy.policyName)) return E.left(labelNotUnique(nameField))
    names.add(policy.policyName)
    const named = checkPolicyName(nameField, policy.policyName, organization)
    if (E.isLeft(named)) return named
    const checked = checkRules(policy, language)
    if (E.isLeft(checked)) return checked
    created.push({ policyId: ids(), ...policy })
  }
  return E.right(created)
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
