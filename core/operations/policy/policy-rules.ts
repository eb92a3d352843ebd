import * as t from 'io-ts'
import { fieldViolations, type Failure } from '../../failure.ts'
import type { Effect as PolicyEffect, Organization } from '../../organization/organization.ts'
import { compileCondition, compileConsensus } from '../../policy/expression.ts'
import { E } from '../../prelude.ts'
import { notUnique, overQuota, unsupported } from '../refusals.ts'

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

/** The longest notes, in characters: every list of policies carries them. */
export const NOTES_LENGTH_MAX = 16_384
/** The most characters that conditions and consensuses of an organization may have together: every decision reads them all. */
export const TEXTS_LENGTH_MAX = 2 ** 18

type Texts = Pick<Rules, 'condition' | 'consensus'> & { readonly notes?: string | undefined }

/**
 * Refuses policies whose texts would make every decision, or every list, take too long.
 *
 * @param replaced  the policy that is changed, if there is one
 */
export const admitTexts = (
  added: readonly Texts[],
  { policies }: Organization,
  replaced?: string,
): E.Either<Failure, void> => {
  if (added.some(({ notes = '' }) => notes.length > NOTES_LENGTH_MAX)) return E.left(notesTooLong)
  const before = lengthOf([...policies.values()])
  const without = before - lengthOf([...policies.values()].filter(({ policyId }) => policyId === replaced))
  const after = without + lengthOf(added)
  return after <= Math.max(before, TEXTS_LENGTH_MAX)
    ? E.right(undefined)
    : E.left(overQuota(TEXTS_LENGTH_MAX, 'characters of conditions and consensuses'))
}

const lengthOf = (texts: readonly Texts[]): number =>
  texts.reduce((sum, { condition = '', consensus = '' }) => sum + condition.length + consensus.length, 0)

const NOTES_EXPECTED = `expected notes of at most ${NOTES_LENGTH_MAX} characters`
const notesTooLong = fieldViolations(`invalid parameters at notes: ${NOTES_EXPECTED}`, [
  { field: 'notes', description: NOTES_EXPECTED },
])

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
