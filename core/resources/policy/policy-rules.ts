import * as t from '../../codec/t.ts'
import { policies, type Effect as PolicyEffect } from '../../organization/policies.ts'
import type { Organization } from '../../organization/state.ts'
import { isUtc } from '../../policy/cron-span.ts'
import type { Compiled, Language } from '../../policy/expression.ts'
import { refusalOf } from '../../policy/refusal.ts'
import { E } from '../../prelude.ts'
import type { AdmitContext } from '../../definition/operation.ts'
import { refuse, valueOf, type Refusal } from '../../definition/refuse.ts'
import { uniqueName } from '../unique-name.ts'

export const Effect = t.keyof({ EFFECT_ALLOW: null, EFFECT_DENY: null } satisfies Record<PolicyEffect, null>)

/** Refuses the forms of a policy that are older than the policy language. */
export const refuseSelectors = (): never => {
  throw refuse.unsupported('selector policies')
}

/** The members of a policy in intents, with the names of the wire for messages. */
type Rules = {
  readonly condition?: string | undefined
  readonly consensus?: string | undefined
  readonly time?: string | undefined
}

/** Refuses wrong expressions of a policy. Empty expressions are always true. */
export const checkRules = ({ condition = '', consensus = '', time = '' }: Rules, language: Language): void => {
  valueOf(language.condition(condition))
  valueOf(language.consensus(consensus))
  valueOf(language.time(time))
}

/** The time of a policy; refuses one that cannot be compiled, and one of zones that the data of this machine does not have. */
export const compiledTime = (
  time: string,
  { language, timeZones }: Pick<AdmitContext, 'language' | 'timeZones'>,
): Compiled => {
  const compiled = language.time(time)
  if (E.isLeft(compiled)) return compiled
  const unknown = compiled.right.spans.find(({ span: { zone } }) => !isUtc(zone) && !timeZones.isKnown(zone))
  return unknown === undefined ? compiled : E.left(refusalOf('time', time, [{ ...NO_SUCH_ZONE, at: unknown.at }]))
}

const NO_SUCH_ZONE = {
  message: 'expected the name of an IANA time zone that is known here, for example Europe/Berlin',
  expected: 'the name of an IANA time zone',
}

/**
 * Refuses new policies whose texts are too long, and those with times of zones that the data of this machine does not have. An audit does not
 * ask again, because its own data may be older. See `admitTexts`.
 */
export const admitPolicies = (added: readonly Texts[], context: AdmitContext, replaced?: string): void => {
  admitTexts(added, context.organization, replaced)
  for (const { time = '' } of added) valueOf(compiledTime(time, context))
}

/** The longest notes, in characters: every list of policies contains them. */
export const NOTES_LENGTH_MAX = 16_384
/** The most characters of notes in an organization. JSON may need six characters for one of them. */
export const ALL_NOTES_LENGTH_MAX = 2 ** 18
/** The most characters that expressions of an organization's policies may have together: every decision reads them all. */
export const TEXTS_LENGTH_MAX = 2 ** 17
/** The most such characters in one request, because they are compiled in one piece. */
export const NEW_TEXTS_LENGTH_MAX = 2 ** 16

type Texts = Rules & { readonly notes?: string | undefined }

/**
 * Refuses policies whose texts would make every decision, or every list, take too long.
 *
 * @param replaced  the policy that is changed, if there is one
 */
export const admitTexts = (added: readonly Texts[], organization: Organization, replaced?: string): void => {
  if (added.some(({ notes = '' }) => notes.length > NOTES_LENGTH_MAX))
    throw refuse.field('notes', `notes of at most ${NOTES_LENGTH_MAX} characters`)
  if (lengthOf(textsOf, added) > NEW_TEXTS_LENGTH_MAX)
    throw refuse(
      'RESOURCE_EXHAUSTED',
      `expected at most ${NEW_TEXTS_LENGTH_MAX} characters of conditions, consensuses and times in one request`,
    )
  const before = [...policies.of(organization).values()]
  const after = [...before.filter(({ policyId }) => policyId !== replaced), ...added]
  const isWithin = (of: (texts: Texts) => number, most: number): boolean =>
    lengthOf(of, after) <= Math.max(lengthOf(of, before), most)
  if (!isWithin(textsOf, TEXTS_LENGTH_MAX))
    throw refuse.overQuota(TEXTS_LENGTH_MAX, 'characters of conditions, consensuses and times')
  if (!isWithin(notesOf, ALL_NOTES_LENGTH_MAX)) throw refuse.overQuota(ALL_NOTES_LENGTH_MAX, 'characters of notes')
}

const textsOf = ({ condition = '', consensus = '', time = '' }: Texts): number =>
  condition.length + consensus.length + time.length
const notesOf = ({ notes = '' }: Texts): number => notes.length
const lengthOf = (of: (texts: Texts) => number, all: readonly Texts[]): number =>
  all.reduce((sum, texts) => sum + of(texts), 0)

const LABEL_NOT_UNIQUE = 'policy label must be unique'
export const labelNotUnique = (field: string): Refusal => refuse.notUnique(field, LABEL_NOT_UNIQUE)

export const checkPolicyName = uniqueName(policies, ({ policyName }) => policyName, LABEL_NOT_UNIQUE)
