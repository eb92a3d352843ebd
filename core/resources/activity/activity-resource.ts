import { resource } from '../../definition/resource.ts'
import { getActivity } from './get-activity.ts'
import { listActivities } from './list-activities.ts'
import { getPolicyEvaluations } from './get-policy-evaluations.ts'

export { getActivity, listActivities, getPolicyEvaluations }

export const activityResource = resource({
  name: 'activities',
  queries: [getActivity, listActivities, getPolicyEvaluations],
})
