import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generateKey } from '../../../../adapters/signatures/signer.ts'
import type { Json } from '../../../../core/failure.ts'
import { audited, codesIn, exported } from '../../audit/logs.ts'
import { draftsOf, forged, must, renamed, type Draft } from '../../audit/forgery.ts'
import { faultyStore, goesWell, notWritten } from '../../command/faulty-store.ts'
import { anIssuer, fakeIssuer, google } from '../../world/issuer.ts'
import { inTime, quiet, until } from '../../world/under-way.ts'
import { begunBy, codeOf, placeIn, right, type World } from '../../world/world.ts'
import type { Members } from '../example.ts'
import { byClaims, byGoogle, byToken, came, office, providersOf } from '../oauth-provider/scene.ts'
import { json } from '../scene.ts'

const it = suite('organizations that begin with identity providers')

const PATH = 'create_sub_organization'
const typeOf = (version: number) => ({ type: `ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V${version}` })

const beginning = (...rootUsers: readonly Members[]): Json =>
  json({
    subOrganizationName: 'below',
    rootQuorumThreshold: 1,
    rootUsers: rootUsers.map((user) => ({ userName: 'eve', apiKeys: [], authenticators: [], ...user })),
  })

const asked = (w: World, version: number, ...oauthProviders: readonly Members[]) =>
  w.submit(w.root, PATH, beginning({ oauthProviders }), typeOf(version))

for (const version of [5, 6, 7, 8])
  it(`take a token in version ${version}, and claims in the eighth alone`, async () => {
    const w = await office()
    assert.is(came(await asked(w, version, byToken())), 'COMPLETED')
    const byBoth = await asked(w, version, byToken(), byClaims())
    assert.is(version === 8 ? came(byBoth) : codeOf(byBoth), version === 8 ? 'COMPLETED' : 'REQUEST_INVALID')
    await w.close()
  })

it('have the providers of their users, and the address that Google has verified', async () => {
  const w = await office()
  const { result } = await w.done(
    w.root,
    PATH,
    beginning(
      { userEmail: 'eve@example.com', oauthProviders: [byGoogle('eve@example.com')] },
      { userEmail: 'ada@example.com', oauthProviders: [byToken({ email: 'ada@example.com', email_verified: true })] },
    ),
  )
  const { subOrganizationId, rootUserIds } = begunBy(result)
  const below = placeIn(w, subOrganizationId, w.root)
  const issuers = await Promise.all(rootUserIds.map(async (userId) => providersOf(below, userId)))
  assert.equal(
    issuers.map((listed) => listed.map(({ issuer }) => issuer)),
    [[google.url], [anIssuer.url]],
  )
  const found = async (filterValue: string) =>
    (await w.answer(w.root, 'list_verified_suborgs', { filterType: 'EMAIL', filterValue }))['organizationIds']
  assert.equal(await found('eve@example.com'), [subOrganizationId])
  assert.equal(await found('ada@example.com'), [])
  await w.close()
})

it('do not begin by a token that does not hold, or that nobody has signed', async () => {
  const w = await office()
  const nowS = w.clock.now() / 1000
  assert.is(codeOf(await asked(w, 8, byToken({ exp: nowS - 60 }))), 'INVALID_OIDC_TOKEN')
  assert.is(codeOf(await asked(w, 8, byToken(), byToken())), 'OAUTH_PROVIDER_ALREADY_EXISTS')
  assert.is(codeOf(await asked(w, 8, byClaims())), 'REQUEST_INVALID')
  assert.is(w.issuers.asked(), 0)
  for (const issuer of [w.stranger, fakeIssuer(anIssuer.url)])
    assert.is(came(await asked(w, 8, byToken({}, issuer))), 'invalid OIDC token')
  assert.equal((await w.answer(w.root, 'list_suborgs'))['organizationIds'], [])
  await w.close()
})

