import { ordered, type Failure, type Json } from './failure.ts'
import { E, type TE } from './prelude.ts'
import { causeOf, keepThrown } from './telemetry/cause.ts'

/**
 * A failure as an error: all promises of the door reject with it.
 *
 * @example if (error instanceof CountersignError && error.code === 'REQUEST_NOT_AUTHORIZED') …
 */
export class CountersignError extends Error {
  override readonly name = 'CountersignError'
  /** The code of the failure. Codes are stable: docs/reference/failures.md. */
  readonly code: Failure['code']
  /** What the wire carries beside the message, such as the fields that break rules. */
  readonly details: readonly Json[]
  /** Beside a code of a host: the code of Countersign whose form it has on the wire. */
  readonly like: Failure['like']

  /** @param options  `cause`: the error behind it, such as the one of `fetch` */
  constructor({ code, message, details = [], like }: Failure, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.code = code
    this.details = details
    this.like = like
  }
}

/** A failure with the error behind it. A failure of a store has its cause beside it: see `causeOf`. */
export type Caused = Failure & { readonly cause?: unknown }

/** The value; throws the failure as an error. */
export const orThrow = <A>(outcome: E.Either<Caused, A>): A => {
  if (E.isRight(outcome)) return outcome.right
  const cause = outcome.left.cause ?? causeOf(outcome.left)
  throw keepThrown(outcome.left, new CountersignError(outcome.left, cause === undefined ? undefined : { cause }))
}

/** Runs a task, and gives its value; rejects with a `CountersignError`. */
export const run = async <A>(task: TE.TaskEither<Failure, A>): Promise<A> => orThrow(await task())

/** The failure of an error that a promise of the door was rejected with; `undefined` for any other error. */
export const failureOf = (error: unknown): Failure | undefined => {
  if (!(error instanceof CountersignError)) return undefined
  const { code, message, details, like } = error
  return ordered({
    code,
    message,
    ...(details.length === 0 ? {} : { details }),
    ...(like === undefined ? {} : { like }),
  })
}
