import { evolve as evolveActivity, type Activity } from '../activity/activity.ts'
import type { Failure, Json } from '../failure.ts'
import { beforeFirst, link, type Tip } from '../log/chain.ts'
import { millis, type Event, type Happening } from '../log/event.ts'
import { encodeRequestPart, type StampedRequest } from '../log/request-part.ts'
import type { Catalogue } from '../operations/catalogue.ts'
import type { Intent } from '../operations/operation.ts'
import type { Draft, Organization } from '../organization/organization.ts'
import { foldEvent } from '../organization/fold.ts'
import type { Clock } from '../ports/clock.ts'
import type { Digest } from '../ports/digest.ts'
import type { NewEvent } from '../ports/event-store.ts'
import type { Ids } from '../ports/ids.ts'
import { E } from '../prelude.ts'
import { isDurable, type Fate, type Lane } from './lane.ts'

/** An activity with what its requests said: kept while somebody may ask for it. */
export type LiveActivity = {
  readonly activity: Activity
  /** What the requester asked for, as its version reads it; `undefined` where the request was erased. */
  readonly asked: Asked | undefined
  /** The stamped requests, by the id of the vote that each of them is. */
  readonly requests: ReadonlyMap<string, StampedRequest>
}

export type Asked = { readonly echo: Json; readonly intent: Intent }

/**
 * An organization in memory: its state with everything that was decided, durable or not yet. Deciding is synchronous, so
 * an organization's turn is a call on its cell; what was decided may be told when `settled` says so. A cell whose commit
 * was refused is dropped as a whole, and the organization is folded again from the store.
 */
export type Cell = {
  readonly organizationId: string
  readonly state: Organization
  readonly tip: Tip
  /** The sequence up to which everything is durable, and the position of that event. */
  readonly durable: { readonly sequence: bigint; readonly position: bigint }
  readonly isDropped: boolean
  /** What became of the commit for which the cell was dropped, if it was for one. */
  readonly refusal: Refusal | undefined
  /** When it was folded from the store. */
  readonly loadedAtMs: number
  /** The time of the log when the clock says this: never earlier than the last event, since clocks may go back. */
  readonly timeAt: (clockMs: number) => number
  /** The failure by which the organization takes no commands: its log holds something that this version does not know. */
  readonly closed: Failure | undefined
  /** Activities with events that are not durable yet. */
  readonly unsettled: ReadonlyMap<string, LiveActivity>
  /**
   * Decides: links the happenings to the log, applies them, and hands them to the lane. All of them concern one activity.
   *
   * @param request  the stamped request that caused them; it becomes a part of the first event
   * @returns the activity as it stands now
   */
  readonly commit: (change: Change) => LiveActivity
  /** Works in events that are durable already: read from the store, in order. */
  readonly absorb: (event: Event, position: bigint, hash: string) => E.Either<Failure, void>
  /** Resolves to true when all up to the sequence is durable, to false when the cell was dropped before. */
  readonly settled: (sequence: bigint) => Promise<boolean>
  readonly drop: () => void
}

/** A commit that did not become durable, as far as is known; `sequence` is that of its last event. */
export type Refusal = { readonly sequence: bigint; readonly fate: Fate }

export type Change = {
  readonly before: LiveActivity | undefined
  readonly activityId: string
  readonly asked: Asked
  readonly at: string
  readonly happenings: readonly Happening[]
  readonly request: StampedRequest | undefined
}

export type CellPorts = {
  readonly digest: Digest
  readonly ids: Ids
  readonly clock: Clock
  readonly lane: Lane
  readonly catalogue: Catalogue
  /** Told of events that became durable, in order, with the position of the last. */
  readonly onDurable: (cell: Cell, events: readonly Event[], last: bigint, live: LiveActivity) => void
  /** Told once, when the cell is dropped because of this. */
  readonly onDropped: (cell: Cell) => void
  /** The mistake of `EngineOptions.answersFromPendingState`. */
  readonly answersFromPendingState?: boolean
}

