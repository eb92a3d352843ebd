import { isFinished, type Activity } from '../activity/activity.ts'
import type { Catalogue } from '../definition/catalogue.ts'
import type { DecodedIntent, Operation } from '../definition/operation.ts'
import { failure, type Failure } from '../failure.ts'
import { E } from '../prelude.ts'
import type { StampedRequest } from '../log/request-part.ts'

/** An activity with its requests, in memory. */
export type LiveActivity = {
  readonly activity: Activity
  /** What the requester asked for, as its version reads it; `undefined` where the request was erased or left out. */
  readonly decoded: DecodedIntent | undefined
  /** The stamped requests, by the id of the vote that each of them is. */
  readonly requests: ReadonlyMap<string, StampedRequest>
}

/**
 * The activity with what `inspect` found out now, or that it could not be asked. The request was accepted once: if `inspect` refuses it now,
 * then `inspect` has changed, and nobody can decide on the activity.
 */
export const withInspected = (
  { activity, requests }: LiveActivity,
  inspected: E.Either<Failure, DecodedIntent>,
): E.Either<Failure, LiveActivity> => {
  if (E.isRight(inspected)) return E.right({ activity, requests, decoded: inspected.right })
  return inspected.left.code === 'UNAVAILABLE' ? inspected : E.right({ activity, requests, decoded: undefined })
}

/**
 * What has to be inspected before anybody can ask the rules about an activity; `undefined` if there is nothing. For finished activities, what
 * `inspect` found out is not kept in memory, because hardly anybody asks for it.
 */
export const uninspected = (
  { byType }: Pick<Catalogue, 'byType'>,
  { activity, decoded }: LiveActivity,
): { readonly operation: Operation; readonly decoded: DecodedIntent } | undefined => {
  const operation = byType(activity.type)?.operation
  if (operation === undefined || decoded === undefined || !isFinished(activity)) return undefined
  return operation.inspects(decoded) ? { operation, decoded } : undefined
}

/** Whether the request for the activity is there. If so, and it is not decoded, then other code can read it. */
export const hasRequest = ({ activity, requests }: LiveActivity): boolean => {
  const [first] = activity.votes
  return first !== undefined && requests.has(first.id)
}

/** The failure for an activity whose request was erased: nobody can decide on it any more. */
export const erased = failure(
  'ACTIVITY_NOT_FOUND',
  'the request of this activity was erased; it can no longer be decided on',
)

/** The requests of an activity with that of one more vote; with none, as they are. */
export const withRequest = (
  live: LiveActivity | undefined,
  vote: string,
  request: StampedRequest | undefined,
): ReadonlyMap<string, StampedRequest> => {
  if (request === undefined) return live?.requests ?? new Map()
  const requests = new Map(live?.requests)
  requests.set(vote, request)
  return requests
}
