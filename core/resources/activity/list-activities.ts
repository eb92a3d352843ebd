import * as t from 'io-ts'
import { refined, Uuid } from '../../codec/codec.ts'
import { fieldViolations, type Failure } from '../../failure.ts'
import { fields, list } from '../../codec/fields.ts'
import { pipe, TE } from '../../prelude.ts'
import { query, type QueryContext } from '../../definition/query.ts'
import { publicTypes } from '../public-names.ts'
import { ShownActivity } from '../../view/activity-view.ts'

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

// Some clients write a missing limit as the empty text.
const Limit = refined(t.string, 'an integer from 1 to 100, in a string', (s) => /^([1-9][0-9]?|100)?$/.test(s))
/** The most types in one query, because each type reads the index once. */
export const TYPES_MAX = 50
const Type = refined(t.string, 'a type of activities', (s) => s.length <= 128)

const Cursor = refined(t.string, 'the id of an activity', (s) => s === '' || Uuid.is(s))
const Pagination = fields({}, { limit: Limit, before: Cursor, after: Cursor }, ({ before, after }) =>
  before && after ? { member: 'after', expected: 'only one of before and after' } : undefined,
)

/**
 * A page is newest first. The page behind `after` has the nearest newer activities, also newest first. A page is shorter than its limit if
 * its activities are very long.
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
  answer: fields({ activities: t.readonlyArray(ShownActivity) }),
  run: ({ filterByStatus = [], filterByType = [], paginationOptions = {} }, context) => {
    const unknown = filterByType.findIndex((type) => !publicTypes.has(type) && !context.knowsType(type))
    if (unknown >= 0) return TE.left(unknownType(`filterByType.${unknown}`))
    const { limit, before, after } = paginationOptions
    return pipe(
      orderOf(before ? 'before' : 'after', before || after, context),
      TE.flatMap((order) =>
        context.activityIds({
          limit: Number(limit || 10),
          ascending: Boolean(after),
          after: order,
          statuses: filterByStatus.length === 0 ? undefined : filterByStatus,
          types: filterByType.length === 0 ? undefined : filterByType,
        }),
      ),
      // If the page is too long, the activities farthest from the cursor are left out.
      TE.flatMap(context.activities),
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
        context.beginningOf(activityId.toLowerCase()),
        TE.filterOrElse(
          (sequence) => sequence !== undefined,
          () => unknownCursor(member),
        ),
      )
    : TE.right(undefined)

const unknownType = (field: string): Failure =>
  fieldViolations(`invalid request body at ${field}: expected a type of activities`, [
    { field, description: 'expected a type of activities' },
  ])

const unknownCursor = (member: string): Failure =>
  fieldViolations(`invalid request body at paginationOptions.${member}: no such activity`, [
    { field: `paginationOptions.${member}`, description: 'expected the id of an activity of the organization' },
  ])
