import * as t from 'io-ts'
import { Uuid } from '../../codec/codec.ts'
import { fields } from '../../codec/fields.ts'
import { pipe, TE } from '../../prelude.ts'
import { query } from '../../definition/query.ts'
import { ShownEvaluations } from '../../view/activity-view.ts'

export const getPolicyEvaluations = query({
  path: 'get_policy_evaluations',
  summary: 'Shows what each policy said at each vote on an activity.',
  request: fields({ organizationId: Uuid, activityId: Uuid }),
  answer: fields({ policyEvaluations: t.readonlyArray(ShownEvaluations) }),
  run: ({ activityId }, context) =>
    pipe(
      context.evaluations(activityId),
      TE.map((policyEvaluations) => ({ policyEvaluations })),
    ),
})
