import { resource } from '../../definition/resource.ts'
import { deleteSubOrganization } from './delete-sub-organization.ts'

export { deleteSubOrganization }

export const subOrganizationResource = resource({
  name: 'sub-organizations',
  operations: [deleteSubOrganization],
})
