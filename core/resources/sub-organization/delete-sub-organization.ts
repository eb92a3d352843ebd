import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { refuse } from '../../definition/refuse.ts'
import { parentOf, profile } from '../../organization/profile.ts'
import { quorum } from '../../organization/quorum.ts'
import { privateKeys } from '../private-key/private-keys.ts'
import { checkExported, destroysAll } from '../wallet/destroys.ts'
import { wallets } from '../wallet/wallets.ts'

/**
 * Ends an organization below another one, for good. A root user of it asks for it. From then on nobody finds it; only the requester's same
 * body still gets the activity. Of its parent's users it takes `erase_user`.
 */
export const deleteSubOrganization = operation({
  type: 'ACTIVITY_TYPE_DELETE_SUB_ORGANIZATION',
  path: 'delete_sub_organization',
  summary:
    'Ends the organization, which is below another one, and destroys its keys: it is not found any more, and its log stays.',
  resource: 'ORGANIZATION',
  action: 'DELETE',
  intent: t.fields({}, { deleteWithoutExport: t.boolean }),
  result: t.fields({ subOrganizationUuid: t.string }),
  change: t.fields({}),

  check: ({ deleteWithoutExport }, { organization, requester, attempt }) => {
    if (attempt > 1) return organization.organizationId
    if (parentOf(organization) === undefined)
      throw refuse('INVALID_ACTIVITY_CALLER', 'expected an organization below another one')
    if (!quorum.of(organization).userIds.includes(requester))
      throw refuse('REQUEST_NOT_AUTHORIZED', 'request not authorized: expected a root user of this organization')
    checkExported([...wallets.of(organization).values()], deleteWithoutExport, 'wallet')
    checkExported([...privateKeys.of(organization).values()], deleteWithoutExport, 'private key')
    return organization.organizationId
  },
  perform: destroysAll,

  execute: (_, { organization: { organizationId } }) => ({
    result: { subOrganizationUuid: organizationId },
    change: {},
  }),

  evolve: (draft, _, { activityId, sequence }) => {
    profile.in(draft).endedBy = activityId
    profile.in(draft).endedAt = String(sequence)
  },
})
