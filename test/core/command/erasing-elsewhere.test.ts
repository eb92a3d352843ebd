import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decodeUtf8 } from '../../../core/bytes.ts'
import type { Engine } from '../../../core/engine.ts'
import type { Recorded } from '../../../core/ports/event-store.ts'
import type { ReadModels } from '../../../core/ports/read-models.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { E } from '../../../core/prelude.ts'
import { erasure } from '../../../core/resources/erasure/erasure.ts'
import { publicApi } from '../../../core/resources/public-api.ts'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { keptOpen } from '../world/test-store.ts'
import { right, stamped, world, type World } from '../world/world.ts'
import { secondProcess } from './second-process.ts'

const it = suite('erasing while others have an old state')

const resources = [...publicApi, ...erasure]
const NAME = 'Ada-canary'
/** So many events that a closing engine writes a snapshot. */
const TAGS = 60

const crowd = async (storage: Storage, snapshotEvery = 1_000) => {
  const w = await world({ store: storage, resources, snapshotEvery })
  const ada = await w.enrol(NAME)
  for (let n = 0; n < TAGS; n += 1) await w.done(w.root, 'create_user_tag', { userTagName: `tag ${n}`, userIds: [] })
  const erase = async (): Promise<void> => {
    await w.done(w.root, 'delete_users', { userIds: [ada.userId] })
    const erased = await w.done(w.root, 'erase_user', { userId: ada.userId })
    assert.is(erased.status, 'ACTIVITY_STATUS_COMPLETED')
  }
  return { ...w, erase }
}

/** Lets an engine load the organization; gives what it tells of the users. */
const namesIn = async (engine: Engine, { root, organizationId }: World): Promise<string> => {
  const body = new TextEncoder().encode(JSON.stringify({ organizationId }))
  return JSON.stringify(right(await engine.query('list_users', stamped(root, body))()))
}

/** The snapshot as text; undefined if there is none. */
const snapshotOf = async ({ readModels }: Storage, organizationId: string): Promise<string | undefined> =>
  right(await readModels.snapshot(organizationId)())
    ?.parts.map(({ bytes }) => decodeUtf8(bytes))
    .join('\n')

it('lets no process write a snapshot of the state that it had before, when it closes', async () => {
  const storage = keptOpen(memoryStore())
  const w = await crowd(storage)
  const old = await secondProcess(w, { resources })
  assert.ok((await namesIn(old, w)).includes(NAME))
  await w.erase()
  await old.close()
  assert.is(await snapshotOf(storage, w.organizationId), undefined)
  await w.close()
  const text = await snapshotOf(storage, w.organizationId)
  assert.ok(text !== undefined && !text.includes(NAME))
})

it('keeps no state that was read from an old snapshot while it erases', async () => {
  const storage = keptOpen(memoryStore())
  let look = async (): Promise<unknown> => undefined
  const dropSnapshot: ReadModels['dropSnapshot'] = (organization) => async () => {
    await look()
    return storage.readModels.dropSnapshot(organization)()
  }
  const w = await crowd({ ...storage, readModels: { ...storage.readModels, dropSnapshot } }, 1)
  assert.ok((await snapshotOf(storage, w.organizationId))?.includes(NAME))
  look = () => namesIn(w.engine, w)
  await w.erase()
  await w.done(w.root, 'create_user_tag', { userTagName: 'later', userIds: [] })
  await w.close()
  const text = await snapshotOf(storage, w.organizationId)
  assert.ok(text?.includes('later') === true && !text.includes(NAME))
})

it('folds again what it read in part before the erasure', async () => {
  const storage = keptOpen(memoryStore())
  const w = await crowd(storage)
  let isFirst = true
  /** The first read sees the events from before the erasure with their parts, and those behind it. */
  const slowly: Storage['store']['readLog'] = (organization, after, limit, options) => async () => {
    const before = await storage.store.readLog(organization, after, limit, options)()
    if (!isFirst || E.isLeft(before)) return before
    isFirst = false
    await w.erase()
    const last = before.right.at(-1)?.sequence ?? after
    const behind = await storage.store.readLog(organization, last, limit, options)()
    return E.map((all: readonly Recorded[]) => [...before.right, ...all])(behind)
  }
  const slow = await secondProcess(
    { ...w, storage: { ...storage, store: { ...storage.store, readLog: slowly } } },
    { resources },
  )
  await namesIn(slow, w)
  await slow.close()
  const text = await snapshotOf(storage, w.organizationId)
  assert.ok(text !== undefined && !text.includes(NAME))
  await w.close()
})

it.run()
