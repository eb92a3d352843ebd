import { E, type TE } from '../../core/prelude.ts'
import type { Failure } from '../../core/failure.ts'
import { failureOf, type Failures } from './failures.ts'
import { refusedBy } from './reason.ts'

/** Reads until it is closed. */
export type Reading = {
  readonly attempt: <A>(read: () => A | Promise<A>) => TE.TaskEither<Failure, A>
  /** @param before  finishes running requests; no new reads begin meanwhile */
  readonly close: (before?: () => Promise<void>) => Promise<void>
}

export const readingWith = (connection: { readonly close: () => void }, failures: Failures): Reading => {
  let isClosed = false
  return {
    attempt: (read) => async () => {
      if (isClosed) return E.left(failureOf('CLOSED'))
      try {
        return E.right(await read())
      } catch (error) {
        return E.left(failures(refusedBy(error)))
      }
    },
    close: async (before = async () => undefined) => {
      if (isClosed) return
      isClosed = true
      await before()
      connection.close()
    },
  }
}
