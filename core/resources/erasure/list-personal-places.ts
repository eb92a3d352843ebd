import * as t from 'io-ts'
import { partsToErase, PERSONAL_PLACES, type PersonalRow } from '../../activity/erasure.ts'
import { Uuid } from '../../codec/codec.ts'
import { described } from '../../codec/described.ts'
import { fields } from '../../codec/fields.ts'
import { query } from '../../definition/query.ts'
import { TE } from '../../prelude.ts'
import type { Row } from '../../ports/read-models.ts'
import { Head, Requests, Sequence } from './erasing.ts'

const LIMIT = 500

const Place = fields({
  sequence: described(t.string, 'the sequence of the event, digits'),
  activityId: Uuid,
  parts: described(t.readonlyArray(t.string), 'the parts of the event that an erasure of the user would erase'),
})

/** Where the log has personal data of a user: what an erasure would erase. A request in it can no longer be verified after that. */
export const listPersonalPlaces = query({
  path: 'list_personal_places',
  summary: 'Lists the events with personal data of a user, in the order of the log, a page at a time.',
  request: fields({ organizationId: Uuid, userId: Uuid }, { requests: Requests, after: Sequence }),
  answer: fields({
    places: t.readonlyArray(Place),
    head: described(Head, 'the end of the log on which the answer rests, as `erase_user` takes it'),
    next: described(t.union([t.string, t.null]), 'what to give as `after` for the next page; null at the end'),
  }),
  run: ({ userId, requests = 'NAMING', after = '0' }, { rows, head }) =>
    TE.map((found: readonly Row[]) => ({
      places: found.flatMap(({ order, value }) => {
        const row = value as PersonalRow // written by the projection
        const parts = partsToErase(row, userId, requests)
        return parts.length === 0 ? [] : [{ sequence: String(order), activityId: row.activity, parts }]
      }),
      head: { sequence: String(head.sequence), hash: head.hash },
      next: found.length < LIMIT ? null : String(found.at(-1)?.order),
    }))(rows(PERSONAL_PLACES, { limit: LIMIT, ascending: true, after: BigInt(after), first: [userId] })),
})
