import * as t from '../../codec/t.ts'
import { partsToErase } from '../../activity/erasure.ts'
import { query } from '../../definition/query.ts'
import { Head, Requests, Sequence } from './erasing.ts'
import { personalPlaces } from './personal-places.ts'

const LIMIT = 500

const Place = t.fields({
  sequence: t.described(t.string, 'the sequence of the event, digits'),
  activityId: t.Uuid,
  parts: t.described(t.readonlyArray(t.string), 'the parts of the event that an erasure of the user would erase'),
})

/** Where the log has personal data of a user: what an erasure would erase. A request in it can no longer be verified after that. */
export const listPersonalPlaces = query({
  path: 'list_personal_places',
  summary: 'Lists the events with personal data of a user, in the order of the log, a page at a time.',
  request: t.fields({ organizationId: t.Uuid, userId: t.Uuid }, { requests: Requests, after: Sequence }),
  answer: t.fields({
    places: t.readonlyArray(Place),
    head: t.described(Head, 'the end of the log on which the answer rests, as `erase_user` takes it'),
    next: t.described(t.union([t.string, t.null]), 'what to give as `after` for the next page; null at the end'),
  }),
  run: async ({ userId, requests = 'NAMING', after = '0' }, { rows, head }) => {
    const found = await rows(personalPlaces, { limit: LIMIT, ascending: true, after: BigInt(after), first: [userId] })
    return {
      places: found.flatMap((row) => {
        const parts = partsToErase(row, userId, requests)
        return parts.length === 0 ? [] : [{ sequence: row.sequence, activityId: row.activity, parts }]
      }),
      head: { sequence: String(head.sequence), hash: head.hash },
      next: found.length < LIMIT ? null : (found.at(-1)?.sequence ?? null),
    }
  },
})
