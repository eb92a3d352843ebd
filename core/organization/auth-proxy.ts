import * as t from 'io-ts'
import { Integer } from '../codec/codec.ts'
import { fields } from '../codec/fields.ts'
import { apiKeysOf } from './credential.ts'
import { state, type DeepReadonly, type Organization } from './state.ts'
import { users } from './users.ts'

/** How people sign in without an identity provider, and the providers that clients have a button for. */
export const directMethods = ['email', 'sms', 'passkey', 'wallet'] as const
export const socialProviders = ['google', 'apple', 'facebook', 'x', 'discord'] as const
/** How somebody signs up or in, in the words of `allowedAuthMethods`. `oauth` is any identity provider. */
export type AuthMethod = (typeof directMethods)[number] | (typeof socialProviders)[number] | 'oauth'

const Texts = t.array(t.string)

/** The settings of an auth proxy, by their names on the wire. */
export const settingsMembers = {
  /** In the form of browsers, each once, or `*` alone. */
  allowedOrigins: Texts,
  allowedAuthMethods: Texts,
  sendFromEmailAddress: t.string,
  sendFromEmailSenderName: t.string,
  replyToEmailAddress: t.string,
  emailAuthTemplateId: t.string,
  otpTemplateId: t.string,
  emailCustomizationParams: fields(
    {},
    {
      appName: t.string,
      logoUrl: t.string,
      magicLinkTemplate: t.string,
      templateVariables: t.string,
      templateId: t.string,
    },
  ),
  smsCustomizationParams: fields({}, { template: t.string }),
  walletKitSettings: fields(
    {},
    {
      enabledSocialProviders: Texts,
      oauthClientIds: fields(
        {},
        { google: t.string, apple: t.string, facebook: t.string, x: t.string, discord: t.string },
      ),
      oauthRedirectUrl: t.string,
    },
  ),
  otpExpirationSeconds: Integer,
  verificationTokenExpirationSeconds: Integer,
  sessionExpirationSeconds: Integer,
  otpAlphanumeric: t.boolean,
  otpLength: Integer,
  verificationTokenRequiredForGetAccountPii: t.boolean,
  socialLinkingClientIds: Texts,
  captchaEnabled: t.boolean,
}

/** What an organization has set. What is missing has its default. */
export const AuthProxySettings = fields({}, settingsMembers)
export type AuthProxySettings = t.TypeOf<typeof AuthProxySettings>

/** A private key that only the proxy opens. */
export const SealedApiKey = fields({ encappedPublic: t.string, ciphertext: t.string })

const Admitted = fields({
  /** Its user, and the policy that lets the user act. */
  userId: t.string,
  policyId: t.string,
  /** The key by which it acts. */
  publicKey: t.string,
  encryptedApiKey: SealedApiKey,
  /** The key of its own by which it reads the settings. */
  signingPublicKey: t.string,
})
export type Admitted = DeepReadonly<t.TypeOf<typeof Admitted>>

/** The auth proxy of an organization: its settings, which stay, and who it is while it is let in. */
export const authProxy = state({
  name: 'auth-proxy',
  version: 1,
  codec: fields({ settings: AuthProxySettings }, { admitted: Admitted }),
  initial: (): { settings: AuthProxySettings; admitted?: t.TypeOf<typeof Admitted> | undefined } => ({ settings: {} }),
})

/** The proxy, if it can act: somebody may have deleted its user, or one of its keys, without disabling it. */
export const actingProxy = (organization: Organization): Admitted | undefined => {
  const { admitted } = authProxy.of(organization)
  const user = admitted && users.of(organization).get(admitted.userId)
  if (admitted === undefined || user === undefined) return undefined
  const keys = new Set(apiKeysOf(user).map(({ publicKey }) => publicKey))
  return keys.has(admitted.publicKey) && keys.has(admitted.signingPublicKey) ? admitted : undefined
}

/** Whether the user is the one of the proxy. */
export const isProxyUser = (organization: Organization, userId: string): boolean =>
  authProxy.of(organization).admitted?.userId === userId

/** Whether the proxy may connect people who sign in with Google to those who have the same e-mail address, by tokens for this client. */
export const linksClient = (organization: Organization, clientId: string): boolean =>
  authProxy.of(organization).settings.socialLinkingClientIds?.includes(clientId) === true
