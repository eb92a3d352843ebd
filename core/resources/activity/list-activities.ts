import * as t from '../../codec/t.ts'
import { refusal, type Refusal } from '../../definition/refuse.ts'
import { fieldViolations } from '../../failure.ts'
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
const Limit = t.refined(t.string, 'an integer from 1 to 100, in a string', (s) => /^([1-9][0-9]?|100)?$/.test(s))
/** The most types in one query, because each type reads the index once. */
export const TYPES_MAX = 50
const Type = t.refined(t.string, 'a type of activities', (s) => s.length <= 128)

const Cursor = t.refined(t.string, 'the id of an activity', (s) => s === '' || t.Uuid.is(s))
const Pagination = t.fields({}, { limit: Limit, before: Cursor, after: Cursor }, ({ before, after }) =>
  before && after ? { member: 'after', expected: 'only one of before and after' } : undefined,
)

/**
 * A page is newest first. The page behind `after` has the nearest newer activities, also newest first. A page is shorter than its limit if
 * its activities are very long.
 */
export const listActivities = query({
  path: 'list_activities',
  summary: 'Lists activities, newest first, a page at a time.',
  request: t.fields(
    { organizationId: t.Uuid },
    { filterByStatus: t.list(ActivityStatus), filterByType: t.list(Type), paginationOptions: Pagination },
    ({ filterByType = [] }) =>
      new Set(filterByType).size > TYPES_MAX
        ? { member: 'filterByType', expected: `at most ${TYPES_MAX} types` }
        : undefined,
  ),
  answer: t.fields({ activities: t.readonlyArray(ShownActivity) }),
  run: async ({ filterByStatus = [], filterByType = [], paginationOptions = {} }, context) => {
    const unknown = filterByType.findIndex((type) => !publicTypes.has(type) && !context.knowsType(type))
    if (unknown >= 0) throw refused(`filterByType.${unknown}`, 'expected a type of activities')
    const { limit, before, after } = paginationOptions
    const activityIds = await context.activityIds({
      limit: Number(limit || 10),
      ascending: Boolean(after),
      after: await orderOf(before ? 'before' : 'after', before || after, context),
      statuses: filterByStatus.length === 0 ? undefined : filterByStatus,
      types: filterByType.length === 0 ? undefined : filterByType,
    })
    // If the page is too long, the activities farthest from the cursor are left out.
    const activities = await context.activities(activityIds)
    return { activities: after ? activities.toReversed() : activities }
  },
})

const orderOf = async (
  member: string,
  activityId: string | undefined,
  context: QueryContext,
): Promise<bigint | undefined> => {
  if (!activityId) return undefined
  const order = await context.beginningOf(activityId.toLowerCase())
  if (order !== undefined) return order
  const field = `paginationOptions.${member}`
  throw refused(field, 'expected the id of an activity of the organization', 'no such activity')
}

const refused = (field: string, description: string, message = description): Refusal =>
  refusal(fieldViolations(`invalid request body at ${field}: ${message}`, [{ field, description }]))
