import { getActivity } from '../../../../core/resources/activity/get-activity.ts'
import { getPolicyEvaluations } from '../../../../core/resources/activity/get-policy-evaluations.ts'
import { listActivities } from '../../../../core/resources/activity/list-activities.ts'
import { asking, NOBODY } from '../example.ts'

export const examples = [
  asking(
    getActivity,
    async ({ activity }) => {
      const { id } = await activity()
      return { request: { activityId: id }, shows: { activity: { id, status: 'ACTIVITY_STATUS_COMPLETED' } } }
    },
    { refused: [{ activityId: NOBODY }, 'ACTIVITY_NOT_FOUND'] },
  ),
  asking(
    getPolicyEvaluations,
    async ({ activity }) => {
      const { id: activityId } = await activity()
      return { request: { activityId }, shows: { policyEvaluations: [{ activityId }] } }
    },
    { refused: [{ activityId: NOBODY }, 'ACTIVITY_NOT_FOUND'] },
  ),
  asking(
    listActivities,
    async ({ activity }) => {
      const { id } = await activity()
      const paginationOptions = { limit: '3' }
      const filterByStatus = ['ACTIVITY_STATUS_COMPLETED']
      return { request: { paginationOptions, filterByStatus }, shows: { activities: [{ id }] } }
    },
    { refused: [{ paginationOptions: { limit: '0' } }, 'REQUEST_INVALID'] },
  ),
]
