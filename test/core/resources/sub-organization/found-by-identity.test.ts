import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Json } from '../../../../core/failure.ts'
import { initial } from '../../../../core/organization/state.ts'
import { storedName } from '../../../../core/definition/projection.ts'
import { listSuborgs } from '../../../../core/resources/sub-organization/list-suborgs.ts'
import { subOrganizations } from '../../../../core/resources/sub-organization/sub-organizations.ts'
import { fakeIssuer, knownIssuers } from '../../world/issuer.ts'
import { headOf } from '../../world/head-of.ts'
import { testPorts } from '../../world/ports.ts'
import { beginBelow, begunBy, codeOf, right, type Place, type World } from '../../world/world.ts'
import { refusal } from '../ask.ts'
import { register } from '../oauth-login/scene.ts'
import { ORGANIZATION } from '../execute.ts'
import { family } from './children.ts'

const it = suite('organizations below, found by identities')

const withIssuers = async () => {
  const [issuer, other] = [fakeIssuer('https://one.example.com'), fakeIssuer('https://other.example.com', 'OKP')]
  const identityTokens = knownIssuers(issuer, other)
  return { ...(await family({ ports: { identityTokens } })), issuer, other, identityTokens }
}

const asked = (w: Pick<World, 'ask' | 'root'>, filterType: string, filterValue: string) =>
  w.ask(w.root, 'list_suborgs', { filterType, filterValue })
const by = async (w: Pick<World, 'ask' | 'root'>, filterType: string, filterValue: string) =>
  right(await asked(w, filterType, filterValue))['organizationIds']
const claimsOf = (iss: string, sub: string, aud = 'client'): string => JSON.stringify({ iss, sub, aud })
const idsOf = (...places: readonly Place[]) => places.map(({ organizationId }) => organizationId)

/** The rows by which identities are found. */
const rowsOf = async ({ storage, organizationId }: World) =>
  right(await storage.readModels.rows(storedName(subOrganizations), organizationId, { limit: 1_000 })()).filter(
    ({ key }) => key.startsWith('OIDC_'),
  )

it('are those with a user who signs in by a token, or by its claims, wherever the account was registered', async () => {
  const { issuer, other, ...w } = await withIssuers()
  const [one, two] = [await beginBelow(w, w, 'eve'), await beginBelow(w, w, 'olga')]
  const token = issuer.token({ sub: 'ada' })
  for (const child of [one, two]) await register(child, child.root, token)
  const oauthProviders = [
    { providerName: 'one', oidcToken: token },
    { providerName: 'phone', oidcClaims: { iss: issuer.url, sub: 'ada', aud: 'phone' } },
  ]
  const begun = await w.done(w.root, 'create_sub_organization', {
    subOrganizationName: 'signed up',
    rootQuorumThreshold: 1,
    rootUsers: [{ userName: 'ada', apiKeys: [], authenticators: [], oauthProviders }],
  })
  const { subOrganizationId: three } = begunBy(begun.result)
  const all = [three, ...idsOf(two, one)]
  assert.equal(await by(w, 'OIDC_TOKEN', token), all)
  assert.equal(await by(w, 'OIDC_TOKEN', issuer.token({ sub: 'ada', nonce: 'whatever' })), all)
  assert.equal(await by(w, 'OIDC_CLAIMS', claimsOf(issuer.url, 'ada')), all)
  assert.equal(await by(w, 'OIDC_CLAIMS', ` {"aud":"phone","sub":"ada","iss":"${issuer.url}","x":1}`), [three])
  for (const claims of [
    claimsOf(`${issuer.url}/`, 'ada'),
    claimsOf(issuer.url, 'Ada'),
    claimsOf(issuer.url, 'ada', 'Client'),
    claimsOf(other.url, 'ada'),
    claimsOf('ada', issuer.url),
  ])
    assert.equal(await by(w, 'OIDC_CLAIMS', claims), [], claims)
  assert.equal(await by(w, 'OIDC_TOKEN', issuer.token({ sub: 'eve' })), [])
  await w.close()
})

