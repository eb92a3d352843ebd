import { Uuid } from '../../codec.ts'
import { fields } from '../../operations/fields.ts'
import { pipe, TE } from '../../prelude.ts'
import { query } from '../query.ts'

export const getActivity = query({
  path: 'get_activity',
  summary: 'Shows an activity.',
  request: fields({ organizationId: Uuid, activityId: Uuid }),
  answers: ['activity'],
  answer: ({ activityId }, context) =>
    pipe(
      context.activity(activityId),
      TE.map((activity) => ({ activity })),
    ),
})
