import * as t from 'io-ts'
import { failure, fieldViolations, type Failure } from '../../failure.ts'
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
/** The most characters of notes in an organization. JSON can write one of them in six. */
export const ALL_NOTES_LENGTH_MAX = 2 ** 18
/** The most characters that conditions and consensuses of an organization may have together: every decision reads them all. */
export const TEXTS_LENGTH_MAX = 2 ** 17
/** The most of them in one request: they are read in one go. */
export const NEW_TEXTS_LENGTH_MAX = 2 ** 16

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
  if (lengthOf(textsOf, added) > NEW_TEXTS_LENGTH_MAX) return E.left(tooManyTexts)
  const before = [...policies.values()]
  const after = [...before.filter(({ policyId }) => policyId !== replaced), ...added]
  const isWithin = (of: (texts: Texts) => number, most: number): boolean =>
    lengthOf(of, after) <= Math.max(lengthOf(of, before), most)
  if (!isWithin(textsOf, TEXTS_LENGTH_MAX))
    return E.left(overQuota(TEXTS_LENGTH_MAX, 'characters of conditions and consensuses'))
  return isWithin(notesOf, ALL_NOTES_LENGTH_MAX)
    ? E.right(undefined)
    : E.left(overQuota(ALL_NOTES_LENGTH_MAX, 'characters of notes'))
}

const textsOf = ({ condition = '', consensus = '' }: Texts): number => condition.length + consensus.length
const notesOf = ({ notes = '' }: Texts): number => notes.length
const lengthOf = (of: (texts: Texts) => number, all: readonly Texts[]): number =>
  all.reduce((sum, texts) => sum + of(texts), 0)

const tooManyTexts = failure(
  'RESOURCE_EXHAUSTED',
  `expected at most ${NEW_TEXTS_LENGTH_MAX} characters of conditions and consensuses in one request`,
)

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
