import * as t from 'io-ts'
import { described, named } from '../../core/codec/described.ts'
import { fields } from '../../core/codec/fields.ts'
import { dateTime, DateTime, Timestamp } from '../../core/codec/timestamp.ts'
import {
  activityMembers,
  AppProofs,
  FailureOrNull,
  renderActivity,
  type SubmittedView,
} from '../../core/view/activity-view.ts'

const SpecifiedActivity = named(
  'SpecifiedActivity',
  described(
    fields({ ...activityMembers, createdAt: DateTime, updatedAt: DateTime }),
    'the same activity once more, with its times in text',
  ),
)

/** The activity in the answer to a submit, as `submitEnvelope` writes it. */
export const SubmittedActivity = named(
  'SubmittedActivity',
  described(
    fields({
      ...activityMembers,
      result: described(
        t.intersection([fields({ activity: SpecifiedActivity }), t.record(t.string, t.unknown)]),
        'one member more when the activity is completed',
      ),
      appProofs: AppProofs,
      createdAt: Timestamp,
      updatedAt: Timestamp,
      failure: FailureOrNull,
      timestampMs: described(t.string, 'the timestampMs of the request that is answered'),
    }),
    'an activity as the answer to a submit shows it',
  ),
)

/**
 * Writes the answer to a submit: the activity as clients read it, with times as objects, and in its `result` the activity again as the
 * specification has it, with times as strings (docs/decisions/wire.md).
 *
 * The members that both have, above all the votes, are encoded once, which halves the cost for a busy server.
 */
export const submitEnvelope = (view: SubmittedView): string => {
  const activity = renderActivity(view)
  const { id, organizationId, status, type, intent, votes, fingerprint, canApprove, canReject } = activity
  const { appProofs, createdAt, updatedAt, failure } = activity
  const shared = members({ id, organizationId, status, type, intent, votes, fingerprint, canApprove, canReject })
  const times = members({
    createdAt: dateTime(view.createdAtMs),
    updatedAt: dateTime(view.updatedAtMs),
  })
  const outer = members({ appProofs, createdAt, updatedAt, failure, timestampMs: String(view.requestedAtMs) })
  const result = JSON.stringify(view.result)
  const inner = `"activity":{${shared},"result":${result},${times}}`
  const both = result === '{}' ? `{${inner}}` : `${result.slice(0, -1)},${inner}}`
  return `{"activity":{${shared},"result":${both},${outer}}}`
}

/** The members of an object that has at least one, without its braces. */
const members = (object: { readonly [member: string]: unknown }): string => JSON.stringify(object).slice(1, -1)
