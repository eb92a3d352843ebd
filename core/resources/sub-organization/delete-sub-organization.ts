import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { refuse } from '../../definition/refuse.ts'
import { parentOf, profile } from '../../organization/profile.ts'
import { quorum } from '../../organization/quorum.ts'

/** Whether its wallets may go without having been exported. It has no effect yet, because there are no wallets. */
const WithoutExport = t.described(t.boolean, 'read, without an effect')

/**
 * Ends an organization below another one, for good. A root user of it asks for it. From then on nobody finds it; only the requester's same
 * body still gets the activity. Of its parent's users it takes `erase_user`.
 */
export const deleteSubOrganization = operation({
  type: 'ACTIVITY_TYPE_DELETE_SUB_ORGANIZATION',
  path: 'delete_sub_organization',
  summary:
    'Ends the organization, which is below another one: everything in it is not found any more, and its log stays.',
  resource: 'ORGANIZATION',
  action: 'DELETE',
  intent: t.fields({}, { deleteWithoutExport: WithoutExport }),
  result: t.fields({ subOrganizationUuid: t.string }),
  change: t.fields({}),

  execute: (_, { organization, requester }) => {
    if (parentOf(organization) === undefined)
      throw refuse('INVALID_ACTIVITY_CALLER', 'expected an organization below another one')
    if (!quorum.of(organization).userIds.includes(requester))
      throw refuse('REQUEST_NOT_AUTHORIZED', 'request not authorized: expected a root user of this organization')
    return { result: { subOrganizationUuid: organization.organizationId }, change: {} }
  },

  evolve: (draft, _, { activityId, sequence }) => {
    profile.in(draft).endedBy = activityId
    profile.in(draft).endedAt = String(sequence)
  },
})
