import { emailAuth } from '../../../../core/resources/mailed-credential/email-auth.ts'
import { initUserEmailRecovery } from '../../../../core/resources/mailed-credential/init-user-email-recovery.ts'
import { recoverUser } from '../../../../core/resources/mailed-credential/recover-user.ts'
import { updateUserEmail } from '../../../../core/resources/user/update-user-email.ts'
import { newPasskey } from '../authenticator/new-passkey.ts'
import { example, NOBODY, type Members, type Scene } from '../example.ts'
import { customization } from '../otp/examples.ts'

const mailed = async (scene: Scene): Promise<Members> => {
  const email = `${scene.text('email')}@example.com`
  await scene.made(updateUserEmail, { members: { userId: scene.user, userEmail: email } })
  return {
    email,
    targetPublicKey: scene.border.targetPublicKey(),
    expirationSeconds: '900',
    emailCustomization: { appName: scene.text('appName'), ...customization(scene) },
    sendFromEmailAddress: `${scene.text('sendFromEmailAddress')}@example.com`,
    sendFromEmailSenderName: scene.text('sendFromEmailSenderName'),
    replyToEmailAddress: `${scene.text('replyToEmailAddress')}@example.com`,
  }
}
const withName = async (scene: Scene): Promise<Members> => ({
  ...(await mailed(scene)),
  apiKeyName: scene.text('apiKeyName'),
  invalidateExisting: false,
})
const nobody = (scene: Scene): Members => ({
  email: 'nobody@example.com',
  targetPublicKey: scene.border.targetPublicKey(),
  emailCustomization: { appName: 'a' },
})

export const examples = [
  example(emailAuth, {
    valid: withName,
    older: { ACTIVITY_TYPE_EMAIL_AUTH_V2: withName, ACTIVITY_TYPE_EMAIL_AUTH: withName },
    refused: [nobody, 'RESOURCE_NOT_FOUND'],
  }),
  example(initUserEmailRecovery, {
    valid: mailed,
    older: { ACTIVITY_TYPE_INIT_USER_EMAIL_RECOVERY: mailed },
    refused: [nobody, 'RESOURCE_NOT_FOUND'],
  }),
  example(recoverUser, {
    valid: (scene) => ({ authenticator: newPasskey(scene), userId: scene.root }),
    refused: [(scene) => ({ authenticator: newPasskey(scene), userId: NOBODY }), 'REQUEST_NOT_AUTHORIZED'],
  }),
]
