import { evolve as evolveActivity } from '../activity/activity.ts'
import type { Failure } from '../failure.ts'
import { beforeFirst, link, type Tip } from '../log/chain.ts'
import { millis, type Event, type PayloadWithParts } from '../log/event.ts'
import { partsOf, type Parts } from '../log/parts.ts'
import { encodeRequestPart, type StampedRequest } from '../log/request-part.ts'
import type { Catalogue } from '../definition/catalogue.ts'
import type { DecodedIntent } from '../definition/operation.ts'
import { withRequest, type LiveActivity } from '../deciding/live-activity.ts'
import { checksOf, type Others } from '../deciding/others.ts'
import type { Draft, Organization } from '../organization/state.ts'
import { foldEvent } from '../organization/fold.ts'
import type { Clock } from '../ports/clock.ts'
import type { Digest } from '../ports/digest.ts'
import type { NewEvent } from '../ports/event-store.ts'
import type { Ids } from '../ports/ids.ts'
import { E } from '../prelude.ts'
import { isDurable, type AppendOutcome, type Lane } from './lane.ts'

/**
 * An organization in memory: its state with everything that was decided, durable or not yet. Deciding is synchronous, so
 * a turn of an organization is a call on its cell. `durableTo` says when a decision may be told. If the store refuses a commit,
 * the whole cell is dropped, and the organization is folded again from the store.
 */
export type Cell = {
  readonly organizationId: string
  readonly state: Organization
  readonly tip: Tip
  /** The end of what is durable, and the position of that event. */
  readonly durable: Tip & { readonly position: bigint }
  /** The id of the event at the tip; `undefined` before the first. */
  readonly lastId: string | undefined
  readonly isDropped: boolean
  /** The refused commit for which the cell was dropped; `undefined` if it was dropped for another reason. */
  readonly refused: RefusedCommit | undefined
  /** When the organization was folded from the store. A cell that goes on with another one has the time of that. */
  readonly loadedAtMs: number
  /** The time of the log for a clock reading. It is never earlier than the last event, because clocks may go back. */
  readonly timeAt: (clockMs: number) => number
  /** Why the organization takes no commands: its log holds something that this version does not know. */
  readonly closed: Failure | undefined
  /** Activities with events that are not durable yet. */
  readonly pending: ReadonlyMap<string, LiveActivity>
  /**
   * Commits what was decided: links the events to the log, applies them, and hands them to the lane. All of them belong to one activity.
   *
   * @param change  its `request` is the stamped request that caused the events; it becomes a part of the first one. Each event also has
   *   the parts of its payload
   * @returns the activity as it stands now
   */
  readonly commit: (change: Change) => LiveActivity
  /** Applies an event that was read from the store. Events come in order. */
  readonly absorb: (event: Event, stored: Stored) => E.Either<Failure, void>
  /** Resolves to true when everything up to the sequence is durable, or to false if the cell is dropped before. */
  readonly durableTo: (sequence: bigint) => Promise<boolean>
  /**
   * Resolves to true when all of the state, as it is at the call, is durable, or to false if some of it will not be. It is for who has read
   * `state` and waited since: another cell may go on with that state, and may have changed it.
   */
  readonly stateDurable: () => Promise<boolean>
  readonly drop: () => void
  /**
   * A new cell that goes on with the state of this one, to absorb what others appended. Nothing may be pending. This cell is dropped, so
   * that whoever has looked at it looks again.
   */
  readonly succeeded: () => Cell
}

/** The data of a stored event beside its line: its position, the hash of the line, and its parts. */
export type Stored = { readonly position: bigint; readonly hash: string; readonly parts: Parts }

/** A commit that did not become durable, as far as is known; `sequence` is that of its last event. */
export type RefusedCommit = { readonly sequence: bigint; readonly outcome: AppendOutcome }

export type Change = {
  readonly before: LiveActivity | undefined
  readonly activityId: string
  readonly decoded: DecodedIntent | undefined
  readonly at: string
  readonly payloads: readonly PayloadWithParts[]
  readonly request: StampedRequest | undefined
  /** The other organizations that the decision read. */
  readonly others?: Others
}

export type CellPorts = {
  readonly digest: Digest
  readonly ids: Ids
  readonly clock: Clock
  readonly lane: Lane
  readonly catalogue: Catalogue
  /** Called with events that became durable, in order, and the position of the last one. */
  readonly onDurable: (cell: Cell, events: readonly Event[], last: bigint, live: LiveActivity) => void
  /** Called once, when the cell is dropped. */
  readonly onDropped: (cell: Cell) => void
  /** The mistake of `OptionsWithBug`. */
  readonly answersFromPendingState?: boolean
}

/** A commit on its way to the store; `hash` is that of its last line. */
type Committed = {
  readonly events: readonly Event[]
  readonly activityId: string
  readonly live: LiveActivity
  readonly hash: string
}

type Waiter = { readonly sequence: bigint; readonly resolve: (durable: boolean) => void }

/** A cell from inside. `draft` is its state. */
type Own = { -readonly [member in keyof Cell]: Cell[member] } & {
  readonly draft: Draft
  readonly pending: Map<string, LiveActivity>
  /** The time of the last event. */
  lastAtMs: number
  readonly waiters: Waiter[]
}

/** Where a cell begins: the end of what was folded so far. */
export type Origin = {
  readonly tip: Tip
  readonly position: bigint
  readonly atMs: number
  /** The id of the event at the tip. */
  readonly lastId: string | undefined
}

/** The origin of a log without events. */
export const beginning: Origin = { tip: beforeFirst, position: 0n, atMs: 0, lastId: undefined }

