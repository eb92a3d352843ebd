import type { Resource } from '../definition/resource.ts'
import { activityResource } from './activity/activity-resource.ts'
import { authenticatorResource } from './authenticator/authenticator-resource.ts'
import { apiKeyResource } from './api-key/api-key-resource.ts'
import { organizationResource } from './organization/organization-resource.ts'
import { eraseUser, knownErasures } from './erasure/erasure.ts'
import { featureResource } from './feature/feature-resource.ts'
import { policyResource } from './policy/policy-resource.ts'
import { quorumResource } from './quorum/quorum-resource.ts'
import { userResource } from './user/user-resource.ts'
import { userTagResource } from './user-tag/user-tag-resource.ts'

/** Every resource of the public API that this version offers. */
export const publicApi: readonly Resource[] = [
  organizationResource,
  userResource,
  apiKeyResource,
  authenticatorResource,
  userTagResource,
  policyResource,
  quorumResource,
  featureResource,
  activityResource,
]

/** The resources, with those added that are needed to read logs: what creates organizations, and what erases personal data. */
export const withBeginning = (resources: readonly Resource[]): readonly Resource[] => {
  const begun = resources.includes(organizationResource) ? resources : [organizationResource, ...resources]
  return begun.some(({ operations }) => operations.includes(eraseUser)) ? begun : [...begun, knownErasures]
}
