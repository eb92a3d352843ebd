import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generateKey } from '../../../../adapters/signatures/signer.ts'
import { encodeBase64Url } from '../../../../core/bytes.ts'
import type { Json } from '../../../../core/failure.ts'
import { E } from '../../../../core/prelude.ts'
import { softwarePasskey, paramsOf } from '../../world/software-passkey.ts'
import { begunBy, begin, placeIn, type Place, type World } from '../../world/world.ts'
import { faultyStore } from '../../command/faulty-store.ts'
import { secondProcess } from '../../command/second-process.ts'
import { NOBODY } from '../example.ts'
import { childOf, family } from './children.ts'

const it = suite('list suborgs')

type Members = { readonly [member: string]: Json }

const listed = async (place: Place, members: Members = {}) =>
  (await place.answer(place.root, 'list_suborgs', members)).organizationIds as readonly string[]
const by = (place: Place, filterType: string, filterValue: string) => listed(place, { filterType, filterValue })

/** Begins an organization below with such users. */
const childWith = async (w: World, subOrganizationName: string, ...rootUsers: readonly Members[]): Promise<Place> => {
  const root = generateKey()
  const apiKeys = [{ apiKeyName: 'root', publicKey: root.publicKey, curveType: root.curve }]
  const empty = { apiKeys: [], authenticators: [], oauthProviders: [] }
  const made = await w.done(w.root, 'create_sub_organization', {
    subOrganizationName,
    rootQuorumThreshold: 1,
    rootUsers: [{ ...empty, userName: 'root', apiKeys }, ...rootUsers.map((one) => ({ ...empty, ...one }))],
  })
  const { subOrganizationId, rootUserIds } = begunBy(made.result)
  return placeIn(w, subOrganizationId, { key: root, userId: rootUserIds[0] ?? '', apiKeyId: '' })
}

const idsOf = (...places: readonly Place[]) => places.map(({ organizationId }) => organizationId)

it('lists those below, newest first, as soon as they are there', async () => {
  const w = await family()
  assert.equal(await listed(w), [])
  const [one, two] = [await childOf(w), await childOf(w)]
  assert.equal(await listed(w), idsOf(two, one))
  assert.equal(await listed(one), [])
  assert.equal(await listed(await begin(w)), [])
  await two.done(two.root, 'delete_sub_organization', {})
  assert.equal(await listed(w), idsOf(one))
  await w.close()
})

it('finds by names and contacts, each organization once', async () => {
  const w = await family()
  const ada = { userName: 'Ada', userEmail: 'Ada@Example.com', userPhoneNumber: '+15550100123' }
  const joan = { userName: 'Joan', userEmail: 'ada@example.COM' }
  const [one, two] = [await childWith(w, 'Acme', ada, joan), await childWith(w, 'Other', ada)]
  assert.equal(await by(w, 'NAME', 'Acme'), idsOf(one))
  assert.equal(await by(w, 'USERNAME', 'Ada'), idsOf(two, one))
  assert.equal(await by(w, 'USERNAME', 'Joan'), idsOf(one))
  assert.equal(await by(w, 'EMAIL', 'ADA@example.com'), idsOf(two, one))
  assert.equal(await by(w, 'PHONE_NUMBER', '+15550100123'), idsOf(two, one))
  for (const [type, value] of [
    ['NAME', 'acme'],
    ['NAME', 'Acm'],
    ['USERNAME', 'ada'],
    ['EMAIL', 'Ada'],
    ['NAME', one.organizationId],
    ['NAME', 'EACH'],
  ] as const)
    assert.equal(await by(w, type, value), [], `${type} ${value}`)
  await two.done(two.root, 'delete_sub_organization', {}) // its users stay
  assert.equal(await by(w, 'EMAIL', 'ada@example.com'), idsOf(one))
  await w.close()
})

it('finds by credentials that are registered, expired or not', async () => {
  const w = await family()
  const passkey = softwarePasskey({ algorithm: 'ES256', rpId: 'example.com' })
  const [key, other] = [generateKey(), generateKey()]
  const expiring = { apiKeyName: 'key', publicKey: key.publicKey, curveType: key.curve, expirationSeconds: '60' }
  const lasting = { apiKeyName: 'key', publicKey: other.publicKey, curveType: other.curve }
  const child = await childWith(w, 'Acme', {
    userName: 'ada',
    apiKeys: [expiring, lasting],
    authenticators: [paramsOf(passkey)],
  })
  await childOf(w)
  w.clock.pass(120_000)
  const credentialId = encodeBase64Url(passkey.credentialId)
  const values = [
    ['PUBLIC_KEY', key.publicKey],
    ['PUBLIC_KEY', key.publicKey.toUpperCase()],
    ['PUBLIC_KEY', other.publicKey],
    ['PUBLIC_KEY', encodeBase64Url(passkey.publicKey)],
    ['CREDENTIAL_ID', credentialId],
  ] as const
  for (const [type, value] of values) assert.equal(await by(w, type, value), idsOf(child), type)
  assert.equal(await by(w, 'CREDENTIAL_ID', key.publicKey), [])
  assert.equal(await by(w, 'PUBLIC_KEY', credentialId), [])
  const users = (await child.answer(child.root, 'list_users')).users as readonly {
    readonly userId: string
    readonly userName: string
  }[]
  const ada = users.find(({ userName }) => userName === 'ada')?.userId ?? ''
  await child.done(child.root, 'update_root_quorum', { threshold: 1, userIds: [child.root.userId] })
  await child.done(child.root, 'delete_users', { userIds: [ada] }) // the rows of the credentials stay
  for (const [type, value] of values) assert.equal(await by(w, type, value), [], type)
  await w.close()
})

