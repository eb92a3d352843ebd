import { evolve, type Activity } from '../activity/activity.ts'
import { failure, type Failure, type Json } from '../failure.ts'
import { decodeEvent, millis, type Event } from '../log/event.ts'
import { partReader, WITH_PERSONAL, type PartReader } from '../log/part-reader.ts'
import { partsOf, type Parts } from '../log/parts.ts'
import { foldEvent, type Evolutions } from '../organization/fold.ts'
import { initial, type Organization } from '../organization/state.ts'
import type { EventStore, Recorded } from '../ports/event-store.ts'
import type { RowChange } from '../ports/read-models.ts'
import { E, TE } from '../prelude.ts'
import type { Projection } from '../definition/projection.ts'
import { handleOf } from './handle.ts'
import { parentsIn } from './parents.ts'

/** The end of a replay: a position of the store, or a time. With a time, the replay ends before the first later event. */
export type Moment = { readonly position: bigint } | { readonly atMs: number }

export type ReplayOptions = {
  /** Default: the end of the log. */
  readonly to?: Moment | undefined
  /** Called after each page with the position that is reached. */
  readonly onProgress?: (position: bigint) => void
  /** Called for each erased part that the replay would have read: the state has fallbacks where its data stood. */
  readonly onErased?: (sequence: bigint, part: string) => void
  readonly signal?: AbortSignal
}

/** The result of a replay, with the position of its last event and the number of its events. */
export type Replayed<A> = { readonly state: A; readonly position: bigint; readonly events: number }

/** The rows of a replayed projection: by organization, then by key. */
export type ReplayedRows = ReadonlyMap<string, ReadonlyMap<string, ReplayedRow>>
export type ReplayedRow = {
  readonly order: bigint
  readonly value: Json
  readonly first?: string
  readonly second?: string
}

const PAGE = 2_000

/** The state of an organization at a moment. */
export const replayOrganization = (
  store: EventStore,
  operations: Evolutions,
  organizationId: string,
  options: ReplayOptions = {},
): TE.TaskEither<Failure, Replayed<Organization>> => {
  const draft = initial(organizationId)
  return TE.map((read: Read): Replayed<Organization> => ({ ...read, state: draft }))(
    each(
      (after) => store.readLog(organizationId, after, PAGE, WITH_PERSONAL),
      partReader((after, limit, bounds) => store.readLog(organizationId, after, limit, bounds)),
      'sequence',
      options,
      (event, _, parts) => foldEvent(draft, event, operations, parts),
    ),
  )
}

/** An activity at a moment; `undefined` before it was created. */
export const replayActivity = (
  store: EventStore,
  organizationId: string,
  activityId: string,
  options: ReplayOptions = {},
): TE.TaskEither<Failure, Replayed<Activity | undefined>> => {
  let activity: Activity | undefined
  const readOnce = (after: bigint) => (after === 0n ? store.readActivity(organizationId, activityId) : TE.right([]))
  return TE.map((read: Read): Replayed<Activity | undefined> => ({ ...read, state: activity }))(
    each(readOnce, WITH_PARTS, 'revision', options, (event, _, parts) => {
      activity = evolve(activity, event, parts)
      return E.right(undefined)
    }),
  )
}

/** The rows of a projection at a moment. Runs its reducer over the log in memory, and does not use the stored rows. */
export const replayProjection = (
  store: EventStore,
  projection: Projection,
  options: ReplayOptions = {},
): TE.TaskEither<Failure, Replayed<ReplayedRows>> => {
  const rows = new Map<string, Map<string, ReplayedRow>>()
  const handle = handleOf(projection, projection.parents === true ? parentsIn(store) : undefined)
  const applied = (changes: readonly RowChange[]): E.Either<Failure, void> => {
    for (const change of changes) apply(rows, change)
    return E.right(undefined)
  }
  return TE.map((read: Read): Replayed<ReplayedRows> => ({ ...read, state: rows }))(
    each(
      (after) => store.readAll(after, PAGE, WITH_PERSONAL),
      partReader((after, limit, bounds) => store.readAll(after, limit, bounds)),
      'position',
      options,
      (event, position, parts) => {
        const changes = handle(event, position, parts)
        return changes instanceof Promise ? changes.then(E.flatMap(applied)) : applied(changes)
      },
    ),
  )
}

