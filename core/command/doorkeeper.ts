import { failure, type Failure } from '../failure.ts'
import { E, type TE } from '../prelude.ts'

/** Lets commands in until the engine closes, and knows when the last of them has left. */
export type Doorkeeper = {
  readonly isClosed: () => boolean
  readonly through: <A>(command: () => Promise<E.Either<Failure, A>>, signal?: AbortSignal) => TE.TaskEither<Failure, A>
  /** Resolves when nobody is inside any more. */
  readonly close: () => Promise<void>
}

export const doorkeeper = (): Doorkeeper => {
  let inside = 0
  let isClosed = false
  let onEmpty: (() => void) | undefined
  const counted = async <A>(command: () => Promise<E.Either<Failure, A>>): Promise<E.Either<Failure, A>> => {
    inside += 1
    try {
      return await command()
    } finally {
      inside -= 1
      if (inside === 0) onEmpty?.()
    }
  }
  return {
    isClosed: () => isClosed,
    through: (command, signal) => async () => {
      if (isClosed) return E.left(closing)
      if (signal === undefined) return counted(command)
      if (signal.aborted) return E.left(aborted)
      return Promise.race([counted(command), afterAbort(signal)])
    },
    close: () => {
      isClosed = true
      return inside === 0 ? Promise.resolve() : new Promise((resolve) => (onEmpty = resolve))
    },
  }
}

const afterAbort = (signal: AbortSignal): Promise<E.Either<Failure, never>> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(E.left(aborted)), { once: true }))

export const closing = failure('UNAVAILABLE', 'the engine is closing')
const aborted = failure('ABORTED', 'stopped waiting; what was committed stays, and the same request meets it')
