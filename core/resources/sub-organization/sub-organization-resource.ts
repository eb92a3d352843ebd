import { resource } from '../../definition/resource.ts'
import { createSubOrganization } from './create-sub-organization.ts'
import { deleteSubOrganization } from './delete-sub-organization.ts'
import { listSuborgs } from './list-suborgs.ts'
import { subOrganizations } from './sub-organizations.ts'

export { createSubOrganization, deleteSubOrganization, listSuborgs }

export const subOrganizationResource = resource({
  name: 'sub-organizations',
  operations: [createSubOrganization, deleteSubOrganization],
  queries: [listSuborgs],
  projections: [subOrganizations],
})
