import { encryptOauth2ClientSecret } from '@turnkey/crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Json } from '../../../../core/failure.ts'
import { anIssuer, fakeIssuer, google, type TokenClaims } from '../../../core/world/issuer.ts'
import {
  ADA,
  clientKey,
  nonceOf,
  NOTHING,
  onScene,
  refusalIn,
  sessionOf,
  signedUp,
  text,
  type Tenant,
} from './scene.ts'

const it = suite('endpoints of the proxy for identity providers')

/** Signs in with a new key, to which the token is bound. */
const login = async (
  tenant: Tenant,
  claims: TokenClaims,
  { issuer = google, ...more }: { readonly issuer?: typeof google; readonly organizationId?: string } = {},
) => {
  const { publicKey } = clientKey()
  const oidcToken = issuer.token({ nonce: nonceOf(publicKey), ...claims })
  return tenant.asked('oauth_login', { oidcToken, publicKey, ...more })
}

const signUpWith = (tenant: Tenant, oidcToken: string, more: { readonly [member: string]: Json } = {}) =>
  tenant.got('signup_v2', { ...NOTHING, oauthProviders: [{ providerName: 'shop', oidcToken }], ...more })

const NOBODY = 'UNAUTHENTICATED: nobody signs in with this identity token'

it('sign up and in by an account at a provider, at their own tenant only', () =>
  onScene(async ({ tenant, other }) => {
    const organizationId = text(await signUpWith(tenant, anIssuer.token({ sub: 'ada' })), 'organizationId')
    const byAda = await login(tenant, { sub: 'ada' }, { issuer: anIssuer })
    assert.is(sessionOf(byAda)['organization_id'], organizationId)
    assert.is(await login(other, { sub: 'ada' }, { issuer: anIssuer }), NOBODY)
    assert.is(await login(tenant, { sub: 'eve' }, { issuer: anIssuer }), NOBODY)
    const named = await login(tenant, { sub: 'ada' }, { issuer: anIssuer, organizationId })
    assert.is(sessionOf(named)['organization_id'], organizationId)
    const elsewhere = await login(other, { sub: 'ada' }, { issuer: anIssuer, organizationId })
    assert.is(elsewhere, 'ORGANIZATION_NOT_FOUND: organization not found')
  }))

it('sign up by claims that stand beside a token', () =>
  onScene(async ({ tenant }) => {
    const oidcClaims = { iss: anIssuer.url, sub: 'ada', aud: 'another' }
    const oauthProviders = [
      { providerName: 'shop', oidcToken: anIssuer.token({ sub: 'ada' }) },
      { providerName: 'app', oidcClaims },
    ]
    const made = await tenant.got('signup_v2', { ...NOTHING, oauthProviders })
    const session = sessionOf(await login(tenant, { sub: 'ada', aud: 'another' }, { issuer: anIssuer }))
    assert.is(session['organization_id'], made['organizationId'])
    assert.match(refusalIn(await tenant.asked('signup', { ...NOTHING, oauthProviders })), /oauthProviders.1.oidcToken/)
  }))

it('refuse a token that is not bound to the key, or that nobody has signed', () =>
  onScene(async ({ tenant }) => {
    await signUpWith(tenant, anIssuer.token({ sub: 'ada' }))
    const nonce = nonceOf(clientKey().publicKey)
    for (const [issuer, claims] of [
      [anIssuer, { sub: 'ada', nonce }],
      [fakeIssuer(anIssuer.url), { sub: 'ada' }],
    ] as const)
      assert.is(await login(tenant, claims, { issuer }), 'INVALID_OIDC_TOKEN: invalid OIDC token')
  }))

const LINKING = { socialLinkingClientIds: ['shop'] }
/** Both the engine and the proxy go by these settings. */
const linking = async (tenant: Tenant): Promise<Tenant> => {
  await tenant.done(tenant.root, 'update_auth_proxy_config', LINKING)
  return tenant.with(LINKING)
}
const ada = { sub: 'google-1', aud: 'shop', email: ADA.toLowerCase(), email_verified: true }

