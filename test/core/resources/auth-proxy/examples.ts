import { createHash } from 'node:crypto'
import { disableAuthProxy } from '../../../../core/resources/auth-proxy/disable-auth-proxy.ts'
import { enableAuthProxy } from '../../../../core/resources/auth-proxy/enable-auth-proxy.ts'
import { getAuthProxyConfig } from '../../../../core/resources/auth-proxy/get-auth-proxy-config.ts'
import { updateAuthProxyConfig } from '../../../../core/resources/auth-proxy/update-auth-proxy-config.ts'
import { asking, AUDITED, example, ORGANIZATION, PERSONAL, type Members, type Scene } from '../example.ts'

const SETTINGS: Members = {
  allowedOrigins: ['https://app.example.com', 'http://localhost:3000'],
  allowedAuthMethods: ['email', 'sms', 'passkey', 'google'],
  otpExpirationSeconds: 300,
  verificationTokenExpirationSeconds: 3600,
  sessionExpirationSeconds: 900,
  otpAlphanumeric: false,
  otpLength: 6,
  verificationTokenRequiredForGetAccountPii: true,
  captchaEnabled: false,
}

/** A UUID that no other text gives. */
const uuidOf = (text: string): string =>
  createHash('sha256')
    .update(text)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')

const settings = ({ text }: Scene): Members => ({
  ...SETTINGS,
  sendFromEmailAddress: `${text('sendFromEmailAddress')}@example.com`,
  sendFromEmailSenderName: text('sendFromEmailSenderName'),
  replyToEmailAddress: `${text('replyToEmailAddress')}@example.com`,
  emailAuthTemplateId: text('emailAuthTemplateId'),
  otpTemplateId: uuidOf(text('otpTemplateId')),
  emailCustomizationParams: {
    appName: text('appName'),
    logoUrl: `https://${text('logoUrl')}.example.com/logo.png`,
    magicLinkTemplate: `https://${text('magicLinkTemplate')}.example.com/%s`,
    templateVariables: JSON.stringify({ name: text('templateVariables') }),
    templateId: uuidOf(text('templateId')),
  },
  smsCustomizationParams: { template: `${text('template')} {{.OtpCode}}` },
  walletKitSettings: {
    enabledSocialProviders: ['google', 'x'],
    oauthClientIds: {
      google: text('google'),
      apple: text('apple'),
      facebook: text('facebook'),
      x: text('x'),
      discord: text('discord'),
    },
    oauthRedirectUrl: `https://${text('oauthRedirectUrl')}.example.com/`,
  },
  socialLinkingClientIds: [text('socialLinkingClientIds')],
})

export const examples = [
  example(enableAuthProxy, { where: 'apart', valid: () => ({}), refused: [null, 'REQUEST_INVALID'] }),
  example(updateAuthProxyConfig, { valid: settings, refused: [{ otpLength: 10 }, 'REQUEST_INVALID'] }),
  example(disableAuthProxy, {
    where: 'apart',
    valid: async ({ made }) => {
      await made(enableAuthProxy)
      return {}
    },
    refused: [{}, 'REQUEST_INVALID'],
  }),
  asking(getAuthProxyConfig, async ({ made }) => {
    const { configId } = await made(updateAuthProxyConfig)
    return { request: {}, shows: { authProxyConfig: { configId, isEnabled: false, ...SETTINGS } } }
  }),
]

const SEALED = 'only the proxy of the deployment opens it'
const KIND = 'a word of the wire'

export const texts = {
  userName: PERSONAL,
  publicKey: AUDITED,
  encappedPublic: SEALED,
  ciphertext: SEALED,
  issued: 'it says how the key came about',
  configId: ORGANIZATION,
  allowedOrigins: ORGANIZATION,
  allowedAuthMethods: KIND,
  enabledSocialProviders: KIND,
  sendFromEmailAddress: ORGANIZATION,
  sendFromEmailSenderName: ORGANIZATION,
  replyToEmailAddress: ORGANIZATION,
  emailAuthTemplateId: ORGANIZATION,
  otpTemplateId: ORGANIZATION,
  appName: ORGANIZATION,
  logoUrl: ORGANIZATION,
  magicLinkTemplate: ORGANIZATION,
  templateVariables: ORGANIZATION,
  templateId: ORGANIZATION,
  template: ORGANIZATION,
  google: ORGANIZATION,
  apple: ORGANIZATION,
  facebook: ORGANIZATION,
  x: ORGANIZATION,
  discord: ORGANIZATION,
  oauthRedirectUrl: ORGANIZATION,
  socialLinkingClientIds: ORGANIZATION,
}
