import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { enableAuthProxy } from '../../../../core/resources/auth-proxy/enable-auth-proxy.ts'
import { updateAuthProxyConfig } from '../../../../core/resources/auth-proxy/update-auth-proxy-config.ts'
import { getAuthProxyConfig } from '../../../../core/resources/auth-proxy/get-auth-proxy-config.ts'
import type { Json } from '../../../../core/failure.ts'
import { answer } from '../ask.ts'
import { anyOrganization, fieldsOf, ORGANIZATION, type Tried } from '../execute.ts'

const it = suite('the settings of the auth proxy')

type Members = { readonly [member: string]: Json }
const shown = async ({ state }: Tried): Promise<Members> => {
  const { authProxyConfig } = await answer(getAuthProxyConfig, state)
  const { configId, organizationId, organizationName, isEnabled, ...settings } = authProxyConfig as {
    [member: string]: Json
  }
  assert.equal(
    [configId, organizationId, organizationName, isEnabled],
    [ORGANIZATION, ORGANIZATION, 'Analytical Engines', false],
  )
  return settings
}
/** What is shown after these requests. */
const after = async (...requests: readonly Members[]): Promise<Members> => {
  const tried = anyOrganization()
  for (const request of requests)
    assert.equal(tried.execute(updateAuthProxyConfig, request).result, { configId: ORGANIZATION })
  assert.equal(await shown({ ...tried, state: tried.replayed() }), await shown(tried))
  return shown(tried)
}

it('begin with one that has a default, and nothing else', async () => {
  assert.equal(await after(), { allowedOrigins: ['*'] })
  assert.equal(await after({}), { allowedOrigins: ['*'] })
})

const WALLET_KIT = { enabledSocialProviders: ['google'], oauthClientIds: { google: 'id' }, oauthRedirectUrl: 'app://x' }

/** Requests one after the other, and what is shown of the settings then. */
const sequences: { readonly [what: string]: readonly [requests: readonly Members[], shown: Members] } = {
  'what is absent, or null, stays': [
    [{ otpLength: 6, captchaEnabled: true }, { otpLength: null }, {}],
    { otpLength: 6, captchaEnabled: true },
  ],
  'what is present is replaced': [
    [
      { otpLength: 6, otpAlphanumeric: true },
      { otpLength: 9, otpAlphanumeric: false },
    ],
    { otpLength: 9, otpAlphanumeric: false },
  ],
  'a list is replaced as a whole': [
    [{ allowedAuthMethods: ['email', 'sms'] }, { allowedAuthMethods: ['passkey'] }],
    { allowedAuthMethods: ['passkey'] },
  ],
  'an empty list clears': [
    [
      { allowedOrigins: ['https://a.example'], allowedAuthMethods: ['email'], socialLinkingClientIds: ['id'] },
      { allowedOrigins: [], allowedAuthMethods: [], socialLinkingClientIds: [] },
    ],
    {},
  ],
  'an empty text clears': [
    [
      { sendFromEmailAddress: 'a@example.com', otpTemplateId: ORGANIZATION },
      { sendFromEmailAddress: '', otpTemplateId: '' },
    ],
    {},
  ],
  'an object is replaced as a whole, without what is empty in it': [
    [
      { walletKitSettings: WALLET_KIT, emailCustomizationParams: { appName: 'a', logoUrl: 'https://a.example/a.png' } },
      { walletKitSettings: { oauthClientIds: { google: '', x: 'id' }, enabledSocialProviders: [] } },
      { emailCustomizationParams: { appName: 'b', logoUrl: '' } },
    ],
    { walletKitSettings: { oauthClientIds: { x: 'id' } }, emailCustomizationParams: { appName: 'b' } },
  ],
  'an object in which nothing is set clears': [
    [
      { walletKitSettings: WALLET_KIT, smsCustomizationParams: { template: '{{.OtpCode}}' } },
      { walletKitSettings: {}, smsCustomizationParams: { template: '' } },
    ],
    {},
  ],
  'origins are kept in one form, each once': [
    [{ allowedOrigins: ['HTTPS://App.Example.com:443/', 'https://app.example.com', 'http://localhost:3000/'] }],
    { allowedOrigins: ['https://app.example.com', 'http://localhost:3000'] },
  ],
  'client ids are kept once': [
    [{ socialLinkingClientIds: ['id', 'other', 'id'] }],
    { socialLinkingClientIds: ['id', 'other'] },
  ],
}
for (const [what, [requests, expected]] of Object.entries(sequences))
  it(what, async () => assert.equal(await after(...requests), { allowedOrigins: ['*'], ...expected }))

