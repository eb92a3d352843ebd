import { E } from '../prelude.ts'
import type { Follower } from './follower.ts'
import { doubt, type Inside } from './inside.ts'
import { retryAll } from './retry-parked.ts'
import { closing } from './waiters.ts'

/** How far a follower is, and waiting for it. */
export const progressOf = ({
  at,
  events,
  holder,
  waiting,
  working,
}: Inside): Pick<Follower, 'checkpoint' | 'lag' | 'passed'> => ({
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
export const parkedOf = (on: Inside): Pick<Follower, 'parked' | 'parkedCount' | 'holds' | 'retryParked'> => {
  const { at, held, working } = on
  return {
    parked: held.list,
    parkedCount: held.count,
    holds: (organization) => {
      const isHeld = held.holds(organization)
      if (isHeld) doubt(on)
      return isHeld
    },
    retryParked: async () => {
      await working.idle()
      if (working.isClosed()) return E.left(closing)
      const retrying = retryAll(at, held, on.abort.signal)
      working.run(() => retrying)
      void retrying.finally(on.onStale)
      return (await working.unlessClosed(retrying)) ?? E.left(closing)
    },
  }
}