export const cellOf = (ports: CellPorts, draft: Draft, origin: Origin): Cell => cellIn({}, ports, draft, origin)

/** The cells that go on with the state of one another; the newest is the only one that may change it. */
type Line = { newest?: Cell }

const cellIn = (
  line: Line,
  ports: CellPorts,
  draft: Draft,
  { tip, position, atMs, lastId }: Origin,
  loadedAtMs = ports.clock.now(),
): Cell => {
  const cell: Own = {
    organizationId: draft.organizationId,
    state: draft,
    draft,
    tip,
    durable: { ...tip, position },
    lastId,
    lastAtMs: atMs,
    isDropped: false,
    refused: undefined,
    loadedAtMs,
    closed: undefined,
    pending: new Map(),
    waiters: [],
    timeAt: (clockMs) => Math.max(clockMs, cell.lastAtMs),
    commit: (change) => commit(ports, cell, change),
    absorb: (event, stored) => absorb(ports, cell, event, stored),
    durableTo: (sequence) => {
      if (sequence <= cell.durable.sequence || ports.answersFromPendingState === true) return Promise.resolve(true)
      if (cell.isDropped) return Promise.resolve(false)
      return new Promise((resolve) => cell.waiters.push({ sequence, resolve }))
    },
    stateDurable: () => {
      const { newest = cell } = line
      return newest.durableTo(newest.tip.sequence)
    },
    drop: () => drop(ports, cell),
    succeeded: () => {
      cell.isDropped = true
      const { tip, durable, lastAtMs: atMs, lastId } = cell
      return cellIn(line, ports, draft, { tip, position: durable.position, atMs, lastId }, loadedAtMs)
    },
  }
  line.newest = cell
  return cell
}

const drop = ({ onDropped }: CellPorts, cell: Own): void => {
  if (cell.isDropped) return
  cell.isDropped = true
  for (const { resolve } of cell.waiters.splice(0)) resolve(false)
  onDropped(cell)
}

const apply = ({ catalogue }: CellPorts, cell: Own, event: Event, parts: Parts): E.Either<Failure, void> => {
  const folded = foldEvent(cell.draft, event, catalogue, parts)
  if (E.isLeft(folded)) cell.closed = folded.left
  return folded
}

const absorb = (
  ports: CellPorts,
  cell: Own,
  event: Event,
  { position, hash, parts }: Stored,
): E.Either<Failure, void> => {
  cell.tip = { sequence: event.sequence, hash }
  cell.lastId = event.id
  cell.lastAtMs = Math.max(cell.lastAtMs, millis(event.at))
  const applied = apply(ports, cell, event, parts) // if it throws, a part of the change is in the state, which is then not what is durable
  cell.durable = { sequence: event.sequence, hash, position }
  return applied
}

const commit = (ports: CellPorts, cell: Own, change: Change): LiveActivity => {
  const { organizationId: organization, lastId: after, tip } = cell
  const { activityId, others } = change
  const { live, events, records } = written(ports, cell, change)
  const { hash } = cell.tip
  cell.pending.set(activityId, live)
  ports.lane.append(
    {
      organization,
      expected: tip.sequence === 0n ? 'none' : tip.sequence,
      after,
      events: records,
      checks: others === undefined ? [] : checksOf(others),
    },
    (outcome) => onOutcome(ports, cell, outcome, { events, activityId, live, hash }),
  )
  return live
}

type Written = Pick<Committed, 'live' | 'events'> & { readonly records: readonly NewEvent[] }

/** Links the events of a change to the log, one behind the other, and applies them. */
const written = (ports: CellPorts, cell: Own, change: Change): Written => {
  const events: Event[] = []
  const records: NewEvent[] = []
  let live = change.before
  cell.lastAtMs = millis(change.at)
  const write = (payload: PayloadWithParts, index: number): void => {
    const request = index === 0 ? change.request : undefined
    const linked = link(ports, cell.tip, {
      organization: cell.organizationId,
      activity: change.activityId,
      revision: (live?.activity.revision ?? 0n) + 1n,
      at: change.at,
      payload,
      parts: request === undefined ? (payload.parts ?? {}) : { ...payload.parts, request: encodeRequestPart(request) },
    })
    const parts = partsOf(linked.event, linked.record.parts)
    cell.tip = linked.tip
    cell.lastId = linked.event.id
    events.push(linked.event)
    records.push(linked.record)
    apply(ports, cell, linked.event, parts)
    live = {
      activity: evolveActivity(live?.activity, linked.event, parts),
      decoded: change.decoded,
      requests: withRequest(live, linked.event.id, request),
    }
  }
  try {
    change.payloads.forEach(write)
  } catch (cause) {
    drop(ports, cell) // an operation's `evolve` threw: the change is applied in part only, so nobody may decide on this state
    throw cause
  }
  if (live === undefined) throw new Error('a commit needs at least one event') // a bug of the caller
  return { live, events, records }
}

const onOutcome = (ports: CellPorts, cell: Own, outcome: AppendOutcome, committed: Committed): void => {
  if (cell.isDropped) return
  const { events, activityId, live, hash } = committed
  if (E.isLeft(outcome) || !isDurable(outcome.right)) {
    cell.refused = { sequence: events[events.length - 1]?.sequence ?? 0n, outcome }
    return drop(ports, cell)
  }
  const { sequence, position } = outcome.right
  cell.durable = { sequence, hash, position }
  if (cell.pending.get(activityId) === live) cell.pending.delete(activityId)
  ports.onDurable(cell, events, position, live)
  const waiting = cell.waiters.findIndex((waiter) => waiter.sequence > sequence)
  for (const { resolve } of cell.waiters.splice(0, waiting < 0 ? cell.waiters.length : waiting)) resolve(true)
}
