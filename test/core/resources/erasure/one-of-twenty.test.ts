import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encodeUtf8 } from '../../../../core/bytes.ts'
import { completed, projection } from '../../../../core/definition/projection.ts'
import type { Engine } from '../../../../core/engine.ts'
import { importTranscript } from '../../../../core/log/import-transcript.ts'
import { readTranscript } from '../../../../core/log/transcript-reader.ts'
import type { EventStore } from '../../../../core/ports/event-store.ts'
import type { Storage } from '../../../../core/ports/storage.ts'
import { erasure, eraseUser } from '../../../../core/resources/erasure/erasure.ts'
import { publicApi } from '../../../../core/resources/public-api.ts'
import { createUsers } from '../../../../core/resources/user/user-resource.ts'
import { nodeIds } from '../../../../adapters/ids/node-ids.ts'
import { generateKey } from '../../../../adapters/signatures/signer.ts'
import { memoryStore } from '../../../../adapters/store-memory/index.ts'
import { openSqliteStore } from '../../../../adapters/store-sqlite/open.ts'
import { temporaryFolder } from '../../../temporary-folder.ts'
import { until } from '../../../until.ts'
import { right, stamped, world, type World } from '../../world/world.ts'
import { audited, digest, exported } from '../../audit/logs.ts'
import { secondProcess } from '../../command/second-process.ts'

const it = suite('one of twenty users who were created together')

const resources = [...publicApi, ...erasure]
const NAMES = Array.from({ length: 20 }, (_, index) => `person ${index}`)
const ERASED = 7

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let files = 0
it.before(async () => void (folder = await temporaryFolder()))
it.after(() => folder.remove())

const stores: { readonly [name: string]: () => Promise<Storage> } = {
  memory: () => Promise.resolve(memoryStore()),
  SQLite: async () => right(await openSqliteStore({ path: `${folder.path}/${(files += 1)}.db` })()),
}

const userOf = (userName: string) => ({
  userName,
  userEmail: `${userName.replace(' ', '.')}@example.com`,
  apiKeys: ['one', 'two'].map((key) => ({
    apiKeyName: `${key} of ${userName}`,
    publicKey: generateKey('API_KEY_CURVE_P256').publicKey,
    curveType: 'API_KEY_CURVE_P256',
  })),
  authenticators: [],
  oauthProviders: [],
  userTags: [],
})

/** A host's rows with names; a new version is built from the first event. */
const namesBy = (version: number) =>
  projection({
    name: 'names',
    version,
    on: [
      completed(createUsers, ({ users }, { organization, sequence }) =>
        users.map((user, index) => ({
          _tag: 'put' as const,
          organization,
          key: user.userId,
          order: sequence * 1_000n + BigInt(index),
          facets: {},
          value: {
            name: user.userName,
            email: user.userEmail ?? null,
            keys: user.apiKeys.map((key) => key.apiKeyName),
          },
        })),
      ),
    ],
  })

type Erased = { readonly w: World; readonly before: string }

const erased = async (store: Storage): Promise<Erased> => {
  const w = await world({ store, resources, snapshotEvery: 1 })
  const created = await w.done(w.root, 'create_users', { users: NAMES.map(userOf) })
  const { userIds } = created.result['createUsersResult'] as { readonly userIds: readonly string[] }
  const userId = userIds[ERASED] ?? ''
  await w.done(w.root, 'delete_users', { userIds: [userId] })
  const before = await exported(w.storage.store)
  await w.done(w.root, 'erase_user', { userId })
  return { w, before }
}

