import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { anIssuer, fakeIssuer, google } from '../../../core/world/issuer.ts'
import { claimsOf } from '../../../core/resources/otp/scene.ts'
import type { Json } from '../../../../core/failure.ts'
import { ADA, clientKey, NOTHING, onScene, proved, signedUp, text, type Tenant } from './scene.ts'

const it = suite('the endpoint of the proxy for accounts')

const account = (
  tenant: Tenant,
  filterType: string,
  filterValue: string,
  more: { readonly [member: string]: Json } = {},
) => tenant.asked('account', { filterType, filterValue, ...more })

const wallet = {
  walletName: 'first',
  accounts: [
    {
      curve: 'CURVE_SECP256K1',
      pathFormat: 'PATH_FORMAT_BIP32',
      path: "m/44'/60'/0'/0/0",
      addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
    },
  ],
}

it('finds an organization by all that it has, and nothing of another tenant', () =>
  onScene(async ({ tenant, other }) => {
    const { publicKey } = clientKey()
    const oidcToken = anIssuer.token({ sub: 'ada' })
    const up = {
      userName: 'ada',
      organizationName: 'of ada',
      userTag: 'ignored',
      apiKeys: [{ apiKeyName: 'key', publicKey, curveType: 'API_KEY_CURVE_P256' }],
      authenticators: [],
      oauthProviders: [{ providerName: 'shop', oidcToken }],
      wallet,
    }
    const { organizationId, userId, wallet: made, ...more } = await tenant.got('signup_v2', up)
    assert.equal(more, {})
    assert.type(userId, 'string')
    const { addresses = [] } = made as { readonly addresses?: readonly string[] } // as the wire has wallets
    const claims = JSON.stringify({ iss: anIssuer.url, sub: 'ada', aud: 'client' })
    const filters: readonly (readonly [string, string])[] = [
      ['NAME', 'of ada'],
      ['USERNAME', 'ada'],
      ['PUBLIC_KEY', publicKey],
      ['OIDC_TOKEN', oidcToken],
      ['OIDC_CLAIMS', claims],
      ['WALLET_ACCOUNT_ADDRESS', addresses[0] ?? ''],
    ]
    for (const [type, value] of filters) {
      assert.equal(await account(tenant, type, value), { organizationId }, type)
      assert.equal(await account(other, type, value), {}, type)
    }
    assert.equal(await account(tenant, 'CREDENTIAL_ID', 'AAAA'), {})
  }))

it('finds a contact only where it was verified', () =>
  onScene(async (scene) => {
    const { tenant, other } = scene
    await tenant.got('signup', { ...NOTHING, userEmail: ADA, userPhoneNumber: '+15550001111' })
    for (const [type, value] of [
      ['EMAIL', ADA],
      ['PHONE_NUMBER', '+15550001111'],
    ] as const)
      assert.equal(await account(tenant, type, value), {})
    const { organizationId } = await signedUp(scene, tenant)
    assert.equal(await account(tenant, 'EMAIL', ADA.toUpperCase()), { organizationId })
    assert.equal(await account(other, 'EMAIL', ADA), {})
  }))

it('finds the oldest of several by a name or a contact', () =>
  onScene(async (scene) => {
    const { tenant } = scene
    const up = { ...NOTHING, userName: 'ada', organizationName: 'Shop', userEmail: 'x@example.com' }
    const first = text(await tenant.got('signup', up), 'organizationId')
    for (let made = 0; made < 2; made += 1) await tenant.got('signup', up)
    assert.equal(await account(tenant, 'NAME', 'Shop'), { organizationId: first })
    assert.equal(await account(tenant, 'USERNAME', 'ada'), { organizationId: first })
    const { organizationId } = await signedUp(scene, tenant)
    await signedUp(scene, tenant)
    assert.equal(await account(tenant, 'EMAIL', ADA), { organizationId })
  }))

it('refuses a key that several have, in the words of the API', () =>
  onScene(async ({ tenant }) => {
    const { publicKey } = clientKey()
    const apiKeys = [{ apiKeyName: 'key', publicKey, curveType: 'API_KEY_CURVE_P256' }]
    for (let made = 0; made < 2; made += 1) await tenant.got('signup', { ...NOTHING, apiKeys })
    const conflict = 'CREDENTIAL_CONFLICT: more than one suborg associated with a public key'
    assert.is(await account(tenant, 'PUBLIC_KEY', publicKey), conflict)
  }))

