import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { signup, signupV2 } from '../../../../adapters/proxy/endpoints/signup.ts'
import { valueOf } from '../../../../core/definition/refuse.ts'
import { decode } from '../../../../core/codec/codec.ts'
import type { Json } from '../../../../core/failure.ts'
import { anIssuer, fakeIssuer, google } from '../../../core/world/issuer.ts'
import { paramsOf, anyPasskey } from '../../../core/world/software-passkey.ts'
import { ADA, clientKey, NOTHING, onScene, proved, refusalIn, signedUp, text } from './scene.ts'

const it = suite('the endpoints of the proxy for sign-ups')

type Members = { readonly [member: string]: Json }

const apiKey = (more: Members = {}): Members => ({
  apiKeyName: 'key',
  publicKey: clientKey().publicKey,
  curveType: 'API_KEY_CURVE_P256',
  ...more,
})
const passkey = (): Json => paramsOf(anyPasskey(), 'phone')
const byToken = (oidcToken: string): Json => ({ providerName: 'provider', oidcToken })

it('sign up by a passkey, with a key for the first minute, as clients do', () =>
  onScene(async ({ tenant }) => {
    const body = { apiKeys: [apiKey({ expirationSeconds: '60' })], authenticators: [passkey()], oauthProviders: [] }
    const made = await tenant.got('signup_v2', body)
    const organizationId = text(made, 'organizationId')
    const { user } = await tenant.answer(tenant.root, 'get_user', { organizationId, userId: text(made, 'userId') })
    const { userName, authenticators } = user as { readonly userName: string; readonly authenticators: readonly Json[] } // as it is shown
    assert.match(userName, /^user-[0-9]+$/)
    assert.is(authenticators.length, 1)
    const { organizationData } = await tenant.answer(tenant.root, 'get_organization', { organizationId })
    assert.match((organizationData as { readonly name: string }).name, /^sub-org-[0-9]+$/) // as it is shown
  }))

it('name a user by the address or the number, where the client gives no name', () =>
  onScene(async ({ tenant }) => {
    for (const [contact, userName] of [
      [{ userEmail: ADA, userPhoneNumber: '+15550001111', userName: '', organizationName: null }, ADA],
      [{ userPhoneNumber: '+15550001111' }, '+15550001111'],
    ] as const) {
      const made = await tenant.got('signup', { ...NOTHING, ...contact })
      const asked = { organizationId: text(made, 'organizationId'), userId: text(made, 'userId') }
      const { user } = await tenant.answer(tenant.root, 'get_user', asked)
      assert.is((user as { readonly userName: string }).userName, userName) // as it is shown
    }
  }))

it('make a wallet where it is asked for', () =>
  onScene(async ({ tenant }) => {
    const account = {
      curve: 'CURVE_SECP256K1',
      pathFormat: 'PATH_FORMAT_BIP32',
      path: "m/44'/60'/0'/0/0",
      addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
    }
    const wallet = { walletName: 'first', accounts: [account], mnemonicLength: 24 }
    const made = await tenant.got('signup', { ...NOTHING, apiKeys: [apiKey()], wallet })
    const { walletId, addresses } = made['wallet'] as {
      readonly walletId: string
      readonly addresses: readonly string[]
    } // as it is shown
    assert.type(walletId, 'string')
    assert.match(addresses[0] ?? '', /^0x[0-9a-fA-F]{40}$/)
    assert.not('appProofs' in made)
  }))

it('refuse a token that is for another contact, was used, or is of another tenant', () =>
  onScene(async (scene) => {
    const { tenant, other } = scene
    const { token: verificationToken } = await signedUp(scene, tenant)
    const by = { ...NOTHING, userEmail: ADA, verificationToken }
    assert.match(refusalIn(await tenant.asked('signup', by)), /has been used to sign up/)
    const eve = { ...by, userEmail: 'eve@example.com' }
    assert.match(refusalIn(await tenant.asked('signup', eve)), /^REQUEST_INVALID.*verificationToken/)
    const foreign = await proved(scene, other, 'eve@example.com')
    const wrong = await tenant.asked('signup', { ...eve, verificationToken: foreign })
    assert.is(wrong, 'REQUEST_INVALID: invalid verification token')
  }))

it('refuse members of wrong types by name', () =>
  onScene(async ({ tenant }) => {
    const refused: readonly (readonly [Members, RegExp])[] = [
      [{ apiKeys: [], authenticators: [] }, /at oauthProviders: missing field/],
      [{ ...NOTHING, userEmail: 'nobody' }, /at userEmail/],
      [{ ...NOTHING, apiKeys: [{ ...apiKey(), curveType: 'CURVE' }] }, /at apiKeys\.0\.curveType/],
      [{ ...NOTHING, wallet: { walletName: 'first' } }, /at wallet\.accounts/],
    ]
    for (const [body, why] of refused) assert.match(refusalIn(await tenant.asked('signup_v2', body)), why)
    assert.is(tenant.sent.length, 0)
  }))

it('say by which method a user is going to sign in', () => {
  const google1 = google.token({ aud: 'shop' })
  const claims = { iss: 'https://appleid.apple.com', sub: '1', aud: 'shop' }
  const cases: readonly (readonly [string | undefined, Members])[] = [
    ['passkey', { authenticators: [passkey()], apiKeys: [apiKey({ expirationSeconds: '60' })] }],
    ['wallet', { apiKeys: [apiKey()], userEmail: ADA }],
    ['google', { oauthProviders: [byToken(google1)] }],
    ['facebook', { oauthProviders: [byToken(fakeIssuer('https://www.facebook.com').token())] }],
    ['x', { oauthProviders: [byToken(anIssuer.token({ sub: 'x:1' }))] }],
    ['discord', { oauthProviders: [byToken(anIssuer.token({ sub: 'discord:1' }))] }],
    ['oauth', { oauthProviders: [byToken(anIssuer.token())] }],
    ['oauth', { oauthProviders: [byToken('made up')] }],
    ['apple', { oauthProviders: [{ providerName: 'apple', oidcClaims: claims }] }],
    ['email', { userEmail: ADA, userPhoneNumber: '+15550001111' }],
    ['sms', { userPhoneNumber: '+15550001111' }],
    [undefined, {}],
  ]
  for (const [method, body] of cases)
    assert.is(signupV2.methodOf?.(valueOf(decode(signupV2.request, 'body')({ ...NOTHING, ...body }))), method)
})

it('refuse each method that the configuration leaves out', () =>
  onScene(async (scene) => {
    const google1 = google.token({ aud: 'shop' })
    const both = { ...NOTHING, authenticators: [passkey()], oauthProviders: [byToken(google1)] }
    const by = (allowed: readonly string[]) => scene.tenant.with({ allowedAuthMethods: allowed }).asked('signup', both)
    assert.is(await by(['passkey']), 'REQUEST_NOT_AUTHORIZED: OAUTH disallowed')
    assert.is(await by(['google', 'apple']), 'REQUEST_NOT_AUTHORIZED: PASSKEY disallowed')
    assert.is(await by([]), 'REQUEST_NOT_AUTHORIZED: PASSKEY disallowed')
    assert.type(await by(['passkey', 'oauth']), 'object')
  }))

it('want a captcha of whoever brings no token', () => {
  const needs = (body: Members): boolean =>
    typeof signup.needsCaptcha === 'function' &&
    signup.needsCaptcha(valueOf(decode(signup.request, 'body')({ ...NOTHING, ...body })))
  assert.equal(
    [needs({}), needs({ verificationToken: '' }), needs({ verificationToken: 'token' })],
    [true, true, false],
  )
})

it.run()
