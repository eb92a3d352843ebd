import * as t from '../../codec/t.ts'
import { query } from '../../definition/query.ts'
import { pageOf, pagination, refusedAt } from '../pagination.ts'
import { publicTypes } from '../public-names.ts'
import { ShownActivity } from '../../view/activity-view.ts'

const ActivityStatus = t.keyof({
  ACTIVITY_STATUS_CREATED: null,
  ACTIVITY_STATUS_PENDING: null,
  ACTIVITY_STATUS_COMPLETED: null,
  ACTIVITY_STATUS_FAILED: null,
  ACTIVITY_STATUS_CONSENSUS_NEEDED: null,
  ACTIVITY_STATUS_REJECTED: null,
  ACTIVITY_STATUS_AUTHENTICATORS_NEEDED: null,
})

/** The most types in one query, because each type reads the index once. */
export const TYPES_MAX = 50
const Type = t.refined(t.string, 'a type of activities', (s) => s.length <= 128)

/** A page is shorter than its limit if its activities are very long. */
export const listActivities = query({
  path: 'list_activities',
  summary: 'Lists activities, newest first, a page at a time.',
  request: t.fields(
    { organizationId: t.Uuid },
    {
      filterByStatus: t.list(ActivityStatus),
      filterByType: t.list(Type),
      paginationOptions: pagination('an activity'),
    },
    ({ filterByType = [] }) =>
      new Set(filterByType).size > TYPES_MAX
        ? { member: 'filterByType', expected: `at most ${TYPES_MAX} types` }
        : undefined,
  ),
  answer: t.fields({ activities: t.readonlyArray(ShownActivity) }),
  run: async ({ filterByStatus = [], filterByType = [], paginationOptions = {} }, context) => {
    const unknown = filterByType.findIndex((type) => !publicTypes.has(type) && !context.knowsType(type))
    if (unknown >= 0) throw refusedAt(`filterByType.${unknown}`, 'expected a type of activities')
    const page = await pageOf(paginationOptions, 'an activity of the organization', context.beginningOf)
    const activityIds = await context.activityIds({
      ...page,
      statuses: filterByStatus.length === 0 ? undefined : filterByStatus,
      types: filterByType.length === 0 ? undefined : filterByType,
    })
    // If the page is too long, the activities farthest from the cursor are left out.
    const activities = await context.activities(activityIds)
    return { activities: page.ascending ? activities.toReversed() : activities }
  },
})
