import { isObject } from '../../codec/codec.ts'
import * as t from '../../codec/t.ts'
import { directMethods, socialProviders, type AuthProxySettings } from '../../organization/auth-proxy.ts'
import type { DeepReadonly } from '../../organization/state.ts'
import { Origins, originsRule } from '../origins.ts'
import { oneOf } from '../wallet/key-codecs.ts'
import { EmailCustomization, senders, SmsCustomization, TemplateId } from '../otp/customization.ts'

/* What requests may set. The bounds are those of the activities in which the proxy uses it. */

/** How people sign in, as the clients of the proxy call it. */
const AuthMethod = oneOf([...directMethods, ...socialProviders, 'oauth'])

/** The most client ids of an organization, and the characters of one. */
const CLIENT_IDS_MAX = 100
const ClientId = t.textUpTo(255)
const ClientIdOrEmpty = t.refined(
  t.string,
  'a text of at most 255 characters',
  (text) => text === '' || ClientId.is(text),
)

const Provider = oneOf(socialProviders)
const WalletKit = t.fields(
  {},
  {
    enabledSocialProviders: t.list(Provider),
    oauthClientIds: t.fields(
      {},
      {
        google: ClientIdOrEmpty,
        apple: ClientIdOrEmpty,
        facebook: ClientIdOrEmpty,
        x: ClientIdOrEmpty,
        discord: ClientIdOrEmpty,
      },
    ),
    oauthRedirectUrl: t.TextOrEmpty,
  },
  ({ enabledSocialProviders: listed = [] }) => onceEach('enabledSocialProviders', listed),
)

const between = (least: number, most: number) =>
  t.refined(t.Integer, `a number from ${least} to ${most}`, (number) => number >= least && number <= most)

const INT32_MAX = 2 ** 31 - 1

export const NewSettings = t.fields(
  {},
  {
    allowedOrigins: Origins,
    allowedAuthMethods: t.list(AuthMethod),
    ...senders,
    emailAuthTemplateId: t.TextOrEmpty,
    otpTemplateId: TemplateId,
    emailCustomizationParams: EmailCustomization,
    smsCustomizationParams: SmsCustomization,
    walletKitSettings: WalletKit,
    otpExpirationSeconds: between(1, 600),
    verificationTokenExpirationSeconds: between(1, 86_400),
    sessionExpirationSeconds: between(1, INT32_MAX),
    otpAlphanumeric: t.boolean,
    otpLength: between(6, 9),
    verificationTokenRequiredForGetAccountPii: t.boolean,
    socialLinkingClientIds: t.list(ClientId),
    captchaEnabled: t.boolean,
  },
  ({ allowedOrigins, allowedAuthMethods: methods = [], socialLinkingClientIds: clients = [] }) => {
    const breach = originsRule({ allowedOrigins })
    if (breach !== undefined) return breach
    if (clients.length > CLIENT_IDS_MAX)
      return { member: 'socialLinkingClientIds', expected: `at most ${CLIENT_IDS_MAX} client ids` }
    return onceEach('allowedAuthMethods', methods)
  },
)
export type NewSettings = t.TypeOf<typeof NewSettings>

const onceEach = (member: string, listed: readonly string[]) =>
  new Set(listed).size === listed.length ? undefined : { member, expected: 'each once' }

type Settings = DeepReadonly<AuthProxySettings>

/** The settings with what a request sets. What is empty there is not set any more: a list, a text, or an object in which nothing is set. */
export const settingsWith = (before: Settings, given: NewSettings): Settings => {
  const { allowedOrigins: origins, socialLinkingClientIds: clients } = given
  const once = {
    ...given,
    ...(origins && { allowedOrigins: [...new Set(origins)] }),
    ...(clients && { socialLinkingClientIds: [...new Set(clients)] }),
  }
  return filled({ ...before, ...once })
}

/** The object without what is empty in it. */
const filled = <A extends object>(object: A): A => {
  const members = Object.entries(object).map(([name, value]: [string, unknown]) => [
    name,
    isObject(value) ? filled(value) : value,
  ])
  return Object.fromEntries(members.filter(([, value]) => !isEmpty(value))) as A // all of its members are optional
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === '' || (typeof value === 'object' && Object.keys(value ?? {}).length === 0)
