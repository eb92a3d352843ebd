import { createApiKeys } from './api-key/create-api-keys.ts'
import { deleteApiKeys } from './api-key/delete-api-keys.ts'
import type { Operation } from './operation.ts'
import { createPolicies } from './policy/create-policies.ts'
import { createPolicy } from './policy/create-policy.ts'
import { deletePolicies } from './policy/delete-policies.ts'
import { deletePolicy } from './policy/delete-policy.ts'
import { updatePolicy } from './policy/update-policy.ts'
import { updateRootQuorum } from './quorum/update-root-quorum.ts'
import { createUserTag } from './user-tag/create-user-tag.ts'
import { deleteUserTags } from './user-tag/delete-user-tags.ts'
import { updateUserTag } from './user-tag/update-user-tag.ts'
import { createUsers } from './user/create-users.ts'
import { deleteUsers } from './user/delete-users.ts'
import { updateUser } from './user/update-user.ts'

/** Every operation that has a route. `createOrganization` has none: it is how an organization begins. */
export const publicApi: readonly Operation[] = [
  createUsers,
  updateUser,
  deleteUsers,
  createApiKeys,
  deleteApiKeys,
  createUserTag,
  updateUserTag,
  deleteUserTags,
  createPolicy,
  createPolicies,
  updatePolicy,
  deletePolicy,
  deletePolicies,
  updateRootQuorum,
]
