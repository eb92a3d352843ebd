import * as t from '../../../core/codec/t.ts'
import { withHost } from '../../core/world/with-host.ts'
import { hostState } from '../../core/world/with-host.ts'
import { operation } from '../../../core/definition/operation.ts'
import { events, projection } from '../../../core/definition/projection.ts'
import { query } from '../../../core/definition/query.ts'
import { ShownActivity } from '../../../core/view/activity-view.ts'
import { postNotice, type NoticeOptions } from '../../core/command/notice.ts'

/** What a host adds that takes ids from its callers, and does not check them all. */
const attachNote = operation({
  type: 'ACTIVITY_TYPE_ATTACH_NOTE',
  path: 'attach_note',
  summary: 'Attaches a note to anything that has an id.',
  resource: 'NOTE',
  action: 'CREATE',
  intent: t.fields({ aboutId: t.Uuid, text: t.string }),
  result: t.fields({ aboutId: t.Uuid }),
  change: t.fields({ aboutId: t.Uuid, text: t.string }),
  execute: ({ aboutId, text }) => ({ result: { aboutId }, change: { aboutId, text } }),
  evolve: (draft, { aboutId, text }) => void hostState.in(draft).set(`note ${aboutId}`, text),
})

/** Rows that a caller can ask for by the id of an activity. */
const notices = projection({
  name: 'notices',
  version: 1,
  on: [
    events(['ActivityCreated'], ({ data: { fingerprint } }, { organization, activityId, sequence }) => [
      { _tag: 'put', organization, key: activityId, order: sequence, facets: {}, value: { fingerprint } },
    ]),
  ],
})

const getNotice = query({
  path: 'get_notice',
  summary: 'Shows the row of an activity, and the activity.',
  request: t.fields({ organizationId: t.Uuid, noticeId: t.Uuid }),
  answer: t.fields({ row: t.AnyJson, activity: ShownActivity }),
  run: async ({ noticeId }, { row, activity }) => {
    const found = await row(notices, noticeId)
    return { row: found ?? null, activity: await activity(noticeId) }
  },
})

export const never = new Promise<never>(() => undefined)

/** What an engine is made with that has all of the public API and more; `run` is the work of its notices. */
export const hostOptions = (run: NonNullable<NoticeOptions['run']>) => ({
  resources: withHost([attachNote, postNotice({ outside: true, run })], [getNotice], [notices]),
  tuning: { waitForEffectsMs: 0 },
})
