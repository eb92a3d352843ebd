import * as t from '../../codec/t.ts'
import { query } from '../../definition/query.ts'
import { ShownActivity } from '../../view/activity-view.ts'

export const getActivity = query({
  path: 'get_activity',
  // While a factor is missing, clients ask in the organization in which they have signed in.
  searchesBelow: true,
  summary: 'Shows an activity.',
  request: t.fields({ organizationId: t.Uuid, activityId: t.Uuid }),
  answer: t.fields({ activity: ShownActivity }),
  run: async ({ activityId }, context) => ({ activity: await context.activity(activityId) }),
})
