import { E, type TE } from '../../core/prelude.ts'
import type { Failure } from '../../core/failure.ts'
import { failureOf } from './failures.ts'
import { reasonOf } from './reason.ts'

/** Reads until it is closed. Reads are short and happen at once, on the calling thread. */
export type Reading = {
  readonly attempt: <A>(read: () => A) => TE.TaskEither<Failure, A>
  readonly close: () => void
}

export const readingWith = (connection: { readonly close: () => void }): Reading => {
  let isClosed = false
  return {
    attempt: (read) => async () => {
      if (isClosed) return E.left(failureOf('CLOSED'))
      try {
        return E.right(read())
      } catch (error) {
        return E.left(failureOf(reasonOf(error)))
      }
    },
    close: () => {
      if (!isClosed) connection.close()
      isClosed = true
    },
  }
}
