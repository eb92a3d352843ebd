import * as t from '../../codec/t.ts'
import { refuse } from '../../definition/refuse.ts'
import { deletedUsers } from '../../organization/deleted-users.ts'
import { state, type DeepReadonly, type Draft, type Organization } from '../../organization/state.ts'
import { AccessType } from '../user/user-params.ts'

export const InvitationStatus = t.keyof({
  INVITATION_STATUS_CREATED: null,
  INVITATION_STATUS_ACCEPTED: null,
  INVITATION_STATUS_REVOKED: null,
})
type InvitationStatus = t.TypeOf<typeof InvitationStatus>

const Invitation = t.fields({
  invitationId: t.string,
  receiverUserName: t.string,
  receiverEmail: t.string,
  receiverUserTags: t.array(t.string),
  accessType: AccessType,
  senderUserId: t.string,
  status: InvitationStatus,
  createdAtMs: t.number,
  updatedAtMs: t.number,
})
export type Invitation = DeepReadonly<t.TypeOf<typeof Invitation>>

/** The invitations, by id: open ones in order of creation, ended ones in the order in which they ended. */
export const invitations = state({
  name: 'invitations',
  version: 1,
  codec: t.mapOf(Invitation),
  initial: () => new Map(),
})

/** How many ended invitations are remembered, so that the state cannot grow for ever. */
export const ENDED_INVITATIONS_MAX = 100

const isOpen = ({ status }: Pick<Invitation, 'status'>): boolean => status === 'INVITATION_STATUS_CREATED'

export const openCount = (organization: Organization): number =>
  [...invitations.of(organization).values()].filter(isOpen).length

/** An invitation that can be accepted or revoked; refuses any other. */
export const openInvitation = (invitationId: string, organization: Organization): Invitation => {
  const found = invitations.of(organization).get(invitationId)
  if (found === undefined) throw refuse.notFound('invitation', invitationId, organization)
  if (!isOpen(found)) throw refuse.field('invitationId', 'an invitation that was neither accepted nor revoked')
  return found
}

/** Ends an invitation. If too many have ended, the one that ended first is forgotten. */
export const endInvitation = (
  draft: Draft,
  invitationId: string,
  status: Exclude<InvitationStatus, 'INVITATION_STATUS_CREATED'>,
  updatedAtMs: number,
): void => {
  const rows = invitations.in(draft)
  const found = rows.get(invitationId)
  if (found === undefined) return
  rows.delete(invitationId) // to stand behind those that ended before
  rows.set(invitationId, { ...found, status, updatedAtMs })
  const ended = [...rows.values()].filter((one) => !isOpen(one))
  for (const { invitationId: id } of ended.slice(0, -ENDED_INVITATIONS_MAX)) rows.delete(id)
}

/** Lets `erase_user` name the person who was invited by the id of the invitation: nobody goes by that id any more. */
export const releaseInvited = (draft: Draft, invitationId: string, sequence: bigint): void => {
  deletedUsers.in(draft).set(invitationId, { sequence: String(sequence), isErased: false })
}
