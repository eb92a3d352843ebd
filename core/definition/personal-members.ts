import type * as t from 'io-ts'
import { personalMembersOf, type ReplacePersonal } from '../codec/personal.ts'
import { failure, type Failure, type Json } from '../failure.ts'
import type { PartBytes } from '../log/event.ts'
import { isPartName, type Parts } from '../log/parts.ts'
import { decodePersonal, encodePersonal, personalPart, type Personal } from '../log/personal-part.ts'
import { E } from '../prelude.ts'

/** A change and a result as JSON. */
export type Outcome = { readonly change: Json; readonly result: Json }

/** Moves personal members of changes and results into parts, and back. */
export type PersonalMembers = {
  /** Whether the operation has personal members. */
  readonly areThere: boolean
  /** The outcome as a line has it, with null for each personal value, and the parts with these values, one for each person. */
  readonly taken: (outcome: Outcome) => E.Either<Failure, { readonly outcome: Outcome; readonly parts: PartBytes }>
  /** A change with its personal members: with their values, or with their fallbacks if the part was erased. */
  readonly change: (written: Json, parts: Parts) => Json
  /** As `change`, for a result. */
  readonly result: (written: Json, parts: Parts) => Json
  /** All persons of whom the outcome has a personal member. */
  readonly persons: (outcome: Outcome) => ReadonlySet<string>
}

/**
 * The personal members of an operation.
 *
 * @throws if a personal member has no subject or no fallback (a bug of the operation, found at the start)
 */
export const personalMembers = (
  type: string,
  codecs: { readonly change: t.Mixed; readonly result: t.Mixed },
): PersonalMembers => {
  const find = (what: keyof Outcome): ReplacePersonal | undefined => {
    try {
      return personalMembersOf(codecs[what])
    } catch (cause) {
      throw new Error(`the ${what} of ${type}: ${cause instanceof Error ? cause.message : 'not understood'}`, { cause })
    }
  }
  const [inChange, inResult] = [find('change'), find('result')]
  const persons = ({ change, result }: Outcome): ReadonlySet<string> => {
    const found = new Set<string>()
    const note: Parameters<ReplacePersonal>[1] = ({ of, value }) => {
      found.add(of)
      return value
    }
    inChange?.(change, note)
    inResult?.(result, note)
    return found
  }
  return {
    areThere: inChange !== undefined || inResult !== undefined,
    taken: (outcome) => takenOut(type, outcome, inChange, inResult),
    change: (written, parts) => withValues(inChange, 'change', written, parts),
    result: (written, parts) => withValues(inResult, 'result', written, parts),
    persons,
  }
}

type Values = { readonly change: Json[]; readonly result: Json[] }

const takenOut = (
  type: string,
  outcome: Outcome,
  inChange: ReplacePersonal | undefined,
  inResult: ReplacePersonal | undefined,
): ReturnType<PersonalMembers['taken']> => {
  if (inChange === undefined && inResult === undefined) return E.right({ outcome, parts: {} })
  const found = new Map<string, Values>()
  const take =
    (what: keyof Values): Parameters<ReplacePersonal>[1] =>
    ({ of, value }) => {
      const values = found.get(of) ?? { change: [], result: [] }
      found.set(of, values)
      values[what].push(value)
      return null
    }
  const change = inChange === undefined ? outcome.change : inChange(outcome.change, take('change'))
  const result = inResult === undefined ? outcome.result : inResult(outcome.result, take('result'))
  const parts = [...found].map(([of, values]) => [personalPart(of), encodePersonal(unlessEmpty(values))] as const)
  if (!parts.every(([name]) => isPartName(name)))
    return E.left(failure('INTERNAL', `the subject of personal members of ${type} is no id of a user`))
  return E.right({ outcome: { change, result }, parts: Object.fromEntries(parts) })
}

const unlessEmpty = ({ change, result }: Values): Personal => ({
  ...(change.length === 0 ? {} : { change }),
  ...(result.length === 0 ? {} : { result }),
})

const withValues = (inside: ReplacePersonal | undefined, what: keyof Values, written: Json, parts: Parts): Json => {
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

const valuesOf = (parts: Parts, of: string, what: keyof Values): Json[] | 'erased' | undefined => {
  const bytes = parts.get(personalPart(of))
  if (bytes === undefined || bytes === 'erased') return bytes
  const personal = decodePersonal(bytes)
  if (personal === undefined)
    throw new TypeError('a part with personal data is not in the form that this version reads')
  return [...(personal[what] ?? [])]
}
