import * as t from 'io-ts'
import { Decision, ReadLimits, ReadState, Revision } from './decision.ts'
import { Failure, failure, type Json } from '../failure.ts'
import { encodeUtf8 } from '../bytes.ts'
import { parseJson } from '../json/parse-json.ts'
import { E } from '../prelude.ts'
import { counterOf, dataGuards, isLine } from './event-guards.ts'
import { knownMembers } from './known-members.ts'

/*
 * The bytes of an event: one line of UTF-8 JSON, written once. The same bytes are stored, hashed, exported and imported. `previous` is
 * the SHA-256 of the line before it in the organization's log; `parts` has the hash SHA-256(salt ‖ bytes) of each part by name. The
 * store's position is not in the line.
 */

/** Any JSON. The check is shallow, because the values come from a JSON parser. */
export const json: t.Type<Json, Json, unknown> = new t.Type(
  'any JSON',
  (u): u is Json => u !== undefined,
  (u, c) => (u === undefined ? t.failure(u, c) : t.success(u as Json)), // a parser made it
  (a) => a,
)

export const Selection = t.keyof({ VOTE_SELECTION_APPROVED: null, VOTE_SELECTION_REJECTED: null })
export type Selection = t.TypeOf<typeof Selection>

/** The ids of the users whose personal data the stamped request has; left out if it has none. */
const holding = t.partial({ subjects: t.readonlyArray(t.string) })
/**
 * An activity was requested. Has the first decision. Part `request`: the stamped bytes; missing if the activity was denied and the body
 * is larger than 64 KiB, and in the beginning of an organization below another one, whose log has them. Part `personal:<requester>`: the
 * caller's address. `home`: the id of the parent, if its users decide and not those of this organization.
 */
const ActivityCreated = t.exact(
  t.intersection([
    t.type({ type: t.string, requester: t.string, fingerprint: t.string, decision: Decision }),
    holding,
    t.partial({ leftOutBytes: t.number, home: t.string }),
  ]),
)
/**
 * A user approved or rejected. Has the decision after this vote. Part `request`: the stamped bytes. Part `personal:<user>`: the
 * caller's address.
 */
const ActivityVoted = t.exact(
  t.intersection([t.type({ user: t.string, selection: Selection, decision: Decision }), holding]),
)
/**
 * The revision of the operation, the limits that it read for this event, and the other organizations that it read, in the order of their
 * ids. If no limits or no organizations were read, they are left out.
 */
const actedBy = { revision: Revision }
const readBy = { limits: ReadLimits, read: t.readonlyArray(ReadState) }
/**
 * An attempt at effects outside begins. `resumeAt`: when another attempt may follow if this one does not conclude. `begins`: the work begins
 * an organization below this one.
 */
const ActivityStarted = t.exact(
  t.intersection([
    t.type({ attempt: t.number, resumeAt: t.string, ...actedBy }),
    t.partial({ ...readBy, begins: t.literal(true) }),
  ]),
)
/**
 * The activity succeeded. The operation of `type` folds `change` into the organization's state. `performed` is the value of the
 * operation's work, if it has any. Parts: data of the operation that can be erased. Part `personal:<user id>`: the values of the
 * personal members of result, change and performed, which are null in the line.
 */
const ActivityCompleted = t.exact(
  t.intersection([
    t.type({ type: t.string, result: json, change: json }),
    t.partial({ performed: json }),
    t.type(actedBy),
    t.partial(readBy),
  ]),
)
/** The activity failed: the organization did not change. */
const ActivityFailed = t.exact(t.intersection([t.type({ failure: Failure, ...actedBy }), t.partial(readBy)]))

/** The `data` of each type of event. */
export const dataCodecs = { ActivityCreated, ActivityVoted, ActivityStarted, ActivityCompleted, ActivityFailed }

export type EventType = keyof typeof dataCodecs
type Data = { readonly [T in EventType]: t.TypeOf<(typeof dataCodecs)[T]> }

type Envelope = {
  readonly organization: string
  readonly sequence: bigint
  readonly activity: string
  readonly revision: bigint
  readonly version: number
  readonly id: string
  /** RFC 3339, milliseconds, UTC. */
  readonly at: string
  readonly previous: string
  readonly parts: { readonly [name: string]: string }
}
export type EventOf<T extends EventType> = Envelope & { readonly type: T; readonly data: Data[T] }
export type Event = { [T in EventType]: EventOf<T> }[EventType]
/** The type and the data of an event; the log adds the other members. */
export type EventPayload = { [T in EventType]: { readonly type: T; readonly data: Data[T] } }[EventType]
/** A payload with the parts of its event. */
export type PayloadWithParts = EventPayload & { readonly parts?: PartBytes }
/** The bytes of parts, by their names. */
export type PartBytes = { readonly [name: string]: Uint8Array }

/** The version of events that this code writes, by type. */
export const eventVersions: { readonly [T in EventType]: number } = {
  ActivityCreated: 1,
  ActivityVoted: 1,
  ActivityStarted: 1,
  ActivityCompleted: 1,
  ActivityFailed: 1,
}

