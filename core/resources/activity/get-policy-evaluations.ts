import * as t from '../../codec/t.ts'
import { query } from '../../definition/query.ts'
import { ShownEvaluations } from '../../view/activity-view.ts'

export const getPolicyEvaluations = query({
  path: 'get_policy_evaluations',
  summary: 'Shows what each policy said at each vote on an activity.',
  request: t.fields({ organizationId: t.Uuid, activityId: t.Uuid }),
  answer: t.fields({ policyEvaluations: t.readonlyArray(ShownEvaluations) }),
  run: async ({ activityId }, context) => ({ policyEvaluations: await context.evaluations(activityId) }),
})
