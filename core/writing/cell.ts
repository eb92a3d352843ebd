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
 * a turn of an organization is a call on its cell. `settled` says when a decision may be told. If the store refuses a commit,
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
  readonly refusal: Refusal | undefined
  /** When the cell was folded from the store. */
  readonly loadedAtMs: number
  /** The time of the log for a clock reading. It is never earlier than the last event, because clocks may go back. */
  readonly timeAt: (clockMs: number) => number
  /** Why the organization takes no commands: its log holds something that this version does not know. */
  readonly closed: Failure | undefined
  /** Activities with events that are not durable yet. */
  readonly unsettled: ReadonlyMap<string, LiveActivity>
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
  readonly settled: (sequence: bigint) => Promise<boolean>
  /**
   * Resolves to true when all of the state, as it is at the call, is durable, or to false if some of it will not be. It is for who has read
   * `state` and waited since: another cell may go on with that state, and may have changed it.
   */
  readonly stateSettled: () => Promise<boolean>
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
export type Refusal = { readonly sequence: bigint; readonly outcome: AppendOutcome }

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
  /** The mistake of `EngineOptions.answersFromPendingState`. */
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

type CellState = {
  draft: Draft
  tip: Tip
  /** The time of the last event. */
  lastAtMs: number
  durable: Cell['durable']
  lastId: string | undefined
  isDropped: boolean
  refusal: Refusal | undefined
  closed: Failure | undefined
  waiters: Waiter[]
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

const cellIn = (line: Line, ports: CellPorts, draft: Draft, { tip, position, atMs, lastId }: Origin): Cell => {
  const unsettled = new Map<string, LiveActivity>()
  const own: CellState = {
    draft,
    tip,
    lastAtMs: atMs,
    durable: { ...tip, position },
    lastId,
    isDropped: false,
    refusal: undefined,
    closed: undefined,
    waiters: [],
  }

  const drop = (): void => {
    if (own.isDropped) return
    own.isDropped = true
    for (const { resolve } of own.waiters.splice(0)) resolve(false)
    ports.onDropped(cell)
  }

  const apply = (event: Event, parts: Parts): E.Either<Failure, void> => {
    const folded = foldEvent(own.draft, event, ports.catalogue, parts)
    if (E.isLeft(folded)) own.closed = folded.left
    return folded
  }

  const commit = (change: Change): LiveActivity => {
    const { lastId: after } = own
    const expected = own.tip.sequence
    const events: Event[] = []
    const records: NewEvent[] = []
    let live = change.before
    own.lastAtMs = millis(change.at)
    const write = (payload: PayloadWithParts, index: number): void => {
      const request = index === 0 ? change.request : undefined
      const linked = link(ports, own.tip, {
        organization: own.draft.organizationId,
        activity: change.activityId,
        revision: (live?.activity.revision ?? 0n) + 1n,
        at: change.at,
        payload,
        parts:
          request === undefined ? (payload.parts ?? {}) : { ...payload.parts, request: encodeRequestPart(request) },
      })
      const parts = partsOf(linked.event, linked.record.parts)
      own.tip = linked.tip
      own.lastId = linked.event.id
      events.push(linked.event)
      records.push(linked.record)
      apply(linked.event, parts)
      live = {
        activity: evolveActivity(live?.activity, linked.event, parts),
        decoded: change.decoded,
        requests: withRequest(live, linked.event.id, request),
      }
    }
    try {
      change.payloads.forEach(write)
    } catch (cause) {
      drop() // an operation's `evolve` threw: the change is applied in part only, so nobody may decide on this state
      throw cause
    }
    if (live === undefined) throw new Error('a commit needs at least one event') // a bug of the caller
    const settledLive = live
    const { hash } = own.tip
    unsettled.set(change.activityId, settledLive)
    ports.lane.append(
      {
        organization: own.draft.organizationId,
        expected: expected === 0n ? 'none' : expected,
        after,
        events: records,
        checks: change.others === undefined ? [] : checksOf(change.others),
      },
      (outcome) => settle(outcome, { events, activityId: change.activityId, live: settledLive, hash }),
    )
    return settledLive
  }

  const settle = (outcome: AppendOutcome, { events, activityId, live, hash }: Committed): void => {
    if (own.isDropped) return
    if (E.isLeft(outcome) || !isDurable(outcome.right)) {
      own.refusal = { sequence: events[events.length - 1]?.sequence ?? 0n, outcome }
      return drop()
    }
    own.durable = { sequence: outcome.right.sequence, hash, position: outcome.right.position }
    if (unsettled.get(activityId) === live) unsettled.delete(activityId)
    ports.onDurable(cell, events, outcome.right.position, live)
    resolveWaiters()
  }

  const resolveWaiters = (): void => {
    let passed = 0
    for (const { sequence, resolve } of own.waiters) {
      if (sequence > own.durable.sequence) break
      resolve(true)
      passed += 1
    }
    own.waiters.splice(0, passed)
  }

  const cell: Cell = {
    organizationId: draft.organizationId,
    get state() {
      return own.draft
    },
    get tip() {
      return own.tip
    },
    get durable() {
      return own.durable
    },
    get lastId() {
      return own.lastId
    },
    get isDropped() {
      return own.isDropped
    },
    get refusal() {
      return own.refusal
    },
    get closed() {
      return own.closed
    },
    loadedAtMs: ports.clock.now(),
    timeAt: (clockMs) => Math.max(clockMs, own.lastAtMs),
    unsettled,
    commit,
    absorb: (event, { position, hash, parts }) => {
      own.tip = { sequence: event.sequence, hash }
      own.lastId = event.id
      own.lastAtMs = Math.max(own.lastAtMs, millis(event.at))
      const applied = apply(event, parts) // if it throws, a part of the change is in the state, which is then not what is durable
      own.durable = { sequence: event.sequence, hash, position }
      return applied
    },
    settled: (sequence) => {
      if (sequence <= own.durable.sequence || ports.answersFromPendingState === true) return Promise.resolve(true)
      if (own.isDropped) return Promise.resolve(false)
      return new Promise((resolve) => own.waiters.push({ sequence, resolve }))
    },
    stateSettled: () => {
      const { newest = cell } = line
      return newest.settled(newest.tip.sequence)
    },
    drop,
    succeeded: () => {
      own.isDropped = true
      const { tip, durable, lastAtMs: atMs, lastId } = own
      return cellIn(line, ports, own.draft, { tip, position: durable.position, atMs, lastId })
    },
  }
  line.newest = cell
  return cell
}
