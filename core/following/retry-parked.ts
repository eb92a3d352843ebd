import type { Failure } from '../failure.ts'
import { E } from '../prelude.ts'
import type { Parked } from './parked-organizations.ts'
import type { Parking } from './parking.ts'
import type { Place } from './place.ts'

/** Tries parked events again, from where the rows are; gives the organizations that are still parked. */
export const retryAll = async (
  at: Place,
  held: Parking,
  signal: AbortSignal,
): Promise<E.Either<Failure, readonly Parked[]>> => {
  for (let tries = 1; ; tries += 1) {
    const stored = await at.store()
    const read = E.isLeft(stored) ? stored : await at.reread()
    const retried = E.isLeft(read) ? read : await held.retry(at.checkpoint(), signal)
    if (E.isRight(retried)) {
      held.stored()
      return E.right(held.list())
    }
    if (retried.left.code !== 'CONFLICT' || tries >= RETRIES_MAX) return retried
  }
}

/** How often it begins again if another process moves the checkpoint meanwhile. */
const RETRIES_MAX = 5
