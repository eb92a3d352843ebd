import type * as t from 'io-ts'
import { decode } from '../codec/codec.ts'
import { orThrow } from '../countersign-error.ts'
import type { Operation } from '../definition/operation.ts'
import type { Failure } from '../failure.ts'
import type { Status } from '../log/standing.ts'
import { E } from '../prelude.ts'
import type { ActivityView } from '../view/activity-view.ts'

/** An activity as its caller gets it, with the result of its operation. */
export type Submitted<R> =
  | {
      readonly status: 'completed'
      readonly activity: ActivityView
      /** The result. If the operation has `encodeResult`: what that writes. */
      readonly result: R
    }
  | {
      readonly status: 'failed'
      readonly activity: ActivityView
      readonly failure: Failure
      readonly result?: undefined
    }
  | {
      /** `consensus-needed` waits for votes; `pending` waits for work outside. */
      readonly status: 'consensus-needed' | 'pending' | 'rejected' | 'authenticators-needed'
      readonly activity: ActivityView
      readonly result?: undefined
    }

const names: { readonly [S in Status]: Submitted<unknown>['status'] } = {
  ACTIVITY_STATUS_COMPLETED: 'completed',
  ACTIVITY_STATUS_FAILED: 'failed',
  ACTIVITY_STATUS_REJECTED: 'rejected',
  ACTIVITY_STATUS_CONSENSUS_NEEDED: 'consensus-needed',
  ACTIVITY_STATUS_PENDING: 'pending',
  ACTIVITY_STATUS_AUTHENTICATORS_NEEDED: 'authenticators-needed',
}

export const isOver = (status: Submitted<unknown>['status']): boolean =>
  status === 'completed' || status === 'failed' || status === 'rejected'

/** The activity with the result of its operation. */
export const submitted = <I, R>(
  operation: Operation<string, I, R> | undefined,
  activity: ActivityView,
): Submitted<R> => {
  const status = names[activity.status]
  if (status === 'completed') return { status, activity, result: resultOf(operation, activity) }
  if (status === 'failed') return { status, activity, failure: activity.failure ?? unknownFailure }
  return { status, activity }
}

/** The result of a completed activity is its only member. */
const resultOf = <I, R>(operation: Operation<string, I, R> | undefined, { result }: ActivityView): R => {
  const [written] = Object.values(result)
  const [newest] = operation?.versions ?? []
  if (operation === undefined || newest?.isPlainResult !== true) return written as R // it is unknown, or the host's own form
  return read(operation.codecs.result, `result of ${operation.type}`, written) as R // the codec of the operation
}

/** Reads a part of an answer. */
export const read = <A>(codec: t.Decoder<unknown, A>, what: string, json: unknown): A =>
  readable(decode(codec, what)(json))

/** What a server of another version wrote may be unreadable. It was done all the same. */
export const readable = <A>(outcome: E.Either<Failure, A>): A =>
  orThrow(
    E.mapLeft(({ message }: Failure): Failure => ({ code: 'INTERNAL', message: `unexpected answer: ${message}` }))(
      outcome,
    ),
  )

const unknownFailure: Failure = { code: 'INTERNAL', message: 'the failure was not told' }
