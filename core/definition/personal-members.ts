import type * as t from 'io-ts'
import { personalMembersOf, type ReplacePersonal } from '../codec/personal.ts'
import { failure, type Failure, type Json } from '../failure.ts'
import type { PartBytes } from '../log/event.ts'
import { isPartName, type Parts } from '../log/parts.ts'
import { decodePersonal, encodePersonal, personalPart } from '../log/personal-part.ts'
import { E } from '../prelude.ts'

/** A change, a result, and what the work brought, as JSON. */
export type Outcome = { readonly change: Json; readonly result: Json; readonly performed?: Json | undefined }

/** Moves personal members of changes, results and what work brought into parts, and back. */
export type PersonalMembers = {
  /** Whether the operation has personal members. */
  readonly areThere: boolean
  /** Whether what its work brings has some. */
  readonly isBrought: boolean
  /** The outcome as a line has it, with null for each personal value, and the parts with these values, one for each person. */
  readonly taken: (outcome: Outcome) => E.Either<Failure, { readonly outcome: Outcome; readonly parts: PartBytes }>
  /** A change with its personal members: with their values, or with their fallbacks if the part was erased. */
  readonly change: (written: Json, parts: Parts) => Json
  /** As `change`, for a result. */
  readonly result: (written: Json, parts: Parts) => Json
  /** As `change`, for what the work brought. */
  readonly performed: (written: Json, parts: Parts) => Json
  /** Whether something of what the work brought is in a part that was erased. */
  readonly isErased: (performed: Json, parts: Parts) => boolean
  /** All persons of whom the outcome has a personal member. */
  readonly persons: (outcome: Partial<Outcome>) => ReadonlySet<string>
}

/**
 * The personal members of an operation.
 *
 * @throws if a personal member has no subject or no fallback (a bug of the operation, found at the start)
 */
export const personalMembers = (
  type: string,
  codecs: { readonly change: t.Mixed; readonly result: t.Mixed; readonly performed?: t.Mixed | undefined },
): PersonalMembers => {
  const find = (what: keyof Outcome): ReplacePersonal | undefined => {
    const codec = codecs[what]
    try {
      return codec && personalMembersOf(codec)
    } catch (cause) {
      throw new Error(`the ${what} of ${type}: ${cause instanceof Error ? cause.message : 'not understood'}`, { cause })
    }
  }
  const inside: Inside = { change: find('change'), result: find('result'), performed: find('performed') }
  const personsIn = (outcome: Partial<Outcome>): ReadonlySet<string> => {
    const found = new Set<string>()
    replacedIn(inside, outcome, () => ({ of, value }) => {
      found.add(of)
      return value
    })
    return found
  }
  const whole = (what: keyof Outcome) => (written: Json, parts: Parts) => withValues(inside[what], what, written, parts)
  return {
    areThere: Object.values(inside).some((one) => one !== undefined),
    isBrought: inside.performed !== undefined,
    taken: (outcome) => takenOut(type, outcome, inside),
    change: whole('change'),
    result: whole('result'),
    performed: whole('performed'),
    isErased: (performed, parts) =>
      [...personsIn({ performed })].some((person) => parts.get(personalPart(person)) === 'erased'),
    persons: personsIn,
  }
}

type Inside = { readonly [what in keyof Required<Outcome>]: ReplacePersonal | undefined }
type Replace = Parameters<ReplacePersonal>[1]

/** The outcome with its personal values replaced, in the order in which a part has them. */
const replacedIn = <A extends Partial<Outcome>>(
  inside: Inside,
  outcome: A,
  replace: (what: keyof Outcome) => Replace,
): A => {
  const replaced: { [what in (typeof WHERE)[number]]?: Json | undefined } = { ...outcome }
  for (const what of WHERE) {
    const written = outcome[what]
    if (written !== undefined) replaced[what] = inside[what]?.(written, replace(what)) ?? written
  }
  return replaced as A // of the same members
}

const WHERE = ['change', 'result', 'performed'] as const

const takenOut = (type: string, outcome: Outcome, inside: Inside): ReturnType<PersonalMembers['taken']> => {
  if (WHERE.every((what) => inside[what] === undefined)) return E.right({ outcome, parts: {} })
  const found = new Map<string, { [what in (typeof WHERE)[number]]?: Json[] }>()
  const replaced = replacedIn(inside, outcome, (what) => ({ of, value }) => {
    const values = found.get(of) ?? {}
    found.set(of, values)
    const all = (values[what] ??= [])
    all.push(value)
    return null
  })
  const parts = [...found].map(([of, values]) => [personalPart(of), encodePersonal(values)] as const)
  if (!parts.every(([name]) => isPartName(name)))
    return E.left(failure('INTERNAL', `the subject of personal members of ${type} is no id of a user`))
  return E.right({ outcome: replaced, parts: Object.fromEntries(parts) })
}

const withValues = (inside: ReplacePersonal | undefined, what: keyof Outcome, written: Json, parts: Parts): Json => {
  if (inside === undefined || parts.size === 0) return written
  const read = new Map<string, Json[] | 'erased' | undefined>()
  const whole = inside(written, ({ of, value, fallback }) => {
    if (value !== null) return value // of an older revision: the member was marked later
    if (!read.has(of)) read.set(of, valuesOf(parts, of, what))
    const values = read.get(of)
    if (values === undefined) return value // the member itself is null
    if (values === 'erased') return fallback
    const next = values.shift()
    if (next === undefined) throw new TypeError('a part with personal data has fewer values than its event')
    return next
  })
  for (const values of read.values())
    if (Array.isArray(values) && values.length > 0)
      throw new TypeError('a part with personal data has more values than its event')
  return whole
}

const valuesOf = (parts: Parts, of: string, what: keyof Outcome): Json[] | 'erased' | undefined => {
  const bytes = parts.get(personalPart(of))
  if (bytes === undefined || bytes === 'erased') return bytes
  const personal = decodePersonal(bytes)
  if (personal === undefined)
    throw new TypeError('a part with personal data is not in the form that this version reads')
  return [...(personal[what] ?? [])]
}
