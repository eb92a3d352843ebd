import type { Failure } from '../failure.ts'
import type { EventStore } from '../ports/event-store.ts'
import type { E } from '../prelude.ts'
import type { Feed } from './feed.ts'
import type { Holder } from './holder.ts'
import type { Parking, Taken } from './parking.ts'
import type { Place } from './place.ts'
import type { Waiters } from './waiters.ts'
import type { Worker } from './worker.ts'

/** A follower from inside: its parts, and what it knows of itself. */
export type Inside = {
  readonly store: Pick<EventStore, 'lastPosition'>
  readonly at: Place
  readonly events: Feed
  readonly held: Parking
  readonly holder: Holder
  readonly waiting: Waiters
  readonly working: Worker
  /** Stores what was taken, up to a position. False if another process has moved the checkpoint: then nothing of it is stored. */
  readonly keep: (on: Inside, to: bigint, taken: Taken) => Promise<E.Either<Failure, boolean>>
  readonly onRewound: (() => void) | undefined
  readonly onStored: () => void
  readonly onStale: () => void
  /** Aborted when the follower closes, or another process may run it. */
  abort: AbortController
  isBegun: boolean
  /** Another process may have moved the checkpoint, or released a parked organization. */
  isDoubtful: boolean
  /** The store has lost events. */
  isLost: boolean
  /** Closing has ended: work that still runs must not move the checkpoint any more. */
  isOver: boolean
  /** Why it cannot go on at present. */
  failed: Failure | undefined
}

export const hasMore = ({ events, at }: Inside): boolean => events.hasMore(at.checkpoint())

export const hasWork = (on: Inside): boolean =>
  on.isBegun &&
  (on.isDoubtful || on.isLost || on.holder.isDue() || (on.holder.isHere() ? hasMore(on) : !on.waiting.isEmpty()))

export const fail = (on: Inside, cause: Failure): void => {
  on.failed = cause
  on.events.lookAgain()
  on.working.rest()
}

/** Lets the checkpoint and what is parked be read again. */
export const doubt = (on: Inside): void => {
  on.isDoubtful = true
  on.working.wake()
}

/** Another process has moved the checkpoint. @param before  the checkpoint before that one was adopted */
export const movedElsewhere = ({ holder, at, events, onStale }: Inside, before: bigint): void => {
  holder.moved()
  onStale()
  if (at.checkpoint() >= before) return events.pass(at.checkpoint())
  events.clear() // the rows are built again: what was kept may be lost
}