it('are not supported by an engine that finds no keys; without tokens they are', async () => {
  const w = await office({ ports: { identityTokens: undefined }, publicUrl: undefined })
  assert.is(codeOf(await asked(w, 8, byToken())), 'UNSUPPORTED')
  const { publicKey, curve } = generateKey('API_KEY_CURVE_P256')
  const apiKeys = [{ apiKeyName: 'key', publicKey, curveType: curve }]
  assert.is(came(await w.submit(w.root, PATH, beginning({ apiKeys, oauthProviders: [] }))), 'COMPLETED')
  await w.close()
})

it('begin when the provider answers, also if the token is over by then', async () => {
  const w = await office()
  w.issuers.answer(false)
  const body = w.body(PATH, beginning({ oauthProviders: [byToken({ exp: w.clock.now() / 1000 + 1 })] }))
  const first = right(await inTime(w.clock, w.send(w.root, PATH, body)))
  assert.is(first.status, 'ACTIVITY_STATUS_PENDING')
  w.issuers.answer(true)
  w.clock.pass(120_000)
  const shown = async () => came(await w.send(w.root, PATH, body))
  while ((await inTime(w.clock, shown())) === 'PENDING') w.clock.pass(10_000)
  assert.is(await shown(), 'COMPLETED')
  assert.equal(codesIn(await audited(await exported(w.storage.store))), [])
  await w.close()
})

it('do not ask the provider again when they have begun', async () => {
  const storage = faultyStore({ isShared: true })
  const w = await office({ store: storage, waitForEffectsMs: 0 })
  const body = w.body(PATH, beginning({ oauthProviders: [byToken()] }))
  storage.plan(goesWell, goesWell, notWritten) // the start, what is below, and the end
  assert.is(right(await inTime(w.clock, w.send(w.root, PATH, body))).status, 'ACTIVITY_STATUS_PENDING')
  w.issuers.answer(false)
  await until(async () => {
    w.clock.pass(10_000)
    await quiet()
    return came(await inTime(w.clock, w.send(w.root, PATH, body))) === 'COMPLETED'
  })
  assert.is(w.issuers.asked(), 1)
  assert.equal(codesIn(await audited(await exported(storage.store))), [])
  await w.close()
})

const isBegun = ({ event }: Draft): boolean => event.data.performed !== undefined
const completion = (drafts: readonly Draft[]): Draft => must(drafts.find(isBegun))

it('name the keys that have signed the tokens, by which an audit verifies them', async () => {
  const w = await office()
  assert.is(came(await asked(w, 8, byToken(), byToken({}, google), byClaims())), 'COMPLETED')
  const text = await exported(w.storage.store)
  await w.close()
  const { findings, counts } = await audited(text)
  assert.equal([findings, counts.believed], [[], 0])
  const { performed } = completion(draftsOf(text)).event.data
  assert.equal((performed as { readonly tokenKeys: Json }).tokenKeys, [anIssuer.key(), google.key()])

  const lied = (tokenKeys: Json | undefined): string => {
    const drafts = draftsOf(text)
    const said = completion(drafts).event.data.performed as { tokenKeys?: Json | undefined } // our own log
    const child = must(
      drafts.find(({ event }) => event.data.change !== undefined && 'tokenKeys' in must(event.data.change as object)),
    ) // as above
    for (const one of [said, child.event.data.change, child.event.data.result] as { tokenKeys?: Json | undefined }[])
      if (tokenKeys === undefined) delete one.tokenKeys
      else one.tokenKeys = tokenKeys
    return forged(renamed(drafts))
  }
  assert.equal(codesIn(await audited(lied(json([anIssuer.key(), google.key()])))), [])
  const others = [
    [fakeIssuer(anIssuer.url).key(), google.key()],
    [google.key(), anIssuer.key()],
    [anIssuer.key()],
    undefined,
  ]
  for (const keys of others) assert.equal(codesIn(await audited(lied(keys && json(keys)))), ['PERFORMED_DIFFERS'])
})

it.run()
