import * as t from 'io-ts'
import type { Failure } from '../../failure.ts'
import type { Effect as PolicyEffect, Organization } from '../../organization/organization.ts'
import { compileCondition, compileConsensus } from '../../policy/expression.ts'
import { E } from '../../prelude.ts'
import { notUnique, unsupported } from '../refusals.ts'

export const Effect = t.keyof(
  { EFFECT_ALLOW: null, EFFECT_DENY: null } satisfies Record<PolicyEffect, null>,
  'an effect',
)

/** Forms of a policy from before there was a language. */
export const refuseSelectors = (): E.Either<Failure, never> => E.left(unsupported('selector policies'))

/** What intents may say about a policy, by whichever names. */
type Rules = {
  readonly condition?: string | undefined
  readonly consensus?: string | undefined
  readonly time?: string | undefined
}

/** Fails where a policy could not be evaluated. Empty expressions are always true. */
export const checkRules = ({ condition = '', consensus = '', time = '' }: Rules): E.Either<Failure, unknown> => {
  if (time !== '') return E.left(unsupported('time-based policies'))
  return E.flatMap(() => compileConsensus(consensus))(compileCondition(condition))
}

/** Fails where another policy than `policyId` has the name. */
export const checkPolicyName = (
  field: string,
  policyName: string | undefined,
  { policies }: Organization,
  policyId?: string,
): E.Either<Failure, void> => {
  for (const policy of policies.values()) {
    if (policy.policyName === policyName && policy.policyId !== policyId) return E.left(labelNotUnique(field))
  }
  return E.right(undefined)
}

export const labelNotUnique = (field: string): Failure => notUnique(field, 'policy label must be unique')
