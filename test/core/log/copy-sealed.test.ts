import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { copyLog } from '../../../core/log/copy-log.ts'
import { copySealed } from '../../../core/log/copy-sealed.ts'
import { failure } from '../../../core/failure.ts'
import { IMPORT_UNFINISHED } from '../../../core/ports/event-store.ts'
import type { SealedRow, SealedRows } from '../../../core/ports/sealed-rows.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { TE } from '../../../core/prelude.ts'
import { sealedOf } from '../../sealed-of.ts'
import { digest, type Trio, trio } from '../audit/logs.ts'
import { codeOf, right } from '../world/world.ts'

const it = suite('a copy of sealed rows')

let made: Trio
it.before(async () => {
  made = await trio()
})
it.after(() => made.close())

const row = (organization: string, id: string, given: Partial<SealedRow> = {}): SealedRow => ({
  ...{ organization, id, kind: 'wallet', dataKey: 'wrapped', bytes: Uint8Array.of(1, 2, 3) },
  ...given,
})
const all = async (sealed: SealedRows) => right(await sealed.list(undefined, 10_000)())

/** More than a page of rows, ids that are gone, and a closed organization. */
const ROWS = 600
const source = async (): Promise<SealedRows> => {
  const sealed = sealedOf(memoryStore())
  for (let n = 0; n < ROWS; n += 1) right(await sealed.put(row('acme', `${n}`))())
  right(await sealed.put(row('', 'of the deployment'))())
  right(await sealed.put(row('closed', 'a'))())
  for (const id of ['5', '550', 'never put']) right(await sealed.delete({ organization: 'acme', id })())
  right(await sealed.deleteAll('closed')())
  return sealed
}
const COPIED = ROWS + 1 - 2

/** Does so many writes, and then fails. */
const failingAfter = (sealed: SealedRows, writes: number): SealedRows => {
  let left = writes
  const tried = <A>(task: TE.TaskEither<ReturnType<typeof failure>, A>) =>
    left-- > 0 ? task : TE.left(failure('UNAVAILABLE', 'the disk is full'))
  return {
    ...sealed,
    put: (one) => tried(sealed.put(one)),
    delete: (place) => tried(sealed.delete(place)),
    deleteAll: (organization) => tried(sealed.deleteAll(organization)),
  }
}

it('has all rows, what is gone and what is closed, and says how many rows', async () => {
  const [from, to] = [await source(), sealedOf(memoryStore())]
  assert.is(right(await copySealed({ from, to })()), COPIED)
  assert.equal(await all(to), await all(from))
  assert.is(right(await copySealed({ from, to })()), COPIED, 'again')
  assert.equal(await all(to), await all(from))
})

it('is finished by another call, wherever it was interrupted', async () => {
  const from = await source()
  for (const writes of [0, 1, 2, 300, ROWS]) {
    const to = sealedOf(memoryStore())
    assert.is(codeOf(await copySealed({ from, to: failingAfter(to, writes) })()), 'UNAVAILABLE')
    assert.is(right(await copySealed({ from, to })()), COPIED)
    assert.equal(await all(to), await all(from))
  }
})

it('brings nothing back that is gone there, and deletes there what is gone', async () => {
  const [from, to] = [await source(), sealedOf(memoryStore())]
  right(await to.delete({ organization: 'acme', id: '7' })())
  for (const one of [row('acme', '5'), row('closed', 'b')]) right(await to.put(one)())
  assert.is(right(await copySealed({ from, to })()), COPIED - 1)
  right(await from.delete({ organization: 'acme', id: '7' })())
  assert.equal(await all(to), await all(from))
})

it('refuses a store that has another row under an id, and leaves that row', async () => {
  for (const other of [{ kind: 'user' }, { dataKey: '' }, { bytes: Uint8Array.of(1, 2) }]) {
    const [from, to] = [await source(), sealedOf(memoryStore())]
    const there = row('acme', '3', other)
    right(await to.put(there)())
    assert.is(codeOf(await copySealed({ from, to })()), 'CONFLICT')
    assert.equal(right(await to.get(there)()), there)
  }
})

const copied = (from: SealedRows | undefined, to: Storage, target: SealedRows | undefined = to.sealed) =>
  copyLog({ from: made.storage.store, to: to.store, digest, ids: nodeIds(), sealed: { from, to: target } })()

it('comes behind the log, which no engine takes before all of it is there', async () => {
  const [from, to] = [await source(), memoryStore()]
  assert.is(codeOf(await copied(from, to, failingAfter(sealedOf(to), 9))), 'UNAVAILABLE')
  assert.is(right(await to.store.importedTo()()), IMPORT_UNFINISHED)
  const { events, found, sealedRows } = right(await copied(from, to))
  assert.equal([found, sealedRows], [events, COPIED])
  assert.equal(await all(sealedOf(to)), await all(from))
  assert.is(right(await to.store.importedTo()()), right(await to.store.lastPosition()()))
})

it('refuses a store that keeps no sealed rows before anything is written, unless there are none', async () => {
  const { store, readModels } = memoryStore()
  const without: Storage = { store, readModels }
  assert.is(codeOf(await copied(await source(), without)), 'CONFIGURATION_INVALID')
  assert.equal([right(await store.lastPosition()()), right(await store.importedTo()())], [0n, 0n])
  const gone = sealedOf(memoryStore())
  right(await gone.deleteAll('closed')())
  assert.is(codeOf(await copied(gone, without)), 'CONFIGURATION_INVALID')
  assert.is(right(await copied(sealedOf(memoryStore()), without)).sealedRows, 0)
  assert.is(right(await copied(undefined, memoryStore())).sealedRows, 0)
})

it.run()
