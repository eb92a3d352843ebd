import * as t from 'io-ts'
import { described } from '../../core/codec/described.ts'
import { fields } from '../../core/codec/fields.ts'
import { rewriting, type Rewrite } from '../../core/codec/rewriting.ts'
import { DateTime, dateTime, millisOf, Timestamp } from '../../core/codec/timestamp.ts'
import type { JsonObject } from '../../core/codec/codec.ts'
import type { Json } from '../../core/failure.ts'
import type { Query } from '../../core/definition/query.ts'
import { activityMembers, AppProofs, FailureOrNull, ShownActivity } from '../../core/view/activity-view.ts'

/** The form of an activity's times in the answers of queries: RFC 3339, or `{seconds, nanos}`. All other times are always objects. */
export type Timestamps = 'string' | 'object'

const Time = t.union([DateTime, Timestamp])

/** An activity in the answer of a query, as the wire has it. The engine gives a `ShownActivity`. */
export const WireActivity = described(
  fields({
    ...activityMembers,
    appProofs: AppProofs,
    createdAt: described(Time, 'an object for clients that ask for one'),
    updatedAt: Time,
    failure: FailureOrNull,
  }),
  'an activity as queries show it',
)

/** The codec of the form that a value has on the wire. */
export const onWire = (codec: t.Mixed): t.Mixed => (codec === ShownActivity ? WireActivity : codec)

/**
 * Writes the answers of these queries as the wire has them: wherever the codec of an answer has a `ShownActivity`, also in the answers
 * of a host's queries (docs/decisions/wire.md).
 */
export const wireAnswers = (
  queries: readonly Query[],
): ((path: string, answer: JsonObject, timestamps: Timestamps) => JsonObject) => {
  const rewrites = new Map(queries.map(({ path, codecs }) => [path, rewritesOf(codecs.answer)]))
  return (path, answer, timestamps) => {
    const rewrite = rewrites.get(path)?.[timestamps]
    return rewrite === undefined ? answer : (rewrite(answer) as JsonObject) // an object stays one
  }
}

const rewritesOf = (answer: t.Decoder<unknown, unknown>): { readonly [Form in Timestamps]: Rewrite | undefined } => ({
  string: rewriting(
    answer,
    ShownActivity,
    wireActivity((time) => dateTime(millisOf(time))),
  ),
  object: rewriting(
    answer,
    ShownActivity,
    wireActivity((time) => time),
  ),
})

type Written = { readonly [Member in Exclude<keyof ShownActivity, 'createdAt' | 'updatedAt'>]: Json } & {
  readonly createdAt: Timestamp
  readonly updatedAt: Timestamp
}

const wireActivity =
  (timeOf: (time: Timestamp) => Json): Rewrite =>
  (written) => {
    const activity = written as Written // only what the codec of `ShownActivity` has written comes here
    // A full literal: spreading all other members takes five times as long.
    return {
      id: activity.id,
      organizationId: activity.organizationId,
      status: activity.status,
      type: activity.type,
      intent: activity.intent,
      result: activity.result,
      votes: activity.votes,
      fingerprint: activity.fingerprint,
      canApprove: activity.canApprove,
      canReject: activity.canReject,
      appProofs: activity.appProofs,
      createdAt: timeOf(activity.createdAt),
      updatedAt: timeOf(activity.updatedAt),
      failure: activity.failure,
    } satisfies { readonly [Member in keyof t.TypeOf<typeof WireActivity>]: Json }
  }
