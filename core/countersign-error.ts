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
  /**
   * Is there if an activity or a vote was sent and its outcome is unknown, for example because no answer came. It sends the same bytes with
   * the same stamp again, so nothing is done twice, and gives what the first call would have given. A signal that stopped the first call
   * does not stop this one.
   *
   * @example if (error instanceof CountersignError && error.retry !== undefined) await error.retry()
   */
  readonly retry?: Retry

  /** @param options  `cause`: the error behind it, such as the one of `fetch` */
  constructor(
    { code, message, details = [], like }: Failure,
    { cause, retry }: { readonly cause?: unknown; readonly retry?: Retry } = {},
  ) {
    super(message, cause === undefined ? {} : { cause })
    if (retry !== undefined) this.retry = retry
    this.code = code
    this.details = details
    this.like = like
  }
}

/** Sends the same bytes again. */
export type Retry<A = unknown> = (options?: { readonly signal?: AbortSignal }) => Promise<A>

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