const apply = (rows: Map<string, Map<string, ReplayedRow>>, change: RowChange): void => {
  const own = rows.get(change.organization) ?? new Map<string, ReplayedRow>()
  rows.set(change.organization, own)
  switch (change._tag) {
    case 'put':
      own.set(change.key, { order: change.order, value: change.value, ...change.facets })
      return
    case 'merge': {
      const row = own.get(change.key)
      const members = row?.value as { readonly [member: string]: Json } | null | undefined // a projection merges objects
      if (row !== undefined) own.set(change.key, { ...row, ...change.facets, value: { ...members, ...change.value } })
      return
    }
    case 'delete':
      own.delete(change.key)
      return
    default:
      return change satisfies never
  }
}

/** `read` gives lines with their parts. */
const WITH_PARTS = 'with-parts'

type Read = { readonly position: bigint; readonly events: number }
type Taken = E.Either<Failure, void>

const each =
  (
    read: (after: bigint) => TE.TaskEither<Failure, readonly Recorded[]>,
    readParts: PartReader | typeof WITH_PARTS,
    cursor: 'position' | 'sequence' | 'revision',
    { to, onProgress, onErased = () => undefined, signal }: ReplayOptions,
    take: (event: Event, position: bigint, parts: Parts) => Taken | Promise<Taken>,
  ): TE.TaskEither<Failure, Read> =>
  async () => {
    let position = 0n
    let events = 0
    let reading = read(0n)()
    for (;;) {
      if (signal?.aborted === true) return E.left(failure('ABORTED', 'the replay was called off'))
      const page = await reading
      if (E.isLeft(page)) return page
      const last = page.right.length < PAGE ? undefined : page.right[page.right.length - 1]
      // The next page is requested before this page is folded, because a store may read on another thread.
      if (last !== undefined) reading = read(last[cursor])()
      for (const recorded of page.right) {
        const event = decodeEvent(recorded.line)
        if (E.isLeft(event)) return event
        if (to !== undefined && isBeyond(to, recorded.position, event.right)) return E.right({ position, events })
        const found = partsWith(readParts, recorded, event.right, recorded[cursor])
        const parts = found instanceof Promise ? await found : found // awaiting each would cost as much as its fold
        if (E.isLeft(parts)) return parts
        const erased = readParts === WITH_PARTS ? missingParts(event.right, recorded) : erasedIn(parts.right)
        for (const name of erased) onErased(event.right.sequence, name)
        const took = take(event.right, recorded.position, parts.right)
        const taken = took instanceof Promise ? await took : took
        if (E.isLeft(taken)) return taken
        position = recorded.position
        events += 1
      }
      onProgress?.(position)
      if (last === undefined) return E.right({ position, events })
    }
  }

const partsWith = (
  readParts: PartReader | typeof WITH_PARTS,
  recorded: Recorded,
  event: Event,
  place: bigint,
): ReturnType<PartReader> =>
  readParts === WITH_PARTS ? E.right(partsOf(event, recorded.parts)) : readParts(event, place, recorded.parts)

const erasedIn = (parts: Parts): readonly string[] => {
  let erased: string[] | undefined
  for (const [name, part] of parts) if (part === 'erased') (erased ??= []).push(name)
  return erased ?? NONE
}
const NONE: readonly string[] = []

/** The parts that an event names and the store does not have, its request included. */
const missingParts = ({ parts }: Event, recorded: Recorded): readonly string[] => {
  const names = Object.keys(parts)
  if (names.length === recorded.parts.length) return []
  const there = new Set(recorded.parts.map(({ name }) => name))
  return names.filter((name) => !there.has(name))
}

const isBeyond = (to: Moment, position: bigint, event: Event): boolean =>
  'position' in to ? position > to.position : millis(event.at) > to.atMs
