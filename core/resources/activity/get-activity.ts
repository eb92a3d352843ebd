import { Uuid } from '../../codec/codec.ts'
import { fields } from '../../codec/fields.ts'
import { pipe, TE } from '../../prelude.ts'
import { query } from '../../definition/query.ts'
import { ShownActivity } from '../../view/activity-view.ts'

export const getActivity = query({
  path: 'get_activity',
  summary: 'Shows an activity.',
  request: fields({ organizationId: Uuid, activityId: Uuid }),
  answer: fields({ activity: ShownActivity }),
  run: ({ activityId }, context) =>
    pipe(
      context.activity(activityId),
      TE.map((activity) => ({ activity })),
    ),
})
