import { encodeUtf8 } from '../bytes.ts'
import { renderActivity, ShownActivity, type ActivityView } from '../view/activity-view.ts'

const BYTES_MAX = 1024 * 1024

/** What is sent of an activity: as `get_activity` shows it, with its times as objects. A long one goes without what is long. */
export const bodyOf = (view: ActivityView): Uint8Array => {
  const whole = written(view)
  if (whole.length <= BYTES_MAX) return whole
  return written({ ...view, intent: {}, result: {}, votes: view.votes.map((vote) => ({ ...vote, message: '' })) })
}

const written = (view: ActivityView): Uint8Array =>
  encodeUtf8(JSON.stringify(ShownActivity.encode(renderActivity(view))))
