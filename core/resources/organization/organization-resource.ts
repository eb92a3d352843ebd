import { resource } from '../../definition/resource.ts'
import { denials } from '../../organization/denials.ts'
import { profile } from '../../organization/profile.ts'
import { history } from '../../organization/history.ts'
import { allowedOrigins } from '../../organization/origins.ts'
import { createOrganization } from './create-organization.ts'
import { deleteOrganization } from './delete-organization.ts'
import { getOrganization } from './get-organization.ts'
import { getOrganizationConfigs } from './get-organization-configs.ts'
import { updateAllowedOrigins } from './update-allowed-origins.ts'
import { updateOrganizationName } from './update-organization-name.ts'

export {
  createOrganization,
  deleteOrganization,
  getOrganization,
  getOrganizationConfigs,
  updateAllowedOrigins,
  updateOrganizationName,
}

export const organizationResource = resource({
  name: 'organizations',
  states: [profile, history, denials, allowedOrigins],
  operations: [updateOrganizationName, updateAllowedOrigins, deleteOrganization],
  unrouted: [createOrganization],
  queries: [getOrganization, getOrganizationConfigs],
})