/** The `previous` of the first line of a log. */
export const GENESIS_PREVIOUS = '0'.repeat(64)

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Writes an event's line. Members always stand in this order. */
export const encodeEvent = (event: Event): Uint8Array =>
  encodeUtf8(
    JSON.stringify({
      organization: event.organization,
      sequence: String(event.sequence),
      activity: event.activity,
      revision: String(event.revision),
      type: event.type,
      version: event.version,
      id: event.id,
      at: event.at,
      previous: event.previous,
      data: event.data,
      parts: event.parts,
    }),
  )

/** The members of every line. `dataCodecs` has the codecs of `data`. */
export const Line = t.strict({
  organization: t.string,
  sequence: t.string,
  activity: t.string,
  revision: t.string,
  type: t.keyof({
    ActivityCreated: null,
    ActivityVoted: null,
    ActivityStarted: null,
    ActivityCompleted: null,
    ActivityFailed: null,
  }),
  version: t.number,
  id: t.string,
  at: t.string,
  previous: t.string,
  data: json,
  parts: t.record(t.string, t.string),
})
export type Line = t.TypeOf<typeof Line>

/** Turns the data of one version into the form of the next. */
export type Upcaster = (data: Json) => Json

/**
 * Upcasters turn older data into the present form, after hashing: the one at index n turns version n + 1 into version n + 2. Until 1.0
 * there is one version of each event, because no older log has to be read.
 */
const upcasters: { readonly [T in EventType]?: readonly Upcaster[] } = {}

/** Reads a line. Refuses an unknown event, because no decision may use an incomplete state. */
export const decodeEvent = (line: Uint8Array, older = upcasters): E.Either<Failure, Event> => {
  let parsed: unknown
  try {
    parsed = parseJson(decoder.decode(line))
  } catch {
    return E.left(failure('STORE_UNREADABLE', 'a line of the log is not UTF-8 JSON'))
  }
  return eventOf(parsed, older)
}

/** Like `decodeEvent`, from parsed JSON. It checks the data and does not copy it, because replay reads a million events. */
export const eventOf = (parsed: unknown, older = upcasters): E.Either<Failure, Event> => {
  if (!isLine(parsed)) return unknownEvent(parsed)
  const { type, version } = parsed
  const sequence = counterOf(parsed.sequence)
  const revision = counterOf(parsed.revision)
  if (sequence === undefined || revision === undefined) return unreadable
  const chain = older[type] ?? NONE
  if (version < 1 || version > chain.length + 1) return unknownEvent(parsed)
  const data = version > chain.length ? parsed.data : upcast(chain.slice(version - 1), parsed.data)
  if (!dataGuards[type](data)) return unreadable
  const { organization, activity, id, at, previous, parts } = parsed
  // The guard of this type has accepted the data, so type and data fit.
  return E.right({ organization, sequence, activity, revision, version, id, at, previous, parts, type, data } as Event)
}

const isKnownLine = knownMembers(Line)
const isKnownData: { readonly [T in EventType]: (data: unknown) => boolean } = {
  ActivityCreated: knownMembers(ActivityCreated),
  ActivityVoted: knownMembers(ActivityVoted),
  ActivityStarted: knownMembers(ActivityStarted),
  ActivityCompleted: knownMembers(ActivityCompleted),
  ActivityFailed: knownMembers(ActivityFailed),
}

/** Whether the parsed line of an event has only the members that its codec knows, in their order. */
export const hasKnownMembers = ({ type, version }: Event, parsed: unknown): boolean =>
  version > eventVersions[type] || (isKnownLine(parsed) && isKnownData[type]((parsed as Line).data)) // the event was read from it

const NONE: readonly Upcaster[] = []

const upcast = (chain: readonly Upcaster[], data: Json): Json => chain.reduce((value, step) => step(value), data)

const unreadable = E.left(
  failure('STORE_UNREADABLE', 'a line of the log is not an event in the form that this version writes'),
)

const unknownEvent = (parsed: unknown): E.Either<Failure, never> => {
  const type = typeof parsed === 'object' && parsed !== null && 'type' in parsed ? parsed.type : undefined
  return typeof type === 'string' && /^[A-Za-z]{1,64}$/.test(type)
    ? E.left(failure('ORGANIZATION_CLOSED', `this version does not know the event ${type}, or not its version`))
    : unreadable
}

// Writers and readers of a log convert the same instant several times in a row, so the last one is kept.
let [lastMs, lastInstant, lastRead, lastReadMs] = [Number.NaN, '', '', Number.NaN]

/** An instant as events write it: RFC 3339 in UTC, with milliseconds. */
export const instant = (atMs: number): string => {
  if (atMs !== lastMs) [lastInstant, lastMs] = [new Date(atMs).toISOString(), atMs]
  return lastInstant
}

/** The milliseconds of an instant. */
export const millis = (at: string): number => {
  if (at !== lastRead) [lastReadMs, lastRead] = [Date.parse(at), at]
  return lastReadMs
}