it('sign in by Google whoever has the same address, verified, and remember that', () =>
  onScene(async (scene) => {
    const tenant = await linking(scene.tenant)
    await tenant.got('signup', { ...NOTHING, userEmail: ADA }) // somebody claims it
    const { organizationId, userId } = await signedUp(scene, tenant)
    const session = sessionOf(await login(tenant, ada))
    assert.equal([session['organization_id'], session['user_id']], [organizationId, userId])
    assert.ok(tenant.sent.includes('create_oauth_providers'))
    const before = tenant.sent.length
    const again = sessionOf(await login(tenant, { ...ada, email_verified: false }))
    assert.is(again['organization_id'], organizationId)
    assert.equal(tenant.sent.slice(before), ['list_suborgs', 'oauth_login'])
  }))

it('sign in by Google once, where two log-ins come at the same time', () =>
  onScene(async (scene) => {
    const tenant = await linking(scene.tenant)
    const { organizationId } = await signedUp(scene, tenant)
    const sessions = await Promise.all([login(tenant, ada), login(tenant, ada)])
    for (const session of sessions) assert.is(sessionOf(session)['organization_id'], organizationId)
  }))

it('link nobody by another client, another provider, an address that is not verified, or a forged token', () =>
  onScene(async (scene) => {
    const tenant = await linking(scene.tenant)
    const { organizationId } = await signedUp(scene, tenant)
    await tenant.got('signup', { ...NOTHING, userEmail: 'bob@example.com' })
    const refused: readonly (readonly [TokenClaims, typeof google, string])[] = [
      [{ ...ada, aud: 'another' }, google, NOBODY],
      [{ ...ada, email_verified: false }, google, NOBODY],
      [{ ...ada, email: 'bob@example.com' }, google, NOBODY],
      [ada, anIssuer, 'INVALID_OIDC_TOKEN: invalid OIDC token'],
      [ada, fakeIssuer(google.url), 'INVALID_OIDC_TOKEN: invalid OIDC token'],
      [{ ...ada, nonce: 'another' }, google, 'INVALID_OIDC_TOKEN: invalid OIDC token'],
    ]
    for (const [claims, issuer, why] of refused) assert.is(await login(tenant, claims, { issuer }), why)
    assert.is(await login(scene.tenant, ada), NOBODY)
    assert.is(await login(await linking(scene.other), ada), NOBODY)
    const eves = text(await tenant.got('signup', { ...NOTHING, userEmail: 'eve@example.com' }), 'organizationId')
    assert.is(await login(tenant, ada, { organizationId: eves }), NOBODY)
    assert.not(tenant.sent.includes('create_oauth_providers'))
    assert.is(sessionOf(await login(tenant, ada, { organizationId }))['organization_id'], organizationId)
  }))

it('sign in by a provider of OAuth2, with the credential of the client', () =>
  onScene(async ({ tenant, other, url }) => {
    const published: unknown = await (await fetch(`${url}/public/v1/discovery/keys`)).json()
    const { keys } = published as { readonly keys: readonly { readonly purpose: string; readonly publicKey: string }[] } // as it is defined
    const to = keys.find(({ purpose }) => purpose === 'oauth2-encryption')?.publicKey ?? ''
    const encryptedClientSecret = await encryptOauth2ClientSecret('secret', to)
    const given = { provider: 'OAUTH2_PROVIDER_X', clientId: 'client', encryptedClientSecret }
    await tenant.done(tenant.root, 'create_oauth2_credential', given)
    const said = {
      provider: 'OAUTH2_PROVIDER_X',
      authCode: 'code',
      redirectUri: 'https://shop.example.com',
      codeVerifier: 'verifier',
    }
    const { publicKey } = clientKey()
    const asked = { ...said, nonce: nonceOf(publicKey), clientId: 'client' }
    const oidcToken = text(await tenant.got('oauth2_authenticate', asked), 'oidcToken')
    assert.is(oidcToken.split('.').length, 3)
    for (const [by, wrong] of [
      [tenant, { ...asked, clientId: 'another' }],
      [tenant, { ...asked, provider: 'OAUTH2_PROVIDER_DISCORD' }],
      [other, asked],
    ] as const)
      assert.match(
        refusalIn(await by.asked('oauth2_authenticate', wrong)),
        /^OAUTH2_CREDENTIAL_NOT_FOUND: unable to find/,
      )
  }))

it.run()
