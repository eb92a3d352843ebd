import * as t from 'io-ts'
import { Label } from '../../codec.ts'
import type { Failure } from '../../failure.ts'
import type { Draft } from '../../organization/organization.ts'
import { E } from '../../prelude.ts'
import { fields } from '../fields.ts'
import type { ExecuteContext } from '../operation.ts'
import { overQuota } from '../refusals.ts'
import { checkPolicyName, checkRules, Effect, labelNotUnique } from './policy-rules.ts'

/** Notes may be absent, although the wire calls them required: clients leave them out. */
export const PolicyParams = fields(
  { policyName: Label, effect: Effect },
  { condition: t.string, consensus: t.string, notes: t.string, time: t.string },
)
export type PolicyParams = t.TypeOf<typeof PolicyParams>

/** A policy as a change carries it; the time comes from the event. */
export const NewPolicy = fields(
  { policyId: t.string, policyName: t.string, effect: Effect },
  { condition: t.string, consensus: t.string, notes: t.string },
)
export type NewPolicy = t.TypeOf<typeof NewPolicy>

/**
 * The policies with their ids, or why there cannot be these policies.
 *
 * @param field  where the intent has the policy of that index, as a prefix of its members' paths
 */
export const newPolicies = (
  policies: readonly PolicyParams[],
  field: (index: number) => string,
  { organization, ids, limits }: Pick<ExecuteContext<undefined>, 'organization' | 'ids' | 'limits'>,
): E.Either<Failure, readonly NewPolicy[]> => {
  if (organization.policies.size + policies.length > limits.policies)
    return E.left(overQuota(limits.policies, 'policies'))
  const names = new Set<string>()
  const created: NewPolicy[] = []
  for (const [index, { time, ...policy }] of policies.entries()) {
    const nameField = `${field(index)}policyName`
    if (names.has(policy.policyName)) return E.left(labelNotUnique(nameField))
    names.add(policy.policyName)
    const named = checkPolicyName(nameField, policy.policyName, organization)
    if (E.isLeft(named)) return named
    const checked = checkRules({ ...policy, time })
    if (E.isLeft(checked)) return checked
    created.push({ policyId: ids(), ...policy })
  }
  return E.right(created)
}

export const addPolicy = (draft: Draft, created: NewPolicy, atMs: number): void => {
  draft.policies.set(created.policyId, {
    policyId: created.policyId,
    policyName: created.policyName,
    effect: created.effect,
    condition: created.condition ?? '',
    consensus: created.consensus ?? '',
    notes: created.notes ?? '',
    createdAtMs: atMs,
    updatedAtMs: atMs,
  })
}
