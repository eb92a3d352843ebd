import * as t from 'io-ts'
import { decode } from '../codec/codec.ts'
import { fields } from '../codec/fields.ts'
import { DateTime, Timestamp } from '../codec/timestamp.ts'
import { failureCodes, type FailureCode } from '../failure-codes.ts'
import { isOwnCode, type Failure, type Json } from '../failure.ts'
import { E } from '../prelude.ts'
import { activityMembers, AppProofs, type ActivityView } from './activity-view.ts'
import { FailureView } from './failure-view.ts'

const Time = t.union([DateTime, Timestamp])

const Written = fields(
  { ...activityMembers, createdAt: Time, updatedAt: Time, failure: t.union([FailureView, t.null]) },
  { appProofs: AppProofs },
)

/** Reads an activity as an answer of the API shows it, with its times as text or as objects. */
export const readActivity = (json: unknown): E.Either<Failure, ActivityView> =>
  E.map(
    ({
      result,
      createdAt,
      updatedAt,
      failure,
      votes,
      appProofs = [],
      ...activity
    }: t.TypeOf<typeof Written>): ActivityView => {
      return {
        ...activity,
        intent: activity.intent as ActivityView['intent'], // read from JSON
        // The answer to a submit has the activity once more in the result.
        result: Object.fromEntries(
          Object.entries(result).filter(([name]) => name !== 'activity'),
        ) as ActivityView['result'],
        appProofs,
        votes: votes.map(({ createdAt: at, ...vote }) => ({ ...vote, createdAtMs: msOf(at) })),
        createdAtMs: msOf(createdAt),
        updatedAtMs: msOf(updatedAt),
        failure: failure === null ? undefined : readFailure(failure),
      }
    },
  )(decode(Written, 'activity')(json))

const msOf = (at: t.TypeOf<typeof Time>): number =>
  typeof at === 'string' ? Date.parse(at) : Number(at.seconds) * 1000 + Math.floor(Number(at.nanos) / 1_000_000)

const Typed = t.type({ '@type': t.string })
const WireCode = t.type({ turnkeyErrorCode: t.string })
const ErrorInfo = t.type({ domain: t.literal('countersign'), reason: t.string })
const ENVELOPES = /\/(?:google\.rpc\.ErrorInfo|errors\.v1\.TurnkeyErrorDetail)$/

/** Reads a failure of an answer: its exact code, if a Countersign wrote it, and otherwise the first code with its number. */
export const readFailure = ({ code: grpc, message, details: all }: FailureView): Failure => {
  const info = all.find(ErrorInfo.is)
  const like = likeOf(grpc)
  const code = info?.reason ?? all.find(WireCode.is)?.turnkeyErrorCode ?? like
  const details = all.filter((detail) => !isEnvelope(detail))
  return {
    code,
    message,
    ...(details.length === 0 ? {} : { details }),
    ...(isOwnCode(code) ? {} : { like }),
  }
}

const isEnvelope = (detail: Json): boolean => Typed.is(detail) && ENVELOPES.test(detail['@type'])

const likeOf = (grpc: number): FailureCode =>
  (Object.keys(failureCodes) as FailureCode[]).find((code) => failureCodes[code].grpc === grpc) ?? 'INTERNAL' // its own names
