import * as t from 'io-ts'
import { Decision } from '../activity/decision.ts'
import { Failure, failure, type Json } from '../failure.ts'
import { encodeUtf8 } from '../bytes.ts'
import { parseJson } from '../json/parse-json.ts'
import { E } from '../prelude.ts'
import { counterOf, dataGuards, isLine } from './event-guards.ts'
import { knownMembers } from './known-members.ts'

/**
 * The bytes of an event: one line of UTF-8 JSON, written once. The same bytes are stored, hashed, exported and imported.
 * `previous` is the SHA-256 of the line before it in the organization's log; `parts` names what can be erased by
 * SHA-256(salt ‖ bytes). The store's position is not in the line.
 */
export const json: t.Type<Json, Json, unknown> = new t.Type(
  'any JSON',
  (u): u is Json => u !== undefined,
  (u, c) => (u === undefined ? t.failure(u, c) : t.success(u as Json)), // came out of a parser
  (a) => a,
)

export const Selection = t.keyof({ VOTE_SELECTION_APPROVED: null, VOTE_SELECTION_REJECTED: null })
export type Selection = t.TypeOf<typeof Selection>

/** An activity was requested. Carries the first decision. Part `request`: the stamped bytes. */
const ActivityCreated = t.strict({
  type: t.string,
  requester: t.string,
  fingerprint: t.string,
  decision: Decision,
})
/** A user approved or rejected. Carries the decision after this vote. Part `request`: the stamped bytes. */
const ActivityVoted = t.strict({ user: t.string, selection: Selection, decision: Decision })
/** Effects outside are about to be tried. `resumeAt`: when another attempt may follow, should this one not conclude. */
const ActivityStarted = t.strict({ attempt: t.number, resumeAt: t.string })
/**
 * `change` is what the organization's state folds, with the operation that `type` names; `performed` is what a service
 * outside said, where one was asked.
 */
const ActivityCompleted = t.exact(
  t.intersection([t.type({ type: t.string, result: json, change: json }), t.partial({ performed: json })]),
)
/** The activity came to nothing: the organization is as it was. */
const ActivityFailed = t.strict({ failure: Failure })

/** What each type of event carries as `data`. */
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
/** What a decider says happened; the log adds the rest. */
export type Happening = { [T in EventType]: { readonly type: T; readonly data: Data[T] } }[EventType]

/** The version that this code writes, of every type of event. */
export const EVENT_VERSION = 1

/** What stands for the line before the first. */
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

/** What every line has; `data` by its type. */
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

/** Upcasters bring older data to the form of today; they act after hashing. Index n turns version n + 1 into n + 2. */
const upcasters: { readonly [T in EventType]: readonly ((data: Json) => Json)[] } = {
  ActivityCreated: [],
  ActivityVoted: [],
  ActivityStarted: [],
  ActivityCompleted: [],
  ActivityFailed: [],
}

/** Reads a line. Refuses what this version does not know: deciding on half a state would be worse than not deciding. */
export const decodeEvent = (line: Uint8Array): E.Either<Failure, Event> => {
  let parsed: unknown
  try {
    parsed = parseJson(decoder.decode(line))
  } catch {
    return E.left(failure('STORE_UNREADABLE', 'a line of the log is not UTF-8 JSON'))
  }
  return eventOf(parsed)
}

/** As `decodeEvent`, from parsed JSON. It checks and does not copy: replay reads a million of them. */
export const eventOf = (parsed: unknown): E.Either<Failure, Event> => {
  if (!isLine(parsed)) return unknownEvent(parsed)
  const { type, version } = parsed
  const sequence = counterOf(parsed.sequence)
  const revision = counterOf(parsed.revision)
  if (sequence === undefined || revision === undefined) return unreadable
  const chain = upcasters[type]
  if (version < 1 || version > chain.length + 1) return unknownEvent(parsed)
  const data = version > chain.length ? parsed.data : upcast(chain.slice(version - 1), parsed.data)
  if (!dataGuards[type](data)) return unreadable
  const { organization, activity, id, at, previous, parts } = parsed
  // The guard of the type has looked at the data: type and data belong together.
  return E.right({ organization, sequence, activity, revision, version, id, at, previous, parts, type, data } as Event)
}

/** The event with the members that its codec knows, in their order: what writing it again is compared with. */
export const withKnownMembers = (event: Event): Event =>
  ({ ...event, data: knownMembers(dataCodecs[event.type], event.data) }) as Event // the same codec has read the data

const upcast = (chain: readonly ((data: Json) => Json)[], data: Json): Json =>
  chain.reduce((value, step) => step(value), data)

const unreadable = E.left(
  failure('STORE_UNREADABLE', 'a line of the log is not an event in the form that this version writes'),
)

const unknownEvent = (parsed: unknown): E.Either<Failure, never> => {
  const type = typeof parsed === 'object' && parsed !== null && 'type' in parsed ? parsed.type : undefined
  return typeof type === 'string' && /^[A-Za-z]{1,64}$/.test(type)
    ? E.left(failure('ORGANIZATION_CLOSED', `this version does not know the event ${type}, or not its version`))
    : unreadable
}

// Whoever writes or reads a log asks for the same instant several times in a row.
let [lastMs, lastInstant, lastRead, lastReadMs] = [Number.NaN, '', '', Number.NaN]

/** An instant as events carry it. */
export const instant = (atMs: number): string => {
  if (atMs !== lastMs) [lastInstant, lastMs] = [new Date(atMs).toISOString(), atMs]
  return lastInstant
}

/** The milliseconds of an instant. */
export const millis = (at: string): number => {
  if (at !== lastRead) [lastReadMs, lastRead] = [Date.parse(at), at]
  return lastReadMs
}
