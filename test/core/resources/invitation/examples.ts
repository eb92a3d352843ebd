import { acceptInvitation } from '../../../../core/resources/invitation/accept-invitation.ts'
import { createInvitations } from '../../../../core/resources/invitation/create-invitations.ts'
import { deleteInvitation } from '../../../../core/resources/invitation/delete-invitation.ts'
import { createUserTag } from '../../../../core/resources/user-tag/create-user-tag.ts'
import { newPasskey, olderPasskey } from '../authenticator/new-passkey.ts'
import { example, NOBODY, PERSONAL, type Scene } from '../example.ts'

const anyInvitation = async ({ text, root, made }: Scene) => ({
  receiverUserName: text('receiverUserName'),
  receiverUserEmail: `${text('receiverUserEmail')}@example.com`,
  receiverUserTags: [(await made(createUserTag)).userTagId],
  accessType: 'ACCESS_TYPE_ALL',
  senderUserId: root,
})

/** Whom an invitation is for, who gets its id. */
const invited = async ({ made }: Scene) => {
  const [invitationId = NOBODY] = (await made(createInvitations)).invitationIds
  return { invitationId, userId: invitationId }
}

export const examples = [
  example(createInvitations, {
    valid: async (scene) => ({ invitations: [await anyInvitation(scene)] }),
    refused: [
      async (scene) => ({ invitations: [{ ...(await anyInvitation(scene)), senderUserId: NOBODY }] }),
      'RESOURCE_NOT_FOUND',
    ],
  }),
  example(deleteInvitation, {
    valid: async (scene) => ({ invitationId: (await invited(scene)).invitationId }),
    refused: [{ invitationId: NOBODY }, 'RESOURCE_NOT_FOUND'],
  }),
  example(acceptInvitation, {
    valid: async (scene) => ({ ...(await invited(scene)), authenticator: newPasskey(scene) }),
    older: {
      ACTIVITY_TYPE_ACCEPT_INVITATION: async (scene) => {
        const { invitationId, userId } = await invited(scene)
        return { invitationId, userId, authenticator: { ...olderPasskey(scene), userId } }
      },
    },
    refused: [
      (scene) => ({ invitationId: NOBODY, userId: NOBODY, authenticator: newPasskey(scene) }),
      'RESOURCE_NOT_FOUND',
    ],
  }),
]

export const texts = {
  receiverUserName: PERSONAL,
  receiverEmail: PERSONAL,
  accessType: 'which of three doors it is',
  receiverUserTags: 'ids of tags',
}
