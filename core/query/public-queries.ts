import { getActivity } from './activity/get-activity.ts'
import { getPolicyEvaluations } from './activity/get-policy-evaluations.ts'
import { listActivities } from './activity/list-activities.ts'
import { getApiKey } from './api-key/get-api-key.ts'
import { getApiKeys } from './api-key/get-api-keys.ts'
import { getOrganizationConfigs } from './organization/get-organization-configs.ts'
import { getPolicy } from './policy/get-policy.ts'
import { listPolicies } from './policy/list-policies.ts'
import type { Query } from './query.ts'
import { listUserTags } from './user-tag/list-user-tags.ts'
import { getUser } from './user/get-user.ts'
import { listUsers } from './user/list-users.ts'
import { whoami } from './user/whoami.ts'

/** Every question of the public API that this version answers. */
export const publicQueries: readonly Query[] = [
  whoami,
  getActivity,
  listActivities,
  getPolicyEvaluations,
  getUser,
  listUsers,
  getApiKey,
  getApiKeys,
  listUserTags,
  getPolicy,
  listPolicies,
  getOrganizationConfigs,
]
