import type { Failure } from '../failure.ts'
import { E } from '../prelude.ts'
import type { Feed } from './feed.ts'
import type { Follower } from './follower.ts'
import type { Holder } from './holder.ts'
import type { Parked, Parking } from './parking.ts'
import type { Place } from './place.ts'
import { closing, type Waiters } from './waiters.ts'
import type { Worker } from './worker.ts'

type Parts = {
  readonly at: Place
  readonly events: Feed
  readonly held: Parking
  readonly holder: Pick<Holder, 'mayBeBehind'>
  readonly waiting: Waiters
  readonly working: Worker
  /** Lets the checkpoint and what is parked be read again. */
  readonly doubt: () => void
  readonly retry: () => Promise<E.Either<Failure, readonly Parked[]>>
}

/** How far a follower is, and waiting for it. */
export const standingOf = ({
  at,
  events,
  holder,
  waiting,
  working,
}: Pick<Parts, 'at' | 'events' | 'holder' | 'waiting' | 'working'>): Pick<
  Follower,
  'checkpoint' | 'lag' | 'passed'
> => ({
  checkpoint: at.checkpoint,
  lag: () => Number(events.known() - at.checkpoint()),
  passed: (position, signal) => {
    if (position <= at.checkpoint() && !holder.mayBeBehind()) return Promise.resolve(E.right(undefined))
    if (working.isClosed()) return Promise.resolve(E.left(closing))
    const passed = waiting.join(position, signal)
    // Usually the feed knows the position. It does not if a commit was stored although the store gave no answer.
    if (position > events.known()) events.lookAgain()
    working.wake()
    return passed
  },
})

/** What a follower holds back. */
export const parkedOf = ({
  held,
  working,
  doubt,
  retry,
}: Pick<Parts, 'held' | 'working' | 'doubt' | 'retry'>): Pick<
  Follower,
  'parked' | 'parkedCount' | 'holds' | 'retryParked'
> => ({
  parked: held.list,
  parkedCount: held.count,
  holds: (organization) => {
    const isHeld = held.holds(organization)
    if (isHeld) doubt()
    return isHeld
  },
  retryParked: async () => {
    await working.idle()
    if (working.isClosed()) return E.left(closing)
    const retrying = retry()
    working.run(() => retrying)
    return (await working.unlessClosed(retrying)) ?? E.left(closing)
  },
})
