import { createAuthenticators } from '../../../../core/resources/authenticator/create-authenticators.ts'
import { deleteAuthenticators } from '../../../../core/resources/authenticator/delete-authenticators.ts'
import { getAuthenticator } from '../../../../core/resources/authenticator/get-authenticator.ts'
import { getAuthenticators } from '../../../../core/resources/authenticator/get-authenticators.ts'
import { asking, AUDITED, example, NOBODY, PERSONAL } from '../example.ts'
import { newPasskey, olderPasskey } from './new-passkey.ts'

const MODEL = 'what kind of authenticator it is, which many persons have'

export const examples = [
  example(createAuthenticators, {
    valid: (scene) => ({ userId: scene.user, authenticators: [newPasskey(scene)] }),
    older: {
      ACTIVITY_TYPE_CREATE_AUTHENTICATORS: (scene) => ({ userId: scene.user, authenticators: [olderPasskey(scene)] }),
    },
    refused: [(scene) => ({ userId: NOBODY, authenticators: [newPasskey(scene)] }), 'RESOURCE_NOT_FOUND'],
  }),
  example(deleteAuthenticators, {
    valid: async ({ made, user: userId }) => ({
      userId,
      authenticatorIds: (await made(createAuthenticators)).authenticatorIds,
    }),
    refused: [({ user: userId }) => ({ userId, authenticatorIds: [NOBODY] }), 'RESOURCE_NOT_FOUND'],
  }),
  asking(
    getAuthenticator,
    async ({ made }) => {
      const [authenticatorId] = (await made(createAuthenticators)).authenticatorIds
      return { request: { authenticatorId }, shows: { authenticator: { authenticatorId } } }
    },
    { refused: [{ authenticatorId: NOBODY }, 'RESOURCE_NOT_FOUND'] },
  ),
  asking(
    getAuthenticators,
    async ({ made, user: userId }) => {
      const [authenticatorId] = (await made(createAuthenticators)).authenticatorIds
      return { request: { userId }, shows: { authenticators: [{ authenticatorId }] } }
    },
    { refused: [{ userId: NOBODY }, 'RESOURCE_NOT_FOUND'] },
  ),
]

export const texts = {
  authenticatorName: PERSONAL,
  publicKey: AUDITED,
  webauthnId: AUDITED,
  rpIdHash: AUDITED,
  aaguid: MODEL,
  format: MODEL,
  transports: MODEL,
}
