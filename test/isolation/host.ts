import * as t from 'io-ts'
import { Uuid } from '../../core/codec.ts'
import { fields } from '../../core/operations/fields.ts'
import { operation } from '../../core/operations/operation.ts'
import { publicApi } from '../../core/operations/public-api.ts'
import { E, pipe, TE } from '../../core/prelude.ts'
import { projection } from '../../core/projection/projection.ts'
import { publicQueries } from '../../core/query/public-queries.ts'
import { query } from '../../core/query/query.ts'
import { postNotice, type NoticeOptions } from '../core/command/notice.ts'

/** What a host adds that takes ids from its callers, and does not check them all. */
const attachNote = operation({
  type: 'ACTIVITY_TYPE_ATTACH_NOTE',
  path: 'attach_note',
  summary: 'Attaches a note to anything that has an id.',
  resource: 'NOTE',
  action: 'CREATE',
  intent: fields({ aboutId: Uuid, text: t.string }),
  result: fields({ aboutId: Uuid }),
  change: fields({ aboutId: Uuid, text: t.string }),
  execute: ({ aboutId, text }) => E.right({ result: { aboutId }, change: { aboutId, text } }),
  evolve: (draft, { aboutId, text }) => void draft.host.set(`note ${aboutId}`, text),
})

/** Rows that a caller can ask for by the id of an activity. */
const notices = projection({
  name: 'notices',
  version: 1,
  project: (event) =>
    event.type === 'ActivityCreated'
      ? [
          {
            _tag: 'put',
            organization: event.organization,
            key: event.activity,
            order: event.sequence,
            facets: {},
            value: { fingerprint: event.data.fingerprint },
          },
        ]
      : [],
})

const getNotice = query({
  path: 'get_notice',
  summary: 'Shows the row of an activity, and the activity.',
  request: fields({ organizationId: Uuid, noticeId: Uuid }),
  answers: ['row', 'activity'],
  answer: ({ noticeId }, { row, activity }) =>
    pipe(
      row('notices', noticeId),
      TE.map((found) => found ?? null),
      TE.flatMap((found) =>
        pipe(
          activity(noticeId),
          TE.map((shown) => ({ row: found, activity: shown })),
        ),
      ),
    ),
})

export const never = new Promise<never>(() => undefined)

/** What an engine is made with that has all of the public API and more; `run` is the work of its notices. */
export const hostOptions = (run: NonNullable<NoticeOptions['run']>) => ({
  operations: [...publicApi, attachNote, postNotice({ outside: true, run })],
  queries: [...publicQueries, getNotice],
  projections: [notices],
  waitForEffectsMs: 0,
})
