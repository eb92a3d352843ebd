import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { openSqliteStore } from '../../../adapters/store-sqlite/open.ts'
import { encodeUtf8 } from '../../../core/bytes.ts'
import { copyLog } from '../../../core/log/copy-log.ts'
import { importTranscript } from '../../../core/log/import-transcript.ts'
import { readTranscript } from '../../../core/log/transcript-reader.ts'
import { failure } from '../../../core/failure.ts'
import { IMPORT_UNFINISHED, type EventStore } from '../../../core/ports/event-store.ts'
import { TE } from '../../../core/prelude.ts'
import { digest, exported, mixedLog, trio, type Trio } from '../../core/audit/logs.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { codeOf, right } from '../../core/world/world.ts'
import { memoryLog } from './memory-log.ts'
import { openOn } from './under-test.ts'

const it = suite('EventStoreDB store: a log that is copied')

let made: Trio
let text = ''
it.before(async () => {
  ;({ made, text } = await mixedLog())
})
it.after(() => made.close())

const copied = (from: EventStore, to: EventStore) => copyLog({ from, to, digest, ids: nodeIds() })()

it('exports the same bytes after every way through memory, SQLite and EventStoreDB', async () => {
  const { path, remove } = await temporaryFolder()
  const opening = async () => ({
    memory: memoryStore().store,
    sqlite: right(await openSqliteStore({ path: join(path, `${Math.random()}.db`) })()).store,
    eventStoreDb: (await openOn(memoryLog())).store,
  })
  const [first, second] = [await opening(), await opening()]
  for (const one of Object.values(first)) {
    right(await copied(made.storage.store, one))
    assert.is(await exported(one), text)
  }
  right(await copied(first.eventStoreDb, second.sqlite))
  right(await copied(second.sqlite, second.eventStoreDb))
  right(await copied(second.eventStoreDb, second.memory))
  for (const one of Object.values(second)) assert.is(await exported(one), text)
  const list = async (store: EventStore) =>
    right(await store.activities(made.organizationId, { limit: 100 })()).map(({ position: _, ...rest }) => rest)
  assert.equal(await list(second.eventStoreDb), await list(made.storage.store))
  assert.is(right(await second.eventStoreDb.importedTo()()), right(await second.eventStoreDb.lastPosition()()))
  for (const { sqlite, eventStoreDb } of [first, second]) {
    await sqlite.close()
    await eventStoreDb.close()
  }
  await remove()
})

it('finishes a copy that was interrupted', async () => {
  const { store } = await openOn(memoryLog())
  let left = 1
  const failing: EventStore = {
    ...store,
    append: (commits) => (left-- > 0 ? store.append(commits) : TE.left(failure('UNAVAILABLE', 'the server is away'))),
  }
  assert.is(codeOf(await copied(made.storage.store, failing)), 'UNAVAILABLE')
  assert.is(right(await store.importedTo()()), IMPORT_UNFINISHED)
  const { found } = right(await copied(made.storage.store, store))
  assert.ok(found > 0)
  assert.is(await exported(store), text)
  await store.close()
})

it('finishes an import that failed half-way, and refuses another log', async () => {
  const { store } = await openOn(memoryLog())
  const importing = (to: EventStore, from = text) =>
    importTranscript({ store: to, digest, ids: nodeIds() }, () => readTranscript(digest, [encodeUtf8(from)]))()
  let left = 3
  const failing: EventStore = {
    ...store,
    append: (commits) => (left-- > 0 ? store.append(commits) : TE.left(failure('UNAVAILABLE', 'the server is away'))),
  }
  assert.is(codeOf(await importing(failing)), 'UNAVAILABLE')
  const half = right(await store.readAll(0n, 10_000)()).length
  assert.ok(half > 0)
  assert.is(right(await store.importedTo()()), IMPORT_UNFINISHED)
  const other = await trio()
  assert.is(codeOf(await importing(store, await exported(other.storage.store))), 'CONFLICT')
  await other.close()
  assert.is(right(await store.readAll(0n, 10_000)()).length, half)
  right(await importing(store))
  assert.is(await exported(store), text)
  assert.is(right(await store.importedTo()()), right(await store.lastPosition()()))
  assert.is(codeOf(await importing(store)), 'CONFLICT') // it is finished
  await store.close()
})

it.run()
