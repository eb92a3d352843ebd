import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { onProxy, type Members } from '../scene.ts'

const it = suite('wallet-kit')

const CONFIG = '/v1/wallet_kit_config'
const PARAMS = '/v1/wallet_kit_client_params'
const SOCIAL = { enabledSocialProviders: ['google', 'x'], oauthClientIds: { google: 'g', x: 'x', other: 'o' } }

it('says all that counts where nothing is configured, numbers as texts', () =>
  onProxy(async ({ tenant, of, post }) =>
    assert.equal((await post(CONFIG, {}, of(tenant))).json, {
      enabledProviders: ['email', 'sms', 'passkey', 'wallet'],
      sessionExpirationSeconds: '900',
      organizationId: tenant.id,
      otpAlphanumeric: true,
      otpLength: '9',
    }),
  ))

it('says what is configured', () =>
  onProxy(async ({ api, tenant, of, post }) => {
    const walletKitSettings = { ...SOCIAL, oauthRedirectUrl: 'https://app.example.com/back' }
    const settings = { sessionExpirationSeconds: 3_600, otpLength: 6, otpAlphanumeric: false, walletKitSettings }
    api.configure(tenant.id, settings)
    assert.equal((await post(CONFIG, {}, of(tenant))).json, {
      enabledProviders: ['email', 'sms', 'passkey', 'wallet', 'google', 'x'],
      sessionExpirationSeconds: '3600',
      organizationId: tenant.id,
      oauthClientIds: { google: 'g', x: 'x' },
      oauthRedirectUrl: 'https://app.example.com/back',
      otpAlphanumeric: false,
      otpLength: '6',
    })
  }))

const providers: readonly (readonly [Members, readonly string[]])[] = [
  [{ allowedAuthMethods: [] }, []],
  [{ allowedAuthMethods: ['passkey', 'google'] }, ['passkey', 'google']],
  [{ allowedAuthMethods: ['email', 'oauth'], walletKitSettings: SOCIAL }, ['email', 'google', 'x']],
  [{ allowedAuthMethods: ['email'], walletKitSettings: SOCIAL }, ['email']],
  [{ allowedAuthMethods: ['x', 'google'], walletKitSettings: { enabledSocialProviders: ['x'] } }, ['x']],
]
for (const [settings, enabled] of providers)
  it(`shows ${enabled.join(', ') || 'nothing'} for ${JSON.stringify(settings)}`, () =>
    onProxy(async ({ api, tenant, of, post }) => {
      api.configure(tenant.id, settings)
      assert.equal((await post(CONFIG, {}, of(tenant))).json['enabledProviders'], enabled)
    }))

it('answers also if there is no body at all', () =>
  onProxy(async ({ tenant, of, post }) => {
    for (const path of [CONFIG, PARAMS]) assert.is((await post(path, undefined, of(tenant))).status, 200)
  }))

it('gives the site key only where captchas are wanted', () =>
  onProxy(
    async ({ api, tenant, other, of, post }) => {
      api.configure(tenant.id, { captchaEnabled: true })
      assert.equal((await post(PARAMS, {}, of(tenant))).json, { turnstileSiteKey: 'site' })
      assert.equal((await post(PARAMS, {}, of(other))).json, {})
    },
    { captcha: { url: 'http://127.0.0.1:1/', secret: 'secret', siteKey: 'site' } },
  ))

it('asks the API for nothing but the configuration', () =>
  onProxy(async ({ api, tenant, of, post }) => {
    for (const path of [CONFIG, PARAMS]) await post(path, {}, of(tenant))
    assert.equal(
      api.asked.map(({ path }) => path),
      ['query/get_auth_proxy_config'],
    )
  }))

it.run()
