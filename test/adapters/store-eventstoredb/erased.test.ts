import { randomUUID } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { generateKey } from '../../../adapters/signatures/signer.ts'
import { connectClient } from '../../../adapters/store-eventstoredb/client.ts'
import type { LogClient } from '../../../adapters/store-eventstoredb/log-client.ts'
import { openOver } from '../../../adapters/store-eventstoredb/open.ts'
import { decodeUtf8 } from '../../../core/bytes.ts'
import type { Engine } from '../../../core/engine.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { erasure, eraseUser } from '../../../core/resources/erasure/erasure.ts'
import { publicApi } from '../../../core/resources/public-api.ts'
import { startEmulator } from './emulator/emulator.ts'
import { audited, exported } from '../../core/audit/logs.ts'
import { secondProcess } from '../../core/command/second-process.ts'
import { right, stamped, world, type World } from '../../core/world/world.ts'
import { openLender } from './any-storage.ts'
import { memoryLog } from './memory-log.ts'

const it = suite('EventStoreDB store: what was erased')

const resources = [...publicApi, ...erasure]
const NAME = 'Ada who goes'
const OTHER = 'Grace who stays'

const userOf = (userName: string) => ({
  userName,
  userEmail: `${userName.replaceAll(' ', '.')}@example.com`,
  apiKeys: [
    {
      apiKeyName: 'key',
      publicKey: generateKey('API_KEY_CURVE_P256').publicKey,
      curveType: 'API_KEY_CURVE_P256',
    },
  ],
  authenticators: [],
  oauthProviders: [],
  userTags: [],
})

const has = (text: string): { readonly name: boolean; readonly other: boolean } => ({
  name: text.includes(NAME) || text.includes(NAME.replaceAll(' ', '.')),
  other: text.includes(OTHER),
})
/** An export with its parts, which are written in base64, as they are. */
const read = (text: string): string =>
  text + text.replaceAll(/"([A-Za-z0-9+/_-]{8,})={0,2}"/g, (_, coded: string) => String(Buffer.from(coded, 'base64')))
const GONE = { name: false, other: true }

/** Everything that can be read from the store, as one text. */
const everythingIn = async ({ store, readModels }: Storage, organizationId: string): Promise<string> => {
  const all = right(await store.readAll(0n, 10_000)())
  const log = right(await store.readLog(organizationId, 0n, 10_000)())
  assert.is(log.length, all.length)
  const activities = new Set(log.map(({ activity }) => activity))
  const own = await Promise.all(
    [...activities].map(async (activity) => right(await store.readActivity(organizationId, activity)())),
  )
  assert.is(own.flat().length, all.length)
  const rows = await Promise.all(
    right(await readModels.projections()()).map(async (projection) =>
      right(await readModels.rows(projection, organizationId, { limit: 10_000 })()).map(({ value }) => value),
    ),
  )
  const snapshot = right(await readModels.snapshot(organizationId)())
  return [...all, ...log, ...own.flat()]
    .flatMap(({ line, parts }) => [line, ...parts.map(({ bytes }) => bytes)])
    .concat((snapshot?.parts ?? []).map(({ bytes }) => bytes))
    .map((bytes) => decodeUtf8(bytes) ?? '')
    .concat(JSON.stringify(rows.flat(), (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)))
    .join('\n')
}

const answersOf = async (engine: Engine, { root, organizationId }: World): Promise<string> => {
  const ask = async (path: string): Promise<string> =>
    JSON.stringify(right(await engine.query(path, stamped(root, Buffer.from(JSON.stringify({ organizationId }))))()))
  return `${await ask('list_users')}${await ask('list_activities')}`
}

/** Two processes; one erases. Then both are ended, the rows and the index are thrown away, and a third begins. */
const erases = async (connect: () => Promise<LogClient>, prefix: string): Promise<void> => {
  const { lender, readModels } = openLender()
  const open = async (more: object = {}): Promise<Storage> =>
    right(await openOver(connect, { connectionString: 'esdb://test', prefix, ...(await lender.borrow()), ...more })())
  const w = await world({ store: await open(), resources, snapshotEvery: 1 })
  const beside = await open()
  const second = await secondProcess({ ...w, storage: beside }, { resources })
  const created = await w.done(w.root, 'create_users', { users: [userOf(NAME)] })
  await w.done(w.root, 'create_users', { users: [userOf(OTHER)] })
  const [userId = ''] = (created.result['createUsersResult'] as { readonly userIds: readonly string[] }).userIds
  await w.done(w.root, 'delete_users', { userIds: [userId] })
  assert.equal(has(await everythingIn(beside, w.organizationId)), { name: true, other: true })
  const before = await exported(beside.store)

  await w.done(w.root, 'erase_user', { userId })
  for (const storage of [w.storage, beside]) {
    assert.equal(has(await everythingIn(storage, w.organizationId)), GONE)
    assert.equal(has(read(await exported(storage.store))), GONE)
  }
  for (const engine of [w.engine, second]) assert.equal(has(await answersOf(engine, w)), GONE)
  const text = await exported(w.storage.store)
  const report = await audited(text, {}, [eraseUser])
  assert.equal([report.findings, has(read(before))], [[], { name: true, other: true }])
  await w.close()
  await second.close()

  const again = await open()
  assert.equal(has(await everythingIn(again, w.organizationId)), GONE)
  const third = await secondProcess({ ...w, storage: again }, { resources })
  assert.equal(has(await answersOf(third, w)), GONE)
  assert.is(await exported(again.store), text)
  await third.close()

  for (const name of right(await readModels.projections()())) right(await readModels.drop(name)())
  right(await readModels.dropSnapshots()())
  const anew = await open({ adoptReadModels: true })
  const fourth = await secondProcess({ ...w, storage: anew }, { resources })
  assert.equal(has(await answersOf(fourth, w)), GONE)
  assert.equal(has(await everythingIn(anew, w.organizationId)), GONE)
  assert.is(await exported(anew.store), text)
  await fourth.close()
}

it('is gone from every read, export and answer at once, in every process, and stays so: in memory', async () => {
  const log = memoryLog()
  await erases(async () => log.connect(), '')
})

it('is gone from every read, export and answer at once, in every process, and stays so: on the emulator', async () => {
  const { connectionString, stop } = await startEmulator()
  await erases(() => connectClient({ connectionString }), 'a-')
  await stop()
})

const { EVENTSTOREDB_URL: url } = process.env
if (url !== undefined && url !== '')
  it('is gone from every read, export and answer at once, in every process, and stays so: on a real server', () =>
    erases(() => connectClient({ connectionString: url }), `erased-${randomUUID()}-`))

it.run()
