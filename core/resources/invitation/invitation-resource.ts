import { resource } from '../../definition/resource.ts'
import { acceptInvitation } from './accept-invitation.ts'
import { createInvitations } from './create-invitations.ts'
import { deleteInvitation } from './delete-invitation.ts'
import { invitationLimits } from './invitation-limits.ts'
import { invitations } from './invitations.ts'

export { createInvitations, deleteInvitation, acceptInvitation, invitations }
export type { Invitation } from './invitations.ts'

export const invitationResource = resource({
  name: 'invitations',
  states: [invitations],
  limits: invitationLimits,
  operations: [createInvitations, deleteInvitation, acceptInvitation],
  queries: [],
})
