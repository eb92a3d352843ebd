import * as t from '../../codec/t.ts'
import { operation } from '../../definition/operation.ts'
import { endInvitation, openInvitation, releaseInvited } from './invitations.ts'

const Revoked = t.fields({ invitationId: t.Uuid })

/** The record of the invitation stays, as revoked. */
export const deleteInvitation = operation({
  type: 'ACTIVITY_TYPE_DELETE_INVITATION',
  path: 'delete_invitation',
  summary: 'Revokes an open invitation: it cannot be accepted any more.',
  resource: 'INVITATION',
  action: 'DELETE',
  intent: Revoked,
  result: Revoked,
  change: Revoked,

  execute: (intent, { organization }) => {
    openInvitation(intent.invitationId, organization)
    return { result: intent, change: intent }
  },

  evolve: (draft, { invitationId }, { atMs, sequence }) => {
    endInvitation(draft, invitationId, 'INVITATION_STATUS_REVOKED', atMs)
    releaseInvited(draft, invitationId, sequence)
  },
})
