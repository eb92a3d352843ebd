import { equal } from '../bytes.ts'
import type { Appended, Commit } from './event-store.ts'

/** The reads of a store that the rules need. All of them must already see the commits that were accepted before this one. */
export type Lookups = {
  /** The numbers and the id of an organization's last event; both numbers are 0 if it has none. */
  readonly head: (organization: string) => LogEnd
  /** The last revision of an activity's stream; 0 if there is none. */
  readonly revision: (organization: string, activity: string) => bigint
  /** The event that has this id. */
  readonly recorded: (id: string) => Known | undefined
}
export type Numbers = { readonly sequence: bigint; readonly position: bigint }
/** A store that can never lose events may leave out the id. */
export type LogEnd = Numbers & { readonly id?: string | undefined }
export type Known = Numbers & { readonly organization: string; readonly line: Uint8Array }

export type AppendRulesOptions = {
  /** The most bytes that a commit may have: lines, salts and parts together. */
  readonly bytesMax: number
  /**
   * The store has unique indexes over event ids and over (organization, activity, revision), and calls the rules again without
   * `trusting` if one of the indexes reports a violation. Then the rules do not look up what the indexes check: a new event in a
   * warm organization costs no read.
   */
  readonly trusting?: boolean
}

export type Refused = Exclude<Appended, { readonly _tag: 'committed' }>

/**
 * The rules of `append`, for stores with these lookups: which commits are refused, and with which outcome. Use one call of
 * `appendRules` for each call of `append`, and give it the commits in order. The store writes an accepted commit before it gives the
 * next one.
 */
export const appendRules = (
  look: Lookups,
  { bytesMax, trusting = false }: AppendRulesOptions,
): ((commit: Commit) => Refused | undefined) => {
  const unwritten = new Map<string, Set<bigint>>()

  return (commit) => {
    const refused =
      malformed(commit) ??
      tooLarge(commit, bytesMax) ??
      conflict(commit, look, unwritten) ??
      checkFailed(commit, look, unwritten) ??
      revisionConflict(commit, look, trusting)
    if (refused === undefined && trusting) return undefined
    if (refused?._tag === 'invalid' || refused?._tag === 'too-large') return fellOut(commit, refused, unwritten)
    const answer = duplicate(commit, look) ?? refused
    return answer === undefined || answer._tag === 'duplicate' ? answer : fellOut(commit, answer, unwritten)
  }
}

/** Whether every store can keep a text as a name: PostgreSQL has no NUL, and UTF-8 has no lone surrogate. */
const isName = (text: string, lengthMax: number): boolean =>
  text.length > 0 && text.length <= lengthMax && text.isWellFormed() && !text.includes('\0')

/** Longest organization, activity, event id and part name, in UTF-16 units. */
export const nameLengthMax = 200

/** Whether an organization can have this id. EventStoreDB reserves `$`. */
export const isOrganizationId = (id: string): boolean => isName(id, nameLengthMax) && !id.startsWith('$')

const invalid = (reason: string): Refused => ({ _tag: 'invalid', reason })

const malformed = ({ organization, events }: Commit): Refused | undefined => {
  if (!isOrganizationId(organization)) return invalid('organization is not a usable name')
  if (events.length === 0) return invalid('a commit has at least one event')
  for (const { id, activity, parts, standing } of events) {
    if (!isName(id, nameLengthMax)) return invalid('event id is not a usable name')
    if (!isName(activity, nameLengthMax)) return invalid('activity is not a usable name')
    if (standing?.type !== undefined && !isName(standing.type, nameLengthMax))
      return invalid('type is not a usable name')
    if (!parts.every(({ name }) => isName(name, nameLengthMax))) return invalid('part is not a usable name')
    if (parts.length > 1 && new Set(parts.map(({ name }) => name)).size < parts.length)
      return invalid('a part is named twice')
  }
  if (events.length > 1 && new Set(events.map(({ id }) => id)).size < events.length)
    return invalid('an event id is used twice')
  return undefined
}

const tooLarge = ({ events }: Commit, bytesMax: number): Refused | undefined => {
  let bytes = 0
  for (const { line, parts } of events) {
    bytes += line.length
    for (const part of parts) bytes += part.salt.length + part.bytes.length
  }
  return bytes > bytesMax ? { _tag: 'too-large', bytes, bytesMax } : undefined
}

/** Whether the log ends with that event, as far as both sides know its id. */
const endsWith = ({ id }: LogEnd, after: string | undefined): boolean =>
  id === undefined || after === undefined || id === after

const conflict = (
  { organization, expected, after }: Commit,
  look: Lookups,
  unwritten: ReadonlyMap<string, Set<bigint>>,
) => {
  if (expected === 'any') return undefined
  const head = look.head(organization)
  const sequence = expected === 'none' ? 0n : expected
  const isFit =
    head.sequence === sequence && endsWith(head, after) && unwritten.get(organization)?.has(sequence) !== true
  return isFit ? undefined : ({ _tag: 'conflict', sequence: head.sequence, position: head.position } as const)
}

const checkFailed = (
  { checks }: Commit,
  look: Lookups,
  unwritten: ReadonlyMap<string, Set<bigint>>,
): Refused | undefined => {
  const organizations = []
  for (const { organization, sequence, after } of checks) {
    const head = look.head(organization)
    // The number alone may fit: another process can have written something else there than what was read.
    const isFit =
      head.sequence === sequence && endsWith(head, after) && unwritten.get(organization)?.has(sequence) !== true
    if (!isFit) organizations.push({ organization, sequence: head.sequence })
  }
  return organizations.length > 0 ? { _tag: 'check-failed', organizations } : undefined
}

const revisionConflict = (commit: Commit, look: Lookups, trusting: boolean): Refused | undefined => {
  const { organization, events } = commit
  const revisions = new Map<string, bigint>()
  for (const { activity, revision } of events) {
    const isSeenByIndex = trusting && revision === 1n
    const last = revisions.get(activity) ?? (isSeenByIndex ? 0n : look.revision(organization, activity))
    if (revision !== last + 1n)
      return trusting ? revisionConflict(commit, look, false) : { _tag: 'revision-conflict', activity, revision: last }
    revisions.set(activity, revision)
  }
  return undefined
}

/** Whether the store has the commit's events already: one behind the other, in this order, byte for byte. */
const duplicate = ({ organization, events }: Commit, look: Lookups): Refused | undefined => {
  const known = events.map(({ id }) => look.recorded(id))
  if (known.every((event) => event === undefined)) return undefined
  const first = known[0]?.sequence ?? 0n
  const isWhole = known.every(
    (event, i) =>
      event !== undefined &&
      event.organization === organization &&
      event.sequence === first + BigInt(i) &&
      equal(event.line, events[i]?.line ?? none),
  )
  const last = known.at(-1)
  return isWhole && last !== undefined
    ? { _tag: 'duplicate', sequence: last.sequence, position: last.position }
    : { _tag: 'partial-duplicate' }
}

const none = new Uint8Array()

/** Remembers the sequence that a refused commit would have reached: a later commit that expects or checks it is refused, too. */
const fellOut = (commit: Commit, refused: Refused, unwritten: Map<string, Set<bigint>>): Refused => {
  const { organization, expected, events } = commit
  if (expected === 'any' || events.length === 0) return refused
  const sequences = unwritten.get(organization) ?? new Set()
  unwritten.set(organization, sequences.add((expected === 'none' ? 0n : expected) + BigInt(events.length)))
  return refused
}
