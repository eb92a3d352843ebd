import { initOtp } from '../../../../core/resources/otp/init-otp.ts'
import { initOtpAuth } from '../../../../core/resources/otp/init-otp-auth.ts'
import { otpAuth } from '../../../../core/resources/otp/otp-auth.ts'
import { otpLogin } from '../../../../core/resources/otp/otp-login.ts'
import { verifyOtp } from '../../../../core/resources/otp/verify-otp.ts'
import { updateUserEmail } from '../../../../core/resources/user/update-user-email.ts'
import { AUDITED, example, ORGANIZATION, type Members, type Scene } from '../example.ts'
import { clientKey, loginBy } from './scene.ts'

/* All of them are about the contact for trials, whose code everybody knows. */

const userEmail = 'user@example.com'
const code = '000000'

const to = ({ text }: Scene): Members => ({
  otpType: 'OTP_TYPE_EMAIL',
  contact: userEmail,
  smsCustomization: { template: `{{.OtpCode}} ${text('template')}` },
  userIdentifier: text('userIdentifier'),
  sendFromEmailAddress: `${text('sendFromEmailAddress')}@example.com`,
  sendFromEmailSenderName: text('sendFromEmailSenderName'),
  replyToEmailAddress: `${text('replyToEmailAddress')}@example.com`,
})
const trial = { otpLength: 6, alphanumeric: false }
export const customization = ({ text }: Pick<Scene, 'text'>): Members => ({
  logoUrl: `https://${text('logoUrl')}.example.com/logo.png`,
  magicLinkTemplate: `https://${text('magicLinkTemplate')}.example.com/%s`,
  templateVariables: JSON.stringify({ name: text('templateVariables') }),
  templateId: undefined,
})
const withApp = (scene: Scene): Members => ({
  ...to(scene),
  ...trial,
  appName: scene.text('appName'),
  emailCustomization: customization(scene),
  expirationSeconds: '300',
})
const before = (scene: Scene): Members => ({
  ...to(scene),
  emailCustomization: { appName: scene.text('appName'), ...customization(scene) },
})

/** The key for which tokens are: the examples sign by it what a token is used for. */
const key = clientKey()

const verified = async ({ made }: Scene): Promise<string> => (await made(verifyOtp)).verificationToken

/** The user has the contact. */
const signsIn = async (scene: Scene): Promise<Members> => {
  await scene.made(updateUserEmail, { members: { userId: scene.user, userEmail } })
  const [verificationToken, publicKey] = [await verified(scene), scene.publicKey()]
  return {
    verificationToken,
    publicKey,
    clientSignature: scene.border.loginBy(key, verificationToken, publicKey),
    expirationSeconds: '3600',
    invalidateExisting: false,
    sessionProfileId: undefined,
  }
}

const NOT_SHOWN = { publicKey: undefined, expirationSeconds: undefined, invalidateExisting: undefined }

export const examples = [
  example(initOtp, {
    valid: withApp,
    older: {
      ACTIVITY_TYPE_INIT_OTP_V2: withApp,
      ACTIVITY_TYPE_INIT_OTP: (scene) => ({ ...before(scene), ...trial, expirationSeconds: '300' }),
    },
    refused: [(scene) => ({ ...withApp(scene), contact: 'user' }), 'INVALID_EMAIL'],
  }),
  example(verifyOtp, {
    valid: async ({ made, border }) => {
      const { otpId, otpEncryptionTargetBundle = '' } = await made(initOtp)
      const message = JSON.stringify({ otp_code: code, public_key: key.publicKey })
      return {
        otpId,
        encryptedOtpBundle: await border.encryptedTo(otpEncryptionTargetBundle, message),
        expirationSeconds: '3600',
      }
    },
    older: {
      ACTIVITY_TYPE_VERIFY_OTP: async ({ made }) => {
        const { otpId } = await made(initOtp, { type: 'ACTIVITY_TYPE_INIT_OTP_V2' })
        return { otpId, otpCode: code, expirationSeconds: '3600', publicKey: key.publicKey }
      },
    },
    refused: [{ otpId: 'AAAA', encryptedOtpBundle: '{"encappedPublic":"00","ciphertext":"00"}' }, 'REQUEST_INVALID'],
  }),
  example(otpLogin, {
    valid: signsIn,
    older: { ACTIVITY_TYPE_OTP_LOGIN: signsIn },
    shows: () => NOT_SHOWN,
    refused: [
      ({ publicKey }) => ({
        verificationToken: 'a.b.c',
        publicKey: publicKey(),
        clientSignature: loginBy(key, `a.${Buffer.from('{}').toString('base64url')}.c`, publicKey()),
      }),
      'REQUEST_INVALID',
    ],
  }),
  example(initOtpAuth, {
    valid: withApp,
    older: {
      ACTIVITY_TYPE_INIT_OTP_AUTH_V2: (scene) => ({ ...before(scene), ...trial }),
      ACTIVITY_TYPE_INIT_OTP_AUTH: before,
    },
    refused: [(scene) => ({ ...withApp(scene), otpLength: 5 }), 'REQUEST_INVALID'],
  }),
  example(otpAuth, {
    valid: async (scene) => {
      await scene.made(updateUserEmail, { members: { userId: scene.user, userEmail } })
      return {
        otpId: (await scene.made(initOtpAuth)).otpId,
        otpCode: code,
        targetPublicKey: scene.border.targetPublicKey(),
        apiKeyName: scene.text('apiKeyName'),
        expirationSeconds: '900',
        invalidateExisting: true,
      }
    },
    refused: [
      ({ border }) => ({ otpId: 'AAAA', otpCode: code, targetPublicKey: border.targetPublicKey() }),
      'REQUEST_INVALID',
    ],
  }),
]

export const texts = {
  otpId: 'it is sealed, and nobody opens it when the secret of its day is gone',
  otpEncryptionTargetBundle: AUDITED,
  verificationToken: 'it is sealed, and nobody opens it when the secret of its day is gone',
  messageId: ORGANIZATION,
  from: ORGANIZATION,
  to: 'a name under a secret of the deployment: it tells no address',
}