it('may be at the ends of their ranges', async () => {
  for (const settings of [
    { otpExpirationSeconds: 1, verificationTokenExpirationSeconds: 1, sessionExpirationSeconds: 1, otpLength: 6 },
    {
      otpExpirationSeconds: 600,
      verificationTokenExpirationSeconds: 86_400,
      sessionExpirationSeconds: 2_592_000,
      otpLength: 9,
    },
    { allowedOrigins: Array.from({ length: 100 }, (_, n) => `https://${n}.example`) },
    { socialLinkingClientIds: Array.from({ length: 100 }, (_, n) => `${n}`.padStart(255, 'a')) },
  ])
    assert.equal(await after(settings), { allowedOrigins: ['*'], ...settings })
})

const wrong: { readonly [field: string]: readonly Json[] } = {
  allowedOrigins: [
    '*',
    ['*', 'https://a.example'],
    ['https://*.example.com'],
    ['null'],
    ['https://a.example/path'],
    ['a.example'],
    [1],
    {},
    many((n) => `https://${n}.example`),
  ],
  allowedAuthMethods: [['fax'], ['email', 'email'], 'email', [null]],
  sendFromEmailAddress: ['not an address', 1],
  sendFromEmailSenderName: ['\n', 'a'.repeat(257)],
  replyToEmailAddress: ['@example.com'],
  emailAuthTemplateId: ['a'.repeat(4_097), false],
  otpTemplateId: ['no uuid'],
  otpExpirationSeconds: [0, 601, -1, 1.5, '300', true],
  verificationTokenExpirationSeconds: [0, 86_401],
  sessionExpirationSeconds: [0, 2_592_001, 2 ** 31],
  otpAlphanumeric: ['true', 0],
  otpLength: [5, 10, 6.5],
  verificationTokenRequiredForGetAccountPii: ['no'],
  socialLinkingClientIds: [[''], ['a'.repeat(256)], many((n) => `${n}`)],
  captchaEnabled: [1],
  'emailCustomizationParams.logoUrl': ['http://a.example/a.png'],
  'emailCustomizationParams.templateVariables': ['no JSON'],
  'smsCustomizationParams.template': ['without a code'],
  'walletKitSettings.enabledSocialProviders': [['google', 'google']],
  'walletKitSettings.oauthClientIds': ['id'],
  'walletKitSettings.oauthClientIds.google': [7],
  'walletKitSettings.oauthRedirectUrl': ['a'.repeat(4_097)],
}
function many(of: (n: number) => string): string[] {
  return Array.from({ length: 101 }, (_, n) => of(n))
}
for (const [field, values] of Object.entries(wrong))
  it(`refuse a wrong ${field}, and name it`, () => {
    for (const value of values) {
      const request = field.split('.').reduceRight<Json>((inner, name) => ({ [name]: inner }), value)
      const [named = ''] = fieldsOf(anyOrganization().refuse(updateAuthProxyConfig, request))
      assert.ok(
        named === `parameters.${field}` ||
          named === field ||
          named.startsWith(`parameters.${field}.`) ||
          named.startsWith(`${field}.`),
        `${named}: ${JSON.stringify(value).slice(0, 80)}`,
      )
    }
  })

it('refuse a session that is longer than the server lets sessions be', () => {
  const limits = { sessionSeconds: 60 }
  const refused = anyOrganization().refuse(updateAuthProxyConfig, { sessionExpirationSeconds: 61 }, { limits })
  assert.equal(fieldsOf(refused), ['sessionExpirationSeconds'])
  anyOrganization().execute(updateAuthProxyConfig, { sessionExpirationSeconds: 60 }, { limits })
})

it('can be set before the proxy is let in, and are there when it is', async () => {
  const tried = anyOrganization()
  tried.execute(updateAuthProxyConfig, { otpLength: 6 })
  const made = await tried.inspected(enableAuthProxy, {})
  assert.is(made._tag, 'Right')
  const { authProxyConfig } = await answer(getAuthProxyConfig, tried.state)
  const { isEnabled, otpLength, encryptedApiKey } = authProxyConfig as { readonly [member: string]: Json }
  assert.equal([isEnabled, otpLength, encryptedApiKey], [true, 6, undefined])
})

it.run()
