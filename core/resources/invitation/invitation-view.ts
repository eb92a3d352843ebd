import * as t from '../../codec/t.ts'
import { shownTimes, withTimes } from '../records.ts'
import { AccessType } from '../user/user-params.ts'
import { InvitationStatus, type Invitation } from './invitations.ts'

/** An invitation as the wire shows it. */
export const InvitationView = t.named(
  'Invitation',
  t.fields({
    invitationId: t.Uuid,
    receiverUserName: t.string,
    receiverEmail: t.string,
    receiverUserTags: t.readonlyArray(t.string),
    accessType: AccessType,
    status: InvitationStatus,
    ...shownTimes,
    senderUserId: t.Uuid,
  }),
)
export type InvitationView = t.TypeOf<typeof InvitationView>

export const invitationView = (invitation: Invitation): InvitationView => withTimes(invitation)
