import { failure, type Failure } from '../failure.ts'
import { E, type TE } from '../prelude.ts'
import { tally } from '../collections/tally.ts'

/** Lets commands in until the engine closes, and knows which of them have not left. */
export type Doorkeeper = {
  readonly isClosed: () => boolean
  /** @param name  names the command in a notice if it never ends */
  readonly through: <A>(
    name: string,
    command: TE.TaskEither<Failure, A>,
    signal?: AbortSignal,
  ) => TE.TaskEither<Failure, A>
  /** Resolves when no command is inside any more. */
  readonly close: () => Promise<void>
  /** How many are inside, by name. */
  readonly inside: () => ReadonlyMap<string, number>
}

export const doorkeeper = (): Doorkeeper => {
  const { counts: inside, up, down } = tally()
  let isClosed = false
  let onEmpty: (() => void) | undefined
  const counted = async <A>(name: string, command: TE.TaskEither<Failure, A>): Promise<E.Either<Failure, A>> => {
    up(name)
    try {
      return await command()
    } finally {
      down(name)
      if (inside.size === 0) onEmpty?.()
    }
  }
  return {
    isClosed: () => isClosed,
    through: (name, command, signal) => async () => {
      if (isClosed) return E.left(closing)
      if (signal === undefined) return counted(name, command)
      return signal.aborted ? E.left(aborted) : unlessAborted(signal, counted(name, command))
    },
    close: () => {
      isClosed = true
      return inside.size === 0 ? Promise.resolve() : new Promise((resolve) => (onEmpty = resolve))
    },
    inside: () => inside,
  }
}

// The signal may belong to a whole server. Its listeners are removed, so that it does not keep each command in memory.
const unlessAborted = <A>(signal: AbortSignal, command: Promise<E.Either<Failure, A>>): Promise<E.Either<Failure, A>> =>
  new Promise((resolve, reject) => {
    const onAbort = (): void => resolve(E.left(aborted))
    signal.addEventListener('abort', onAbort, { once: true })
    command.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })

export const closing = failure('UNAVAILABLE', 'the engine is closing')
const aborted = failure('ABORTED', 'stopped waiting; what was committed stays, and the same request meets it')