type Waiter = { readonly sequence: bigint; readonly resolve: (durable: boolean) => void }

type CellState = {
  draft: Draft
  tip: Tip
  /** The time of the last event. */
  lastAtMs: number
  durable: Cell['durable']
  isDropped: boolean
  refusal: Refusal | undefined
  closed: Failure | undefined
  waiters: Waiter[]
}

/** Where a cell begins: the end of what was folded so far. */
export type Origin = { readonly tip: Tip; readonly position: bigint; readonly atMs: number }

/** The origin of a log without events. */
export const beginning: Origin = { tip: beforeFirst, position: 0n, atMs: 0 }

export const cellOf = (ports: CellPorts, draft: Draft, { tip, position, atMs }: Origin): Cell => {
  const unsettled = new Map<string, LiveActivity>()
  const own: CellState = {
    draft,
    tip,
    lastAtMs: atMs,
    durable: { sequence: tip.sequence, position },
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

  const apply = (event: Event): E.Either<Failure, void> => {
    const folded = foldEvent(own.draft, event, ports.catalogue)
    if (E.isLeft(folded)) own.closed = folded.left
    return folded
  }

  const commit = (change: Change): LiveActivity => {
    const expected = own.tip.sequence
    const events: Event[] = []
    const records: NewEvent[] = []
    let live = change.before
    own.lastAtMs = millis(change.at)
    const write = (happening: Happening, index: number): void => {
      const request = index === 0 ? change.request : undefined
      const linked = link(ports, own.tip, {
        organization: own.draft.organizationId,
        activity: change.activityId,
        revision: (live?.activity.revision ?? 0n) + 1n,
        at: change.at,
        happening,
        parts: request === undefined ? {} : { request: encodeRequestPart(request) },
      })
      own.tip = linked.tip
      events.push(linked.event)
      records.push(linked.record)
      apply(linked.event)
      live = {
        activity: evolveActivity(live?.activity, linked.event),
        asked: change.asked,
        requests: withRequest(live, linked.event.id, request),
      }
    }
    try {
      change.happenings.forEach(write)
    } catch (cause) {
      drop() // an operation's `evolve` threw: the state is half worked, and nothing may be decided on it
      throw cause
    }
    if (live === undefined) throw new Error('a commit needs at least one happening') // a bug of the caller
    const settledLive = live
    unsettled.set(change.activityId, settledLive)
    ports.lane.append(
      {
        organization: own.draft.organizationId,
        expected: expected === 0n ? 'none' : expected,
        events: records,
        checks: [],
      },
      (fate) => settle(fate, events, change.activityId, settledLive),
    )
    return settledLive
  }

  const settle = (fate: Fate, events: readonly Event[], activityId: string, live: LiveActivity): void => {
    if (own.isDropped) return
    if (E.isLeft(fate) || !isDurable(fate.right)) {
      own.refusal = { sequence: events[events.length - 1]?.sequence ?? 0n, fate }
      return drop()
    }
    own.durable = { sequence: fate.right.sequence, position: fate.right.position }
    if (unsettled.get(activityId) === live) unsettled.delete(activityId)
    ports.onDurable(cell, events, fate.right.position, live)
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
    absorb: (event, position, hash) => {
      own.tip = { sequence: event.sequence, hash }
      own.lastAtMs = Math.max(own.lastAtMs, millis(event.at))
      own.durable = { sequence: event.sequence, position }
      return apply(event)
    },
    settled: (sequence) => {
      if (sequence <= own.durable.sequence || ports.answersFromPendingState === true) return Promise.resolve(true)
      if (own.isDropped) return Promise.resolve(false)
      return new Promise((resolve) => own.waiters.push({ sequence, resolve }))
    },
    drop,
  }
  return cell
}

const withRequest = (
  live: LiveActivity | undefined,
  vote: string,
  request: StampedRequest | undefined,
): ReadonlyMap<string, StampedRequest> => {
  if (request === undefined) return live?.requests ?? new Map()
  const requests = new Map(live?.requests)
  requests.set(vote, request)
  return requests
}
