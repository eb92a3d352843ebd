import { failure, type Failure } from '../failure.ts'
import { E } from '../prelude.ts'

/** The callers that wait until a follower has reached a position. */
export type Waiters = {
  readonly isEmpty: () => boolean
  /** Resolves when the position is reached. `ABORTED` if the signal aborts first, `UNAVAILABLE` after `close`. */
  readonly join: (position: bigint, signal: AbortSignal | undefined) => Promise<E.Either<Failure, void>>
  /** The follower has reached the position. */
  readonly reach: (position: bigint) => void
  /** The follower has stopped. */
  readonly close: () => void
}

type Waiter = { readonly position: bigint; readonly resolve: (passed: E.Either<Failure, void>) => void }

export const waiters = (): Waiters => {
  let all: Waiter[] = []
  return {
    isEmpty: () => all.length === 0,
    join: (position, signal) =>
      signal?.aborted === true
        ? Promise.resolve(E.left(aborted))
        : new Promise((resolve) => {
            const onAbort = (): void => {
              all = all.filter((other) => other !== waiter)
              resolve(E.left(aborted))
            }
            const waiter: Waiter = {
              position,
              resolve: (passed) => {
                signal?.removeEventListener('abort', onAbort)
                resolve(passed)
              },
            }
            all.push(waiter)
            signal?.addEventListener('abort', onAbort, { once: true })
          }),
    reach: (position) => {
      if (!all.some((waiter) => waiter.position <= position)) return
      const done = all.filter((waiter) => waiter.position <= position)
      all = all.filter((waiter) => waiter.position > position)
      for (const { resolve } of done) resolve(E.right(undefined))
    },
    close: () => {
      for (const { resolve } of all.splice(0)) resolve(E.left(closing))
    },
  }
}

export const closing = failure('UNAVAILABLE', 'the engine is closing')
const aborted = failure('ABORTED', 'stopped waiting for a projection')
