import { createReadOnlySession } from '../../../../core/resources/session/create-read-only-session.ts'
import { createReadWriteSession } from '../../../../core/resources/session/create-read-write-session.ts'
import { stampLogin } from '../../../../core/resources/session/stamp-login.ts'
import { createUsers } from '../../../../core/resources/user/create-users.ts'
import { getUser } from '../../../../core/resources/user/get-user.ts'
import { AUDITED, example, NOBODY, ORGANIZATION, PERSONAL } from '../example.ts'

export const examples = [
  example(stampLogin, {
    valid: ({ publicKey }) => ({ publicKey: publicKey(), expirationSeconds: '3600', invalidateExisting: false }),
    shows: () => ({ publicKey: undefined, expirationSeconds: undefined, invalidateExisting: undefined }),
    refused: [({ publicKey }) => ({ publicKey: publicKey(), sessionProfileId: NOBODY }), 'REQUEST_INVALID'],
  }),
  example(createReadWriteSession, {
    valid: ({ border, user, text }) => ({
      targetPublicKey: border.targetPublicKey(),
      userId: user,
      apiKeyName: text('apiKeyName'),
      expirationSeconds: '3600',
      invalidateExisting: true,
    }),
    older: {
      ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION: async ({ border, made, asked, text }) => {
        const [userId = ''] = (await made(createUsers)).userIds
        const { user } = await asked(getUser, { userId })
        return {
          targetPublicKey: border.targetPublicKey(),
          email: user.userEmail,
          apiKeyName: text('apiKeyName'),
          expirationSeconds: '900',
        }
      },
    },
    refused: [({ border }) => ({ targetPublicKey: border.targetPublicKey(), userId: NOBODY }), 'RESOURCE_NOT_FOUND'],
  }),
  example(createReadOnlySession, { valid: () => ({}), refused: [null, 'REQUEST_INVALID'] }),
]

export const texts = {
  publicKey: AUDITED,
  session: PERSONAL,
  credentialBundle: PERSONAL,
  username: PERSONAL,
  scope: ORGANIZATION,
  issued: 'it says how the key came about',
  organizationName: ORGANIZATION,
}
