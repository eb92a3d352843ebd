import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readIdentityToken } from '../../../../core/identity/identity-token.ts'
import { identified } from '../../../../core/organization/oauth-providers.ts'
import { initial } from '../../../../core/organization/state.ts'
import { users } from '../../../../core/organization/users.ts'
import { createOauthProviders } from '../../../../core/resources/oauth-provider/create-oauth-providers.ts'
import { childOf } from '../sub-organization/children.ts'
import { anIssuer, fakeIssuer, google } from '../../world/issuer.ts'
import { codeOf, right, stamped, world } from '../../world/world.ts'
import { testStore } from '../../world/test-store.ts'
import type { Members } from '../example.ts'
import { anyOrganization, ADA, uuid } from '../execute.ts'
import { json } from '../scene.ts'
import { byClaims, byGoogle, byToken, came, office, providersOf, register } from './scene.ts'

const it = suite('create oauth providers')

it('registers accounts by tokens, and by claims beside a token of the same person', async () => {
  const w = await office()
  const ada = await w.enrol('ada') // she is no root user: they are her own credentials
  const done = right(await register(w, ada, ada.userId, byToken(), byClaims()))
  const { providerIds } = done.result['createOauthProvidersResultV2'] as { readonly providerIds: readonly string[] }
  const shown = await providersOf(w, ada.userId)
  assert.equal(
    shown.map(({ providerId, providerName, issuer, audience, subject }) => [providerId, providerName, issuer, audience, subject]), // prettier-ignore
    [
      [providerIds[0], 'provider', anIssuer.url, 'client', 'subject'],
      [providerIds[1], 'another client', anIssuer.url, 'another', 'subject'],
    ],
  )
  const { user } = await w.answer(w.root, 'get_user', { userId: ada.userId })
  assert.equal((user as { readonly oauthProviders: unknown }).oauthProviders, shown)
  assert.equal((await w.answer(ada, 'get_oauth_providers'))['oauthProviders'], shown)
  assert.is(w.issuers.asked(), 1)
  await w.close()
})

it('reads the first version, which has tokens alone', async () => {
  const w = await office()
  const first = { type: 'ACTIVITY_TYPE_CREATE_OAUTH_PROVIDERS' }
  const { userId } = w.root
  const asked = (...oauthProviders: readonly Members[]) =>
    w.submit(w.root, 'create_oauth_providers', json({ userId, oauthProviders }), first)
  assert.is(codeOf(await asked(byToken(), byClaims())), 'REQUEST_INVALID')
  const { result } = right(await asked(byToken()))
  assert.equal(Object.keys(result), ['createOauthProvidersResult'])
  await w.close()
})

it('refuses what is no token that holds, with one failure and nothing stored', async () => {
  const w = await office()
  const { userId } = w.root
  const head = async () => right(await w.storage.store.head(w.organizationId)())
  const before = await head()
  const nowS = w.clock.now() / 1000
  for (const [what, provider] of [
    ['none', { providerName: 'a', oidcToken: 'a.b.c' }],
    ['of a stranger', byToken({}, w.stranger)],
    ['by another key', byToken({}, fakeIssuer(anIssuer.url))],
    ['of an issuer with a slash', byToken({ iss: `${anIssuer.url}/` })],
    ['over', byToken({ exp: nowS - 60 })],
    ['of later', byToken({ iat: nowS + 61 })],
    ['for two', byToken({ aud: ['client', 'another'] })],
    ['without a subject', byToken({ sub: '' })],
  ] as const)
    assert.is(codeOf(await register(w, w.root, userId, provider)), 'INVALID_OIDC_TOKEN', what)
  w.issuers.answer(false)
  assert.is(codeOf(await register(w, w.root, userId, byToken())), 'UNAVAILABLE')
  assert.equal(await head(), before)
  w.issuers.answer(true)
  assert.is(came(await register(w, w.root, userId, byToken({ exp: nowS - 59 }))), 'COMPLETED')
  await w.close()
})

