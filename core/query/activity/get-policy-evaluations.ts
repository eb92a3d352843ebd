import { Uuid } from '../../codec.ts'
import { fields } from '../../operations/fields.ts'
import { pipe, TE } from '../../prelude.ts'
import { query } from '../query.ts'

export const getPolicyEvaluations = query({
  path: 'get_policy_evaluations',
  summary: 'Shows what each policy said at each vote on an activity.',
  request: fields({ organizationId: Uuid, activityId: Uuid }),
  answers: ['policyEvaluations'],
  answer: ({ activityId }, context) =>
    pipe(
      context.evaluations(activityId),
      TE.map((policyEvaluations) => ({ policyEvaluations })),
    ),
})