it('gives a page behind a cursor, in both directions', async () => {
  const w = await family()
  const children: Place[] = []
  for (let n = 0; n < 12; n += 1) children.unshift(await childWith(w, n % 2 === 0 ? 'even' : 'odd'))
  const ids = idsOf(...children)
  const page = (paginationOptions: Members, more: Members = {}) => listed(w, { paginationOptions, ...more })
  assert.equal(await page({}), ids.slice(0, 10))
  assert.equal(await page({ limit: '', before: '', after: '' }), ids.slice(0, 10))
  assert.equal(await page({ limit: '100' }), ids)
  assert.equal(await page({ limit: '3', before: ids[4] ?? '' }), ids.slice(5, 8))
  assert.equal(await page({ limit: '3', after: ids[4]?.toUpperCase() ?? '' }), ids.slice(1, 4))
  assert.equal(await page({ limit: '3', after: ids[1] ?? '' }), ids.slice(0, 1))
  const odd = { filterType: 'NAME', filterValue: 'odd' } // those at 0, 2, 4, …
  assert.equal(await page({ limit: '2', before: ids[3] ?? '' }, odd), [ids[4], ids[6]])
  assert.equal(await page({ limit: '2', after: ids[7] ?? '' }, odd), [ids[4], ids[6]])
  await w.close()
})

it('refuses what it does not understand, and names the member', async () => {
  const w = await family()
  const [child, other] = [await childOf(w), await begin(w)]
  const ended = await childOf(w)
  await ended.done(ended.root, 'delete_sub_organization', {})
  const id = child.organizationId
  const wrong = async (members: Members): Promise<readonly unknown[]> => {
    const refused = await w.ask(w.root, 'list_suborgs', members)
    if (E.isRight(refused)) return ['no failure']
    const { code, details = [] } = refused.left
    const [violations] = details as readonly { readonly fieldViolations?: readonly { readonly field: string }[] }[]
    return [code, violations?.fieldViolations?.[0]?.field]
  }
  const cases: readonly (readonly [Members, string])[] = [
    [{ filterType: 'NAMES', filterValue: 'a' }, 'filterType'],
    [{ filterValue: 'a' }, 'filterType'],
    [{ filterType: 'NAME' }, 'filterValue'],
    [{ filterType: 'NAME', filterValue: '' }, 'filterValue'],
    [{ paginationOptions: { limit: '0' } }, 'paginationOptions.limit'],
    [{ paginationOptions: { limit: '101' } }, 'paginationOptions.limit'],
    [{ paginationOptions: { before: id, after: id } }, 'paginationOptions.after'],
    [{ paginationOptions: { before: 'x' } }, 'paginationOptions.before'],
    [{ paginationOptions: { before: NOBODY } }, 'paginationOptions.before'],
    [{ paginationOptions: { after: w.organizationId } }, 'paginationOptions.after'],
    [{ paginationOptions: { after: other.organizationId } }, 'paginationOptions.after'],
    [{ paginationOptions: { after: ended.organizationId } }, 'paginationOptions.after'],
  ]
  for (const [members, field] of cases)
    assert.equal(await wrong(members), ['REQUEST_INVALID', field], JSON.stringify(members))
  assert.equal(await listed(w, { filterValue: '' }), [id])
  await w.close()
})

it('sees what another process has written', async () => {
  const w = await family({ store: faultyStore({ isShared: true }) })
  const child = await childOf(w)
  assert.equal(await listed(w), idsOf(child))
  const engine = await secondProcess(w, { resources: w.engine.catalogue.resources })
  const there = placeIn({ engine, clock: w.clock }, child.organizationId, child.root)
  const key = generateKey()
  const apiKeys = [{ apiKeyName: 'key', publicKey: key.publicKey, curveType: key.curve }]
  await there.done(there.root, 'create_api_keys', { userId: child.root.userId, apiKeys })
  assert.equal(await by(w, 'PUBLIC_KEY', key.publicKey), idsOf(child))
  await w.close()
})

it.run()
