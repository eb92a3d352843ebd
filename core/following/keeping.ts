import type { Failure } from '../failure.ts'
import type { Clock } from '../ports/clock.ts'
import { E } from '../prelude.ts'
import type { Holder } from './holder.ts'
import type { Parking, Taken } from './parking.ts'
import type { Place } from './place.ts'
import type { Worker } from './worker.ts'

type Parts = {
  readonly at: Place
  readonly held: Pick<Parking, 'stored'>
  readonly clock: Pick<Clock, 'after'>
  readonly holder: Pick<Holder, 'isShared'>
  readonly working: Pick<Worker, 'isClosed' | 'isIdle' | 'run'>
  /** Another process has moved the checkpoint. @param before  the checkpoint before it was adopted */
  readonly onElsewhere: (before: bigint) => void
}

/** By how many events, and about how long, the stored checkpoint may stay behind while they change no row. */
const UNSTORED_MAX = 10_000
const UNSTORED_MS = 500

/** Stores what was taken, up to a position: rows at once, and a checkpoint without rows now and then, unless other processes wait for it. */
export const keeping = ({ at, held, clock, holder, working, onElsewhere }: Parts) => {
  let isToBeStored = false
  /** The events behind the stored checkpoint. They are not counted by their positions, which may have gaps. */
  let unstored = 0

  const storeLater = (): void => {
    if (isToBeStored) return
    isToBeStored = true
    clock.after(UNSTORED_MS, () => {
      isToBeStored = false
      if (working.isClosed() || at.isStored()) return
      if (!working.isIdle()) return storeLater()
      unstored = 0
      working.run(at.store)
    })
  }

  return async (to: bigint, { changes, isAwaited, count }: Taken): Promise<E.Either<Failure, unknown>> => {
    if (changes.length === 0 && !isAwaited && !holder.isShared && unstored + count < UNSTORED_MAX) {
      unstored += count
      at.reach(to)
      storeLater()
      return E.right(undefined)
    }
    unstored = 0
    const before = at.checkpoint()
    const stored = await at.move(to, changes)
    if (E.isRight(stored) && stored.right) held.stored()
    if (E.isRight(stored) && !stored.right) onElsewhere(before)
    return stored
  }
}