it('tells nothing by an identity token that does not hold, or that nobody has signed', () =>
  onScene(async ({ tenant, clock }) => {
    const signUp = { ...NOTHING, oauthProviders: [{ providerName: 'shop', oidcToken: anIssuer.token({ sub: 'ada' }) }] }
    await tenant.got('signup', signUp)
    const forged = fakeIssuer(anIssuer.url).token({ sub: 'ada' })
    const over = anIssuer.token({ sub: 'ada', exp: clock.now() / 1000 - 3_600 })
    for (const token of [forged, over])
      assert.is(await account(tenant, 'OIDC_TOKEN', token), 'INVALID_OIDC_TOKEN: invalid OIDC token')
  }))

const REFUSED = 'REQUEST_NOT_AUTHORIZED: a token for this contact is required'
const GATE = { verificationTokenRequiredForGetAccountPii: true, socialLinkingClientIds: ['shop'] }

it('wants a token for a contact where the configuration does, and does not use it up', () =>
  onScene(async (scene) => {
    const { tenant } = scene
    const { organizationId, token } = await signedUp(scene, tenant)
    const shut = tenant.with(GATE)
    for (let asked = 0; asked < 2; asked += 1)
      assert.equal(await account(shut, 'EMAIL', 'ada@example.com', { verificationToken: token }), { organizationId })
    const { publicKey } = clientKey()
    assert.type(await shut.asked('otp_login', { verificationToken: token, publicKey }), 'object')
    const fresh = await proved(scene, tenant, 'new@example.com')
    assert.equal(await account(shut, 'EMAIL', 'new@example.com', { verificationToken: fresh, oidcToken: null }), {})
  }))

it('wants it for a name, too, that is a contact: sign-ups name people so', () =>
  onScene(async (scene) => {
    const { tenant } = scene
    const { organizationId, token } = await signedUp(scene, tenant)
    const shut = tenant.with(GATE)
    assert.equal(await account(tenant, 'USERNAME', ADA), { organizationId })
    for (const contact of [ADA, '+15550001111'])
      for (const type of ['USERNAME', 'NAME']) assert.is(await account(shut, type, contact), REFUSED)
    assert.equal(await account(shut, 'USERNAME', ADA, { verificationToken: token }), { organizationId })
    assert.equal(await account(shut, 'USERNAME', 'ada'), {})
    const named = text(await tenant.got('signup', { ...NOTHING, userName: 'ada', userEmail: ADA }), 'organizationId')
    assert.equal(await account(shut, 'USERNAME', 'ada'), { organizationId: named })
  }))

it('refuses all other tokens for a contact in one text', () =>
  onScene(async (scene) => {
    const { tenant, other, clock } = scene
    const { token } = await signedUp(scene, tenant)
    const elsewhere = await signedUp(scene, other)
    const shut = tenant.with(GATE)
    const [header, , signature] = token.split('.')
    const madeUp = (claims: object): string =>
      [header, Buffer.from(JSON.stringify({ ...claimsOf(token), ...claims })).toString('base64url'), signature].join(
        '.',
      )
    const probe = async (verificationToken: Json, type = 'EMAIL', value = ADA): Promise<void> =>
      assert.is(await account(shut, type, value, { verificationToken }), REFUSED)
    await probe(null)
    await probe('')
    await probe('made up')
    await probe(madeUp({ contact: 'eve@example.com' }), 'EMAIL', 'eve@example.com')
    await probe(elsewhere.token)
    await probe(token, 'EMAIL', 'eve@example.com')
    await probe(token, 'PHONE_NUMBER', '+15550001111')
    clock.pass(3_600_000)
    await probe(token)
  }))

it('takes an identity token of Google for its verified address, from a client that is allowed', () =>
  onScene(async (scene) => {
    const { tenant } = scene
    const { organizationId } = await signedUp(scene, tenant)
    const shut = tenant.with(GATE)
    const said = { email: ADA.toLowerCase(), email_verified: true, aud: 'shop' }
    assert.equal(await account(shut, 'EMAIL', ADA, { oidcToken: google.token(said) }), { organizationId })
    const tokens = [
      google.token({ ...said, aud: 'another' }),
      google.token({ ...said, email_verified: false }),
      google.token({ ...said, email: 'eve@example.com' }),
      anIssuer.token(said),
      fakeIssuer(google.url).token(said),
    ]
    for (const oidcToken of tokens) assert.is(await account(shut, 'EMAIL', ADA, { oidcToken }), REFUSED)
  }))

it.run()
