import * as t from 'io-ts'
import { decode, refined, Uuid } from '../../codec.ts'
import { fieldViolations, type Failure, type Json } from '../../failure.ts'
import { fields, list } from '../../operations/fields.ts'
import { pipe, TE } from '../../prelude.ts'
import { query, type QueryContext } from '../query.ts'

/** The projection that lists activities: a row each, by id, in the order of their first events; facets status and type. */
export const ACTIVITIES = 'activities'

/** A row of it: the order once more, where whoever knows the id finds it. */
export const ActivityRow = fields({
  id: Uuid,
  sequence: refined(t.string, 'a sequence', (s) => /^(0|[1-9][0-9]{0,18})$/.test(s)),
})
export type ActivityRow = t.TypeOf<typeof ActivityRow>

const ActivityStatus = t.keyof(
  {
    ACTIVITY_STATUS_CREATED: null,
    ACTIVITY_STATUS_PENDING: null,
    ACTIVITY_STATUS_COMPLETED: null,
    ACTIVITY_STATUS_FAILED: null,
    ACTIVITY_STATUS_CONSENSUS_NEEDED: null,
    ACTIVITY_STATUS_REJECTED: null,
    ACTIVITY_STATUS_AUTHENTICATORS_NEEDED: null,
  },
  'a status of activities',
)

// Some clients write what they leave out as the empty text.
const Limit = refined(t.string, 'an integer from 1 to 100, in a string', (s) => /^([1-9][0-9]?|100)?$/.test(s))
/** The most types in one question. More would be asked of the index one by one. */
export const TYPES_MAX = 50
const Type = refined(t.string, 'a type of activities', (s) => s.length <= 128)

const Cursor = refined(t.string, 'the id of an activity', (s) => s === '' || Uuid.is(s))
const Pagination = fields({}, { limit: Limit, before: Cursor, after: Cursor }, ({ before, after }) =>
  before && after ? { member: 'after', expected: 'only one of before and after' } : undefined,
)

/**
 * A page is newest first, also the one that follows `after`: of all newer activities it has the nearest. It is shorter than its
 * limit where its activities are very long.
 */
export const listActivities = query({
  path: 'list_activities',
  summary: 'Lists activities, newest first, a page at a time.',
  request: fields(
    { organizationId: Uuid },
    { filterByStatus: list(ActivityStatus), filterByType: list(Type), paginationOptions: Pagination },
    ({ filterByType = [] }) =>
      new Set(filterByType).size > TYPES_MAX
        ? { member: 'filterByType', expected: `at most ${TYPES_MAX} types` }
        : undefined,
  ),
  answers: ['activities'],
  answer: ({ filterByStatus = [], filterByType = [], paginationOptions = {} }, context) => {
    const { limit, before, after } = paginationOptions
    return pipe(
      orderOf(before ? 'before' : 'after', before || after, context),
      TE.flatMap((order) =>
        context.rows(ACTIVITIES, {
          limit: Number(limit || 10),
          ascending: Boolean(after),
          ...(order === undefined ? {} : { after: order }),
          ...(filterByStatus.length === 0 ? {} : { first: filterByStatus }),
          ...(filterByType.length === 0 ? {} : { second: filterByType }),
        }),
      ),
      // What a long page leaves out is farthest from the cursor.
      TE.flatMap((rows) => context.activities(rows.map(({ key }) => key))),
      TE.map((activities) => ({ activities: after ? activities.toReversed() : activities })),
    )
  },
})

const orderOf = (
  member: string,
  activityId: string | undefined,
  context: QueryContext,
): TE.TaskEither<Failure, bigint | undefined> =>
  activityId
    ? pipe(
        context.row(ACTIVITIES, activityId.toLowerCase()),
        TE.filterOrElse(
          (row): row is Json => row !== undefined,
          () => unknownCursor(member),
        ),
        TE.flatMapEither(decode(ActivityRow, 'row of activities')),
        TE.map(({ sequence }) => BigInt(sequence)),
      )
    : TE.right(undefined)

const unknownCursor = (member: string): Failure =>
  fieldViolations(`invalid request body at paginationOptions.${member}: no such activity`, [
    { field: `paginationOptions.${member}`, description: 'expected the id of an activity of the organization' },
  ])