/** Fails unless exactly the others have their names, contacts and names of keys. */
const assertOthers = async (engine: Engine, w: World): Promise<void> => {
  const asked = async (path: string): Promise<string> => {
    const body = encodeUtf8(JSON.stringify({ organizationId: w.organizationId }))
    return JSON.stringify(right(await engine.query(path, stamped(w.root, body))()))
  }
  const [users, activities] = [await asked('list_users'), await asked('list_activities')]
  for (const [index, name] of NAMES.entries()) {
    const isLeft = index !== ERASED
    assert.is(users.includes(`"userName":"${name}"`), isLeft, name)
    assert.is(users.includes(`"${name.replace(' ', '.')}@example.com"`), isLeft, name)
    for (const key of ['one', 'two']) assert.is(users.includes(`"${key} of ${name}"`), isLeft, name)
    assert.is(activities.includes(`"${name}"`), false, 'the request that held all names went as a whole')
  }
}

const snapshotOf = async ({ storage, organizationId }: World) =>
  right(await storage.readModels.snapshot(organizationId)())

for (const [name, open] of Object.entries(stores)) {
  it(`leaves the others their names, in the process that erases and after a cold start: ${name}`, async () => {
    const { w } = await erased(await open())
    await assertOthers(w.engine, w)
    right(await w.storage.readModels.dropSnapshots()())
    const second = await secondProcess(w, { resources })
    assert.is(await snapshotOf(w), undefined)
    await assertOthers(second, w)
    await second.close()
  })

  it(`leaves the others their names in a snapshot: ${name}`, async () => {
    const { w } = await erased(await open())
    await w.done(w.root, 'create_user_tag', { userTagName: 'later', userIds: [] })
    const snapshot = await until(() => snapshotOf(w)) // the process writes it beside its answers
    const texts = snapshot.parts.map(({ bytes }) => Buffer.from(bytes).toString()).join('')
    assert.ok(texts.includes('person 8') && !texts.includes('person 7'))
    const second = await secondProcess(w, { resources })
    await assertOthers(second, w)
    await second.close()
  })

  it(`leaves the others their names in rows that are built again: ${name}`, async () => {
    const { w } = await erased(await open())
    const rebuilt = namesBy(2)
    const subscription = right(await w.engine.subscribe(rebuilt)())
    right(await w.engine.whenProcessed(right(await w.engine.lastPosition()()), rebuilt.name)())
    const stored = await w.storage.readModels.rows('names@2', w.organizationId, { limit: 100, ascending: true })()
    const replayed = right(await w.engine.replay(namesBy(1))()).state.get(w.organizationId)
    const rows = right(stored).map(({ value }) => value as { readonly name: string; readonly keys: readonly string[] })
    assert.equal(
      rows.map((row) => row.name),
      NAMES.map((one, index) => (index === ERASED ? '' : one)),
    )
    assert.equal(rows[ERASED], { name: '', email: null, keys: ['', ''] })
    assert.equal(new Set([...(replayed ?? [])].map(([, row]) => row.value)), new Set(rows))
    await subscription.close()
  })

  it(`leaves the others their names after export and import, and the next export is the same: ${name}`, async () => {
    const { w, before } = await erased(await open())
    const text = await exported(w.storage.store)
    const copy = await open()
    right(await imported(copy.store, text))
    assert.is(await exported(copy.store), text)
    const second = await secondProcess({ ...w, storage: copy }, { resources })
    await assertOthers(second, w)
    await second.close()
    const { organizations, findings } = await audited(before, {}, [eraseUser])
    assert.equal(findings, [])
    const [known] = organizations
    if (known === undefined) throw new Error('no organization')
    const { organization, genesis = '', sequence, hash } = known
    const options = { pins: new Map([[organization, genesis]]), heads: [{ organization, sequence, hash }] }
    const after = await audited(text, options, [eraseUser])
    assert.equal(after.findings, [])
    assert.is(after.organizations[0]?.isPinned, true)
    assert.is(after.organizations[0]?.isHeadCompared, true)
  })
}

const imported = (store: EventStore, text: string) =>
  importTranscript({ store, digest, ids: nodeIds() }, () => readTranscript(digest, [encodeUtf8(text)]))()

it.run()
