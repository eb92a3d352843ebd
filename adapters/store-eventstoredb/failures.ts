import { failure, type Failure, type FailureCode } from '../../core/failure.ts'
import { E, type TE } from '../../core/prelude.ts'
import { Refusal, refuse } from '../../core/ports/refusal.ts'
import { placeOf, withCause } from '../../core/telemetry/cause.ts'
import { LogClientError } from './log-client.ts'

/** The organization takes no commands: its stream has what is not ours, or has lost what was. */
export const unreadable = (organization: string, sequence: bigint, what: string): Refusal =>
  new Refusal(
    withCause(
      failure('STORE_UNREADABLE', `the log of an organization cannot be read: event ${sequence} of its stream ${what}`),
      () => ({ organization, sequence: String(sequence) }),
    ),
  )

/** Runs a task of a port inside of this adapter. */
export const value = async <A>(task: TE.TaskEither<Failure, A>): Promise<A> => {
  const outcome = await task()
  if (E.isLeft(outcome)) throw new Refusal(outcome.left)
  return outcome.right
}

/** What the server did not do; `undefined` for any other error. */
export const troubleOf = (error: unknown): LogClientError['trouble'] | undefined =>
  error instanceof LogClientError ? error.trouble : undefined

/** Turns what was thrown into a failure. */
export const failureOf = (error: unknown): Failure => {
  if (error instanceof Refusal) return error.failure
  if (!(error instanceof LogClientError))
    return withCause(failure('INTERNAL', 'the store failed in an unexpected way'), () => ({ code: placeOf(error) }))
  const { message, trouble } = error
  return withCause(failure(...known(trouble._tag, message)), () => ({ code: trouble._tag }))
}

const known = (tag: LogClientError['trouble']['_tag'], message: string): readonly [FailureCode, string] =>
  KNOWN[tag] ?? [tag === 'denied' || tag === 'unusable' ? 'CONFIGURATION_INVALID' : 'UNAVAILABLE', message]

const KNOWN: { readonly [tag: string]: readonly [FailureCode, string] } = {
  deleted: ['STORE_UNREADABLE', 'a stream of the store was deleted with other tools: restore a backup'],
  'too-large': ['REQUEST_TOO_LARGE', 'the server takes no append as large as this'],
  'wrong-end': ['CONFLICT', 'other processes kept appending to the same stream: try again'],
}

/** Nobody knows what the log has of an activity until the index was built. */
export const indexBehind = (): Refusal =>
  refuse('UNAVAILABLE', 'the index of activities is being built from the log: try again soon')
