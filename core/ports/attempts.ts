import { E, TE } from '../prelude.ts'
import { failure, type Failure } from '../failure.ts'

/** The border of a store: promises that may reject become tasks with failures, and `close` waits for those under way. */
export type Attempts = {
  readonly attempt: <A>(run: () => Promise<A>) => TE.TaskEither<Failure, A>
  /** Refuses if the store is open for reading only. */
  readonly write: <A>(run: () => Promise<A>) => TE.TaskEither<Failure, A>
  /** Refuses what comes later, and waits for what came before. */
  readonly close: () => Promise<void>
}

/** @param failureOf  turns what was thrown into a failure */
export const attempts = (readOnly: boolean, failureOf: (error: unknown) => Failure): Attempts => {
  const underWay = new Set<Promise<unknown>>()
  let isClosed = false

  const attempt =
    <A>(run: () => Promise<A>): TE.TaskEither<Failure, A> =>
    async () => {
      if (isClosed) return E.left(failure('UNAVAILABLE', 'the store is closed'))
      const running = run().then(
        (answer) => E.right(answer),
        (error: unknown) => E.left(failureOf(error)),
      )
      underWay.add(running)
      try {
        return await running
      } finally {
        underWay.delete(running)
      }
    }

  return {
    attempt,
    write: (run) =>
      readOnly ? TE.left(failure('CONFIGURATION_INVALID', 'the store is open for reading only')) : attempt(run),
    close: async () => {
      isClosed = true
      await Promise.all(underWay)
    },
  }
}
