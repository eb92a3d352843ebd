import { evolve, type Activity } from '../activity/activity.ts'
import { failure, type Failure, type Json } from '../failure.ts'
import { decodeEvent, millis, type Event } from '../log/event.ts'
import { foldEvent, type Evolutions } from '../organization/fold.ts'
import { initial, type Organization } from '../organization/organization.ts'
import { LINES, type EventStore, type Recorded } from '../ports/event-store.ts'
import type { RowChange } from '../ports/read-models.ts'
import { rowChanges } from '../ports/row-changes.ts'
import { E, TE } from '../prelude.ts'
import type { Projection } from './projection.ts'

/** Up to where history is told: a position of the store, or a time of day. A date ends at the first event that is later. */
export type Moment = { readonly position: bigint } | { readonly atMs: number }

export type ReplayOptions = {
  /** Default: the end. */
  readonly to?: Moment
  /** Told after each page how far it is. */
  readonly onProgress?: (position: bigint) => void
  readonly signal?: AbortSignal
}

/** What a replay came to, and the last event that is in it. */
export type Replayed<A> = { readonly state: A; readonly position: bigint; readonly events: number }

/** The rows that a projection would have: by organization, then by key. */
export type ReplayedRows = ReadonlyMap<string, ReadonlyMap<string, ReplayedRow>>
export type ReplayedRow = {
  readonly order: bigint
  readonly value: Json
  readonly first?: string
  readonly second?: string
}

const PAGE = 2_000

/** An organization as it was. */
export const replayOrganization = (
  store: EventStore,
  operations: Evolutions,
  organizationId: string,
  options: ReplayOptions = {},
): TE.TaskEither<Failure, Replayed<Organization>> => {
  const draft = initial(organizationId)
  return TE.map((read: Read): Replayed<Organization> => ({ ...read, state: draft }))(
    each(
      (after) => store.readLog(organizationId, after, PAGE, LINES),
      'sequence',
      options,
      (event) => foldEvent(draft, event, operations),
    ),
  )
}

/** An activity as it was; `undefined` before it was created. */
export const replayActivity = (
  store: EventStore,
  organizationId: string,
  activityId: string,
  options: ReplayOptions = {},
): TE.TaskEither<Failure, Replayed<Activity | undefined>> => {
  let activity: Activity | undefined
  const readOnce = (after: bigint) => (after === 0n ? store.readActivity(organizationId, activityId) : TE.right([]))
  return TE.map((read: Read): Replayed<Activity | undefined> => ({ ...read, state: activity }))(
    each(readOnce, 'revision', options, (event) => {
      activity = evolve(activity, event)
      return E.right(undefined)
    }),
  )
}

/** What a projection's rows were: its reducer over the log, in memory, beside the stored rows. */
export const replayProjection = (
  store: EventStore,
  projection: Projection,
  options: ReplayOptions = {},
): TE.TaskEither<Failure, Replayed<ReplayedRows>> => {
  const rows = new Map<string, Map<string, ReplayedRow>>()
  return TE.map((read: Read): Replayed<ReplayedRows> => ({ ...read, state: rows }))(
    each(
      (after) => store.readAll(after, PAGE, LINES),
      'position',
      options,
      (event, position) => {
        for (const change of rowChanges(projection.project(event, position))) apply(rows, change)
        return E.right(undefined)
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

type Read = { readonly position: bigint; readonly events: number }

const each =
  (
    read: (after: bigint) => TE.TaskEither<Failure, readonly Recorded[]>,
    cursor: 'position' | 'sequence' | 'revision',
    { to, onProgress, signal }: ReplayOptions,
    take: (event: Event, position: bigint) => E.Either<Failure, void>,
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
      // Asked for before this one is folded: a store that reads on another thread will have it ready.
      if (last !== undefined) reading = read(last[cursor])()
      for (const recorded of page.right) {
        const event = decodeEvent(recorded.line)
        if (E.isLeft(event)) return event
        if (to !== undefined && isBeyond(to, recorded.position, event.right)) return E.right({ position, events })
        const taken = take(event.right, recorded.position)
        if (E.isLeft(taken)) return taken
        position = recorded.position
        events += 1
      }
      onProgress?.(position)
      if (last === undefined) return E.right({ position, events })
    }
  }

const isBeyond = (to: Moment, position: bigint, event: Event): boolean =>
  'position' in to ? position > to.position : millis(event.at) > to.atMs
