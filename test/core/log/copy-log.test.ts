import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { copyLog, type CopyOptions } from '../../../core/log/copy-log.ts'
import { failure } from '../../../core/failure.ts'
import { IMPORT_UNFINISHED, type EventStore, type Recorded } from '../../../core/ports/event-store.ts'
import { E, TE } from '../../../core/prelude.ts'
import { codeOf, right } from '../world/world.ts'
import { sparseStore } from './sparse-store.ts'
import { digest, exported, mixedLog, neighbour, type Trio, trio } from '../audit/logs.ts'

const it = suite('a copy of a log')

let made: Trio
let text = ''
it.before(async () => {
  ;({ made, text } = await mixedLog())
})
it.after(() => made.close())

const copied = (to: EventStore, from: EventStore = made.storage.store, options: CopyOptions = {}) =>
  copyLog({ from, to, digest, ids: nodeIds() }, options)()

/** Writes so many commits of each call, and then fails. */
const failingAfter = (store: EventStore, commits: number): EventStore => ({
  ...store,
  append: (given) =>
    TE.flatMap(() => TE.left(failure('UNAVAILABLE', 'the disk is full')))(store.append(given.slice(0, commits))),
})

/** A store whose first line reads otherwise. */
const misreading = (store: EventStore): EventStore => ({
  ...store,
  readAll: (...asked) =>
    TE.map((events: readonly Recorded[]) =>
      events.map((event) => (event.position === 1n ? { ...event, line: event.line.toReversed() } : event)),
    )(store.readAll(...asked)),
})

it('has the same bytes in the same order, the same ids and positions, and what is erased stays so', async () => {
  const { store } = memoryStore()
  const { events, sha256, found } = right(await copied(store))
  assert.is(await exported(store), text)
  assert.equal(right(await store.readAll(0n, 500)()), right(await made.storage.store.readAll(0n, 500)()))
  assert.ok(text.endsWith(`"sha256":"${sha256}"}\n`))
  assert.equal([BigInt(events), found], [right(await store.lastPosition()()), 0])
})

it('counts the effects that were started as those of another installation, and keeps the lists of activities', async () => {
  const { store } = memoryStore()
  right(await copied(store))
  assert.is(right(await store.importedTo()()), right(await store.lastPosition()()))
  const list = (from: EventStore) => from.activities(made.organizationId, { limit: 100 })()
  assert.equal(right(await list(store)), right(await list(made.storage.store)))
})

it('is finished by another call, wherever it was interrupted', async () => {
  for (let commits = 0; ; commits += 1) {
    const { store } = memoryStore()
    const first = await copied(failingAfter(store, commits))
    assert.is(codeOf(first), 'UNAVAILABLE')
    assert.is(right(await store.importedTo()()), IMPORT_UNFINISHED, 'no engine starts on it')
    const there = Number(right(await store.lastPosition()()))
    const { found, events } = right(await copied(store))
    assert.is(found, there)
    assert.is(await exported(store), text)
    assert.is(right(await store.importedTo()()), BigInt(events))
    if (there === events) break
  }
})

it('keeps the order of events in a store whose positions have gaps and whose calls have none', async () => {
  for (let commits = 0; ; commits += 1) {
    const store = sparseStore(memoryStore().store)
    let left = commits
    const interrupted: EventStore = {
      ...store,
      append: (given) => (left-- > 0 ? store.append(given) : TE.left(failure('UNAVAILABLE', 'the server is gone'))),
    }
    const first = await copied(interrupted)
    const { found, events } = E.isRight(first)
      ? first.right
      : right(await copied(store, sparseStore(made.storage.store)))
    assert.is(await exported(store), text)
    assert.is(right(await store.importedTo()()), right(await store.lastPosition()()))
    if (E.isRight(first)) {
      assert.ok(commits > 3, 'organizations take turns in this log')
      break
    }
    assert.is(found > 0, commits > 0)
    assert.ok(found < events)
  }
})

it('refuses a store that has a log, and a half copy of another one, and writes nothing there', async () => {
  const other = await trio()
  const before = await exported(other.storage.store)
  assert.is(codeOf(await copied(other.storage.store)), 'CONFLICT')
  assert.is(await exported(other.storage.store), before)

  const { store } = memoryStore()
  await copied(failingAfter(store, 2), other.storage.store)
  const half = await exported(store)
  assert.is(codeOf(await copied(store)), 'CONFLICT')
  assert.is(await exported(store), half)
  assert.is(right(await copied(store, other.storage.store)).events, Number(right(await store.lastPosition()())))
  await other.close()
})

it('finds that both are equal, and refuses a copy of less or of more', async () => {
  const source = await trio()
  const { store } = memoryStore()
  const { events } = right(await copied(store, source.storage.store))
  const mark = right(await store.importedTo()())
  assert.is(right(await copied(store, source.storage.store)).found, events)
  assert.is(right(await store.importedTo()()), mark)

  await neighbour(source)
  const before = await exported(store)
  assert.is(codeOf(await copied(store, source.storage.store)), 'CONFLICT')
  assert.is(await exported(store), before)
  const longer = memoryStore().store
  right(await copied(longer, source.storage.store))
  assert.is(codeOf(await copied(longer, store)), 'CONFLICT')
  await source.close()
})

it('refuses a half copy that is longer, and one whose part was erased there', async () => {
  const { store } = memoryStore()
  await copied(failingAfter(store, 1_000))
  assert.is(codeOf(await copied(store, memoryStore().store)), 'CONFLICT')
  right(await store.eraseParts(made.organizationId, [{ sequence: 1n, name: 'request' }])())
  const refused = await copied(store)
  assert.is(codeOf(refused), 'CONFLICT')
  assert.is(right(await store.importedTo()()), IMPORT_UNFINISHED)
})

it('is not finished where the log is damaged, or where the copy is read otherwise', async () => {
  const { store } = memoryStore()
  assert.is(codeOf(await copied(store, misreading(made.storage.store))), 'STORE_UNREADABLE')
  assert.is(right(await store.lastPosition()()), 0n)

  const other = memoryStore().store
  assert.is(codeOf(await copied(misreading(other))), 'STORE_UNREADABLE')
  assert.is(right(await other.importedTo()()), IMPORT_UNFINISHED)
})

it('leaves out what is appended meanwhile, and tells how far it is', async () => {
  const source = await trio()
  const before = await exported(source.storage.store)
  const { store } = memoryStore()
  const told: number[] = []
  let late: Promise<unknown> | undefined
  const { events } = right(
    await copied(store, source.storage.store, {
      onProgress: (count) => {
        told.push(count)
        late ??= neighbour(source)
      },
    }),
  )
  await late
  assert.is(await exported(store), before)
  assert.is(told.at(-1), 2 * events)
  assert.is.not(await exported(source.storage.store), before)
  await source.close()
})

it('fails with the failure of the store that is read', async () => {
  const gone: EventStore = { ...made.storage.store, readAll: () => TE.left(failure('UNAVAILABLE', 'gone')) }
  assert.is(codeOf(await copied(memoryStore().store, gone)), 'UNAVAILABLE')
})

it.run()
