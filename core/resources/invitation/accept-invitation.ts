import * as t from '../../codec/t.ts'
import { decodes, operation } from '../../definition/operation.ts'
import { refuse } from '../../definition/refuse.ts'
import { deletedUsers } from '../../organization/deleted-users.ts'
import type { Organization } from '../../organization/state.ts'
import { users } from '../../organization/users.ts'
import { AuthenticatorParams, AuthenticatorParamsV2, toV2 } from '../authenticator/authenticator-params.ts'
import { admitAuthenticators, attestedIn, needsAttestations } from '../authenticator/new-authenticators.ts'
import { addUser, newUsers, NewUser } from '../user/new-users.ts'
import { userTags } from '../user-tag/user-tags.ts'
import { endInvitation, openInvitation, releaseInvited } from './invitations.ts'

const passkeyOf = ({ authenticator }: { readonly authenticator: AuthenticatorParamsV2 }) => [
  { field: 'authenticator', params: authenticator },
]

/**
 * Submitted by a user who may create users, because the invited person has no credential yet. Tags that were deleted meanwhile are left
 * out, as they were taken from all who had them.
 */
export const acceptInvitation = operation({
  type: 'ACTIVITY_TYPE_ACCEPT_INVITATION_V2',
  path: 'accept_invitation',
  summary: 'Creates the user who was invited, with a passkey, and ends the invitation.',
  resource: 'USER',
  action: 'CREATE',
  intent: t.fields({ invitationId: t.Uuid, userId: t.Uuid, authenticator: AuthenticatorParamsV2 }),
  result: t.fields({ invitationId: t.string, userId: t.string }),
  change: t.fields({ invitationId: t.string, users: t.array(NewUser) }),
  versions: [
    {
      type: 'ACTIVITY_TYPE_ACCEPT_INVITATION',
      ...decodes(
        t.fields({ invitationId: t.Uuid, userId: t.Uuid, authenticator: AuthenticatorParams }),
        ({ authenticator, ...intent }) => {
          if (authenticator.userId !== intent.userId) throw refuse.field('authenticator.userId', 'the userId beside it')
          return { ...intent, authenticator: toV2(authenticator) }
        },
      ),
    },
  ],

  subjects: ({ userId, invitationId }) => [userId, invitationId],
  admit: (intent) => admitAuthenticators(passkeyOf(intent)),
  inspectNeeds: needsAttestations,
  inspect: (intent, { ports }) => attestedIn(ports.attestations, passkeyOf(intent)),

  execute: ({ invitationId, userId }, context) => {
    const { organization, inspected } = context
    const { receiverUserName, receiverEmail, receiverUserTags } = openInvitation(invitationId, organization)
    if (userId !== invitationId) checkNewUserId(userId, organization)
    const params = {
      userId,
      userName: receiverUserName,
      userEmail: receiverEmail,
      userTags: receiverUserTags.filter((tagId) => userTags.of(organization).has(tagId)),
      apiKeys: [],
    }
    const created = newUsers('authenticator', [params], context, { registrations: [inspected] })
    return { result: { invitationId, userId }, change: { invitationId, users: created } }
  },

  evolve: (draft, { invitationId, users: created }, { atMs, sequence }) => {
    for (const user of created) addUser(draft, user, atMs)
    endInvitation(draft, invitationId, 'INVITATION_STATUS_ACCEPTED', atMs)
    if (!users.of(draft).has(invitationId)) releaseInvited(draft, invitationId, sequence)
  },
})

/**
 * Refuses an id that belongs to somebody, or did. Ids that the engine derives are UUIDs of version 8: whoever chose one could take the id
 * of an invited person, or that of a user whom a later request creates, and who would then take the place of this one.
 */
const checkNewUserId = (userId: string, organization: Organization): void => {
  if (userId.charAt(VERSION_AT) === '8')
    throw refuse.field('userId', 'the id of the invitation, or a UUID of another version than 8')
  if (users.of(organization).has(userId) || deletedUsers.of(organization).has(userId))
    throw refuse.field('userId', 'an id that no user has or had')
}

const VERSION_AT = 14