it('are not those where the account, its user or all is gone, and their rows go, too', async () => {
  const { issuer, identityTokens, ...w } = await withIssuers()
  const token = issuer.token({ sub: 'ada' })
  const children = [await beginBelow(w, w, 'eve'), await beginBelow(w, w, 'olga'), await beginBelow(w, w, 'joan')]
  const [account, user, ended] = children as [Place, Place, Place]
  await register(account, account.root, token)
  const enrolled = await user.enrol('ada')
  await register(user, enrolled, token)
  await register(ended, ended.root, token)
  assert.is((await rowsOf(w)).length, 6)
  const shown = await account.answer(account.root, 'get_oauth_providers', { userId: account.root.userId })
  const [provider] = shown['oauthProviders'] as readonly { readonly providerId: string }[]
  const providerIds = [provider?.providerId ?? '']
  await account.done(account.root, 'delete_oauth_providers', { userId: account.root.userId, providerIds })
  assert.equal(await by(w, 'OIDC_TOKEN', token), idsOf(ended, user))
  await user.done(user.root, 'delete_users', { userIds: [enrolled.userId] })
  assert.equal(await by(w, 'OIDC_TOKEN', token), idsOf(ended))
  assert.is((await rowsOf(w)).length, 2)
  await ended.done(ended.root, 'delete_sub_organization', {})
  const before = identityTokens.asked()
  assert.equal(await by(w, 'OIDC_CLAIMS', claimsOf(issuer.url, 'ada')), [])
  assert.equal(await by(w, 'OIDC_TOKEN', token), [])
  assert.is(identityTokens.asked(), before) // nobody is left who signs in by this issuer
  const head = await headOf(w.storage.store, testPorts().signatures, ended.organizationId)
  await ended.done(w.root, 'erase_user', { userId: ended.root.userId, head })
  await by(w, 'OIDC_CLAIMS', claimsOf(issuer.url, 'ada'))
  assert.equal(await rowsOf(w), [])
  await w.close()
})

it('are looked up by no token that does not hold, or that its issuer has not signed', async () => {
  const { issuer, other, identityTokens, ...w } = await withIssuers()
  const child = await beginBelow(w, w)
  const token = issuer.token({ sub: 'ada' })
  await register(child, child.root, token)
  const now = Math.floor(w.clock.now() / 1000)
  const [header = '', claims = '', signature = ''] = token.split('.')
  const bad = {
    'signed by another': fakeIssuer(issuer.url).token({ sub: 'ada' }),
    'about nobody, signed by another': fakeIssuer(issuer.url).token({ sub: 'nobody' }),
    'with another signature': `${header}.${claims}.${other.token().split('.')[2] ?? ''}`,
    'cut off': `${header}.${claims}.${signature.slice(1)}`,
    over: issuer.token({ sub: 'ada', exp: now - 61 }),
    'not yet': issuer.token({ sub: 'ada', nbf: now + 120 }),
    'for two': issuer.token({ sub: 'ada', aud: ['client', 'another'] }),
    'no token': 'token',
    claims: claimsOf(issuer.url, 'ada'),
  }
  for (const [name, text] of Object.entries(bad))
    assert.is(codeOf(await asked(w, 'OIDC_TOKEN', text)), 'INVALID_OIDC_TOKEN', name)
  const before = identityTokens.asked()
  assert.equal(await by(w, 'OIDC_TOKEN', other.token({ sub: 'ada' })), []) // nobody below signs in by this issuer
  assert.equal(await by(w, 'OIDC_TOKEN', fakeIssuer('https://third.example.com').token()), [])
  assert.is(identityTokens.asked(), before)
  identityTokens.answer(false)
  assert.is(codeOf(await asked(w, 'OIDC_TOKEN', token)), 'UNAVAILABLE')
  assert.equal(await by(w, 'OIDC_CLAIMS', claimsOf(issuer.url, 'ada')), idsOf(child))
  await w.close()
})

it('are refused with the name of the member where the claims are none', async () => {
  const w = await withIssuers()
  for (const claims of [
    'a',
    '[]',
    '{}',
    '{"iss":"a","sub":"b"}',
    '{"iss":"a","sub":"b","aud":["c"]}',
    claimsOf('', 'b'),
  ]) {
    const refused = await asked(w, 'OIDC_CLAIMS', claims)
    assert.is(codeOf(refused), 'REQUEST_INVALID', claims)
    assert.match(JSON.stringify(refused), '"field":"filterValue"')
  }
  await w.close()
})

it('are not found by tokens on a server that asks no identity providers', async () => {
  const organization = initial(ORGANIZATION)
  const found = { organizationId: ORGANIZATION, position: '1' }
  const body: { readonly [member: string]: Json } = { filterType: 'OIDC_TOKEN', filterValue: fakeIssuer().token() }
  const context = {
    atMs: Date.parse('2026-01-01T00:00:00Z'),
    rows: async () => [found] as never,
    below: async () => true as never,
  }
  assert.is((await refusal(listSuborgs, organization, body, context)).code, 'UNSUPPORTED')
})

it.run()