it('refuses claims without a token of the same issuer and subject, and what has both or neither', async () => {
  const w = await office()
  const { userId } = w.root
  for (const [code, ...oauthProviders] of [
    ['REQUEST_INVALID', byClaims()],
    ['REQUEST_INVALID', byToken(), byClaims({ sub: 'somebody else' })],
    ['REQUEST_INVALID', byToken(), byClaims({ iss: google.url })],
    ['REQUEST_INVALID', byToken(), byClaims({ aud: '' })],
    ['REQUEST_INVALID', { ...byToken(), ...byClaims() }],
    ['REQUEST_INVALID', { providerName: 'a' }],
    ['REQUEST_INVALID', { ...byToken(), providerName: '' }],
    ['OAUTH_PROVIDER_ALREADY_EXISTS', byToken(), byClaims({ aud: 'client' })],
    ['OAUTH_PROVIDER_ALREADY_EXISTS', byToken(), byToken({ exp: 2e9 })],
  ] as const)
    assert.is(codeOf(await register(w, w.root, userId, ...oauthProviders)), code)
  assert.is(w.issuers.asked(), 0)
  await w.close()
})

it('refuses an identity that any user has, and takes it again when it is deleted', async () => {
  const w = await office()
  const ada = await w.enrol('ada')
  right(await register(w, ada, ada.userId, byToken()))
  assert.is(codeOf(await register(w, w.root, w.root.userId, byToken())), 'OAUTH_PROVIDER_ALREADY_EXISTS')
  for (const claims of [{ sub: 'another' }, { aud: 'another' }])
    right(await register(w, w.root, w.root.userId, byToken(claims)))
  const [registered] = await providersOf(w, ada.userId)
  await w.done(ada, 'delete_oauth_providers', { userId: ada.userId, providerIds: [registered?.providerId ?? ''] })
  assert.equal(await providersOf(w, ada.userId), [])
  right(await register(w, w.root, w.root.userId, byToken()))
  await w.close()
})

it('lets one of two engines register an identity', async () => {
  const store = await testStore()
  const [one, two] = [await office({ store }), await world({ store })]
  const ada = await one.enrol('ada')
  const body = one.body('create_oauth_providers', {
    userId: ada.userId,
    oauthProviders: [{ providerName: 'a', oidcToken: anIssuer.token() }],
  })
  const other = one.body('create_oauth_providers', {
    userId: one.root.userId,
    oauthProviders: [{ providerName: 'b', oidcToken: anIssuer.token() }],
  })
  const outcomes = await Promise.all([
    one.engine.submit('create_oauth_providers', stamped(ada, body))(),
    two.engine.submit('create_oauth_providers', stamped(one.root, other))(),
  ])
  assert.equal(outcomes.map(came).toSorted(), ['COMPLETED', 'OAUTH_PROVIDER_ALREADY_EXISTS'])
  await two.engine.close()
  await one.close()
})

it('keeps to ten a user, and to 20 in a request', async () => {
  const w = await office()
  const { userId } = w.root
  const many = (count: number, from = 0) => Array.from({ length: count }, (_, n) => byToken({ sub: `${from + n}` }))
  assert.is(codeOf(await register(w, w.root, userId, ...many(11))), 'RESOURCE_EXHAUSTED')
  assert.is(codeOf(await register(w, w.root, userId, ...many(21))), 'RESOURCE_EXHAUSTED')
  right(await register(w, w.root, userId, ...many(10)))
  assert.is(codeOf(await register(w, w.root, userId, byToken())), 'RESOURCE_EXHAUSTED')
  await w.close()
})

it('is not supported by an engine that finds no keys, but for requests without tokens', async () => {
  const w = await office({ ports: { identityTokens: undefined }, publicUrl: undefined })
  const { userId } = w.root
  assert.is(codeOf(await register(w, w.root, userId, byToken())), 'UNSUPPORTED')
  assert.is(codeOf(await register(w, w.root, userId, byClaims())), 'REQUEST_INVALID')
  assert.is(came(await register(w, w.root, userId)), 'COMPLETED')
  await w.close()
})

it('is for the user, and for whom a policy lets', async () => {
  const w = await office()
  const [ada, grace] = [await w.enrol('ada'), await w.enrol('grace')]
  assert.is(codeOf(await register(w, grace, ada.userId, byToken())), 'REQUEST_NOT_AUTHORIZED')
  await w.done(w.root, 'create_policy', {
    policyName: 'credentials',
    effect: 'EFFECT_ALLOW',
    condition: `activity.resource == 'CREDENTIAL' && activity.action == 'CREATE' && activity.params.user_id == '${ada.userId}'`,
    consensus: `approvers.any(user, user.id == '${grace.userId}')`,
    notes: '',
  })
  assert.is(came(await register(w, grace, ada.userId, byToken())), 'COMPLETED')
  await w.close()
})

