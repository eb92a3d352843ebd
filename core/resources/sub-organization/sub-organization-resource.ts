import { resource } from '../../definition/resource.ts'
import { createSubOrganization } from './create-sub-organization.ts'
import { deleteSubOrganization } from './delete-sub-organization.ts'

export { createSubOrganization, deleteSubOrganization }

export const subOrganizationResource = resource({
  name: 'sub-organizations',
  operations: [createSubOrganization, deleteSubOrganization],
})
