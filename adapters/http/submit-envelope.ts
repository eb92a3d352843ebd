import type { Json } from '../../core/failure.ts'
import { renderActivity, type ActivityView } from '../../core/query/activity-view.ts'
import { timestampAs } from '../../core/query/timestamp.ts'

/**
 * Writes the answer to a submit: the activity as clients read it, with times as objects, and in its `result` once more as
 * the specification has it, with times as strings (docs/decisions/004-submit-envelope-and-timestamps.md).
 *
 * What the two have in common, the votes above all, is turned into text once: that halves the cost, and a busy server
 * does this for every activity.
 */
export const submitEnvelope = (view: ActivityView): string => {
  const activity = renderActivity(view, 'object')
  const { id, organizationId, status, type, intent, votes, fingerprint, canApprove, canReject } = activity
  const { appProofs, createdAt, updatedAt, failure } = activity
  const shared = members({ id, organizationId, status, type, intent, votes, fingerprint, canApprove, canReject })
  const times = members({
    createdAt: timestampAs('string', view.createdAtMs),
    updatedAt: timestampAs('string', view.updatedAtMs),
  })
  const outer = members({ appProofs, createdAt, updatedAt, failure, timestampMs: String(view.createdAtMs) })
  const result = JSON.stringify(view.result)
  const inner = `"activity":{${shared},"result":${result},${times}}`
  const both = result === '{}' ? `{${inner}}` : `${result.slice(0, -1)},${inner}}`
  return `{"activity":{${shared},"result":${both},${outer}}}`
}

/** The members of an object that has at least one, without its braces. */
const members = (object: { readonly [member: string]: Json | undefined }): string => JSON.stringify(object).slice(1, -1)
