import type { Clock } from '../ports/clock.ts'
import { E } from '../prelude.ts'
import { movedElsewhere, type Inside } from './inside.ts'

/** By how many events, and about how long, the stored checkpoint may stay behind while they change no row. */
const UNSTORED_MAX = 10_000
const UNSTORED_MS = 500

/** Stores what was taken, up to a position: rows at once, and a checkpoint without rows now and then, unless other processes wait for it. */
export const keeping = (clock: Pick<Clock, 'after'>): Inside['keep'] => {
  let isToBeStored = false
  /** The events behind the stored checkpoint. They are not counted by their positions, which may have gaps. */
  let unstored = 0

  const storeLater = (on: Inside): void => {
    const { at, working } = on
    if (isToBeStored) return
    isToBeStored = true
    clock.after(UNSTORED_MS, () => {
      isToBeStored = false
      if (working.isClosed() || at.isStored()) return
      if (!working.isIdle()) return storeLater(on)
      unstored = 0
      working.run(at.store)
    })
  }

  return async (on, to, { changes, isAwaited, count }) => {
    const { at, held, holder } = on
    if (changes.length === 0 && !isAwaited && !holder.isShared && unstored + count < UNSTORED_MAX) {
      unstored += count
      at.reach(to)
      storeLater(on)
      return E.right(true)
    }
    unstored = 0
    const before = at.checkpoint()
    const stored = await at.move(to, changes)
    if (E.isRight(stored) && stored.right) held.stored()
    if (E.isRight(stored) && !stored.right) movedElsewhere(on, before)
    return stored
  }
}
