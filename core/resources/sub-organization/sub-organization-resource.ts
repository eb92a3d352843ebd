import { resource } from '../../definition/resource.ts'
import { createSubOrganization } from './create-sub-organization.ts'
import { deleteSubOrganization } from './delete-sub-organization.ts'
import { findVerifiedUser } from './find-verified-user.ts'
import { listSuborgs } from './list-suborgs.ts'
import { listVerifiedSuborgs } from './list-verified-suborgs.ts'
import { subOrganizations } from './sub-organizations.ts'

export { createSubOrganization, deleteSubOrganization, findVerifiedUser, listSuborgs, listVerifiedSuborgs }

export const subOrganizationResource = resource({
  name: 'sub-organizations',
  operations: [createSubOrganization, deleteSubOrganization],
  queries: [listSuborgs, listVerifiedSuborgs, findVerifiedUser],
  projections: [subOrganizations],
})
