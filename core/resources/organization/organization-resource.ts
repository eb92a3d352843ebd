import { resource } from '../../definition/resource.ts'
import { profile } from '../../organization/profile.ts'
import { history } from '../../organization/history.ts'
import { createOrganization } from './create-organization.ts'
import { getOrganizationConfigs } from './get-organization-configs.ts'

export { createOrganization, getOrganizationConfigs }

export const organizationResource = resource({
  name: 'organizations',
  states: [profile, history],
  unrouted: [createOrganization],
  queries: [getOrganizationConfigs],
})