it('lets the parent register accounts at Google with the verified address of the user, and no others', async () => {
  const w = await office()
  const child = await childOf(w, 'eve')
  const { userId } = child.root
  const asked = (...providers: readonly Members[]) => register(child, w.root, userId, ...providers)
  for (const providers of [
    [byToken({ email: 'eve@example.com', email_verified: true })],
    [byGoogle('grace@example.com')],
    [byGoogle('eve@example.com', { email_verified: false })],
    [byGoogle('eve@example.com', { email_verified: 'true' })],
    [byToken({}, google)],
    [byGoogle('eve@example.com'), byClaims({ iss: google.url })],
    [byGoogle('eve@example.com'), byToken()],
  ])
    assert.is(codeOf(await asked(...providers)), 'REQUEST_NOT_AUTHORIZED')
  assert.is(w.issuers.asked(), 0)
  assert.is(codeOf(await asked({ ...byGoogle('eve@example.com', { iat: 3e9 }) })), 'INVALID_OIDC_TOKEN')
  assert.is(came(await asked(byGoogle('Eve@example.com'))), 'COMPLETED')
  assert.equal((await providersOf(child, userId)).map(({ issuer }) => issuer), [google.url]) // prettier-ignore
  right(await register(child, child.root, userId, byToken())) // the user may register any
  const bob = await child.enrol('bob') // without an address
  assert.is(codeOf(await register(child, w.root, bob.userId, byGoogle('eve@example.com'))), 'REQUEST_NOT_AUTHORIZED')
  await w.close()
})

it('judges the times of a token when the last approval comes', async () => {
  const w = await office()
  const ada = await w.enrol('ada')
  await w.done(w.root, 'update_root_quorum', { threshold: 2, userIds: [w.root.userId, ada.userId] })
  const bob = w.root.userId
  const expS = w.clock.now() / 1000 + 600
  const waits = async (claims: Members) => right(await register(w, ada, bob, byToken(claims)))
  const [first, second] = [await waits({ exp: expS }), await waits({ exp: expS, sub: 'another' })]
  assert.is(first.status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  assert.is(w.issuers.asked(), 0)
  assert.is(came(await w.approve(w.root, first)), 'COMPLETED')
  w.clock.pass(660_000)
  assert.match(came(await w.approve(w.root, second)), /INVALID_OIDC_TOKEN|invalid OIDC token/)
  await w.close()
})

it('says in the change who it is, as personal members, and draws ids in the order of the request', async () => {
  const tried = anyOrganization()
  const oauthProviders = [byToken({ sub: 'a', iat: 1_600_000_000 }), byClaims({ sub: 'a' })]
  const parameters = json({ userId: ADA, oauthProviders })
  const { result, change } = right(await tried.inspected(createOauthProviders, parameters))
  const [one, two] = [uuid(5), uuid(6)]
  assert.equal(result, { providerIds: [one, two] })
  const account = { issuer: anIssuer.url, subject: 'a' }
  assert.equal(change, {
    userId: ADA,
    oauthProviders: [
      { providerId: one, providerName: 'provider', ...account, audience: 'client' },
      { providerId: two, providerName: 'another client', ...account, audience: 'another' },
    ],
  })
  const identity = readIdentityToken(anIssuer.token({ sub: 'a' }))
  assert.ok(identity)
  assert.is(identified(tried.state, identity)?.provider.providerId, one)
  assert.is(identified(initial(''), identity), undefined)
})

it('finds nobody by the empty texts that an erasure leaves', () => {
  const tried = anyOrganization()
  const ada = users.in(tried.state).get(ADA)
  const erased = { providerName: '', issuer: '', audience: '', subject: '', createdAtMs: 0 }
  ada?.oauthProviders.set(uuid(9), { providerId: uuid(9), ...erased })
  assert.is(identified(tried.state, erased), undefined)
})

it.run()
