import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { refusal, refuse } from '../../definition/refuse.ts'
import { organizationNotFound } from '../../organization/ended.ts'
import { profile } from '../../organization/profile.ts'
import { onlyOnTop } from '../only-on-top.ts'
import { destroysAll } from '../wallet/destroys.ts'

const Ended = t.fields({ organizationId: t.Uuid })

/**
 * Ends the requester's own organization, for good. From then on everything in it is `ORGANIZATION_NOT_FOUND`: what waits for approvals can
 * be neither approved nor rejected, and nobody's data can be erased any more. Effects that were started come to their end. The log stays. An
 * organization that has begun others below it cannot be ended. The secrets of its wallets and private keys are destroyed first.
 */
export const deleteOrganization = operation({
  type: 'ACTIVITY_TYPE_DELETE_ORGANIZATION',
  path: 'delete_organization',
  summary: 'Ends the organization and destroys its keys: everything in it is not found any more, and its log stays.',
  resource: 'ORGANIZATION',
  action: 'DELETE',
  intent: Ended,
  result: Ended,
  change: Ended,

  check: (intent, { organization, attempt }) => {
    const { organizationId } = organization
    if (attempt > 1) return organizationId
    onlyOnTop(organization)
    if (profile.of(organization).firstChildAt !== undefined)
      throw refuse('REQUEST_INVALID', 'expected an organization that never had others below it')
    if (intent.organizationId !== organizationId) throw refusal(organizationNotFound(intent.organizationId))
    return organizationId
  },
  perform: destroysAll,

  execute: (intent) => ({ result: intent, change: intent }),

  evolve: (draft, _, { activityId, sequence }) => {
    profile.in(draft).endedBy = activityId
    profile.in(draft).endedAt = String(sequence)
  },
})
