import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { INDEX, putState, STATE, stateOf } from '../../../adapters/store-eventstoredb/index-rows.ts'
import { anyCommit, anyEvent, anyEvents } from '../../../adapters/testing/any.ts'
import { failsWith, right, same } from '../../../adapters/testing/expect.ts'
import { failure, type Failure } from '../../../core/failure.ts'
import { PENDING } from '../../../core/ports/event-store.ts'
import type { ReadModels } from '../../../core/ports/read-models.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { E, TE } from '../../../core/prelude.ts'
import { until } from '../../until.ts'
import { closeAll, openLender, organization, tagsOf, to, untilAvailable } from './any-storage.ts'
import { memoryLog } from './memory-log.ts'
import { openOn, type Lender } from './under-test.ts'
import { sealedOf } from '../../sealed-of.ts'

const it = suite('EventStoreDB store: what becomes of its index and its database')

it('refuses what is taken although the index was thrown away while it was open', async () => {
  const log = memoryLog()
  const { readModels, lender } = openLender()
  const one = await openOn(log, {}, lender)
  for (let n = 0; n < 20; n += 1)
    await tagsOf(one, to(anyEvent({ activity: `a${n}`, standing: { type: 'T', status: 'S' } })))
  await right(one.store.setStandings([], 3n))
  await right(one.store.organizations('', 1))
  for (const name of await right(readModels.projections())) await right(readModels.drop(name))
  const again = to(...anyEvents(1, 'a3'))
  same((await untilAvailable(one.store.append([again])))[0]?._tag, 'revision-conflict')
  assert.is((await untilAvailable(one.store.activities(organization, { limit: 99 }))).length, 20)
  assert.is(await untilAvailable(one.store.standingsVersion()), 0n)
  await closeAll(one)
  const two = await openOn(log, {}, lender) // the id was written again
  same((await right(two.store.readActivity(organization, 'a3'))).length, 1)
  await closeAll(two)
})

it('gives no list that lacks something, although the index is thrown away while it is read', async () => {
  const log = memoryLog()
  const { readModels, lender } = openLender()
  let isLost = false
  const losing: Lender = {
    ...lender,
    borrow: async () => {
      const borrowed = await lender.borrow()
      const rows: ReadModels['rows'] = (projection, ...rest) =>
        TE.flatMap(() => borrowed.readModels.rows(projection, ...rest))(
          isLost ? readModels.drop(projection) : TE.right(undefined),
        )
      return { ...borrowed, readModels: { ...borrowed.readModels, rows } }
    },
  }
  const one = await openOn(log, {}, losing)
  await tagsOf(one, to(anyEvent({ activity: 'a', standing: { type: 'T', status: PENDING } })))
  const lists: readonly (() => Promise<E.Either<Failure, readonly unknown[]>>)[] = [
    one.store.activities(organization, { limit: 9 }),
    one.store.pending(0n, 9),
    one.store.organizations('', 9),
  ]
  for (const list of lists) {
    isLost = true
    await failsWith('UNAVAILABLE', list)
    isLost = false
    assert.is((await untilAvailable(list)).length, 1)
  }
  await closeAll(one)
})

it('refuses what is taken although the index went back, as from a backup', async () => {
  const log = memoryLog()
  const { readModels, lender } = openLender()
  const one = await openOn(log, {}, lender)
  await tagsOf(one, to(...anyEvents(2, 'a')))
  await right(one.store.organizations('', 1))
  await tagsOf(one, to(anyEvent()))
  await right(one.store.organizations('', 1))
  same(await tagsOf(one, to(...anyEvents(1, 'a'))), ['revision-conflict'])
  const state = stateOf(await right(readModels.row(INDEX, STATE, 'state')))
  assert.ok(state)
  await right(readModels.drop(INDEX))
  await right(readModels.move(INDEX, 0n, 7n, [putState({ ...state, position: 0n, id: '' })]))
  same((await untilAvailable(one.store.append([to(...anyEvents(1, 'a'))])))[0]?._tag, 'revision-conflict')
  assert.is((await right(one.store.readActivity(organization, 'a'))).length, 2)
  await closeAll(one)
})

it('builds the index again if the log went back, and lets go what is gone', async () => {
  const log = memoryLog()
  const one = await openOn(log)
  await tagsOf(one, to(anyEvent({ activity: 'a' })))
  const before = await right(one.store.lastPosition())
  await tagsOf(one, to(anyEvent({ activity: 'b' })), anyCommit({ organization: 'gone' }))
  same(await right(one.store.organizations('', 9)), [organization, 'gone'])
  log.goBackTo(before)
  const fresh = to(anyEvent({ activity: 'b' }))
  same((await untilAvailable(one.store.append([fresh])))[0]?._tag, 'committed')
  same(await untilAvailable(one.store.organizations('', 9)), [organization])
  same(
    (await untilAvailable(one.store.readActivity(organization, 'b'))).map(({ sequence }) => sequence),
    [2n],
  )
  await closeAll(one)
})

it('takes no other database than its own, unless it is told to', async () => {
  const log = memoryLog()
  const { lender } = openLender()
  const one = await openOn(log, {}, lender)
  await tagsOf(one, to(anyEvent()))
  await right(one.readModels.move('p', 0n, 1n, []))
  await closeAll(one)
  const other = openLender()
  const refused = async (open: Promise<Storage>): Promise<void> => {
    const said = await open.then(
      () => 'opened',
      (error: unknown) => String(error),
    )
    assert.match(said, /CONFIGURATION_INVALID.*adoptReadModels/)
  }
  await refused(openOn(log, {}, other.lender))
  await refused(openOn(memoryLog(), {}, lender)) // the database of another log
  await right(other.readModels.move('of another store', 0n, 5n, []))
  const adopted = await openOn(log, { adoptReadModels: true }, other.lender)
  same(await right(adopted.readModels.projections()), [])
  same(await right(adopted.store.organizations('', 9)), [organization])
  await closeAll(adopted)
  await refused(openOn(log, {}, lender)) // it belongs to no log any more
  await closeAll(await openOn(log, {}, other.lender))
})

it('keeps the sealed rows of a database that it adopts', async () => {
  const log = memoryLog()
  await closeAll(await openOn(log, {}, openLender().lender))
  const { lender } = openLender()
  const sealed = sealedOf(await lender.borrow())
  const row = { organization, id: 'a', kind: 'wallet', dataKey: 'wrapped', bytes: Uint8Array.of(1) }
  await right(sealed.put(row))
  await right(sealed.delete({ ...row, id: 'b' }))
  await right(sealed.deleteAll('other'))
  const before = await right(sealed.list(undefined, 9))
  const adopted = await openOn(log, { adoptReadModels: true }, lender)
  same(await right(sealedOf(adopted).list(undefined, 9)), before)
  same(before.length, 3)
  await closeAll(adopted)
})

it('does nothing more once the log was given another database', async () => {
  const log = memoryLog()
  const { lender } = openLender()
  const one = await openOn(log, {}, lender)
  await tagsOf(one, to(anyEvent()))
  await closeAll(await openOn(log, { adoptReadModels: true }, openLender().lender))
  await until(async () => E.isLeft(await one.store.pending(0n, 9)()))
  await failsWith('UNAVAILABLE', one.store.pending(0n, 9))
  await failsWith('UNAVAILABLE', one.store.append([to(anyEvent())]))
  const row = { organization, id: 'a', kind: 'wallet', dataKey: 'wrapped', bytes: Uint8Array.of(1) }
  await failsWith('UNAVAILABLE', sealedOf(one).put(row)) // nobody else would find it
  await closeAll(one)
})

it('hides its own rows, and lets nobody touch them', async () => {
  const one = await openOn(memoryLog())
  await tagsOf(one, to(anyEvent()))
  await right(one.store.organizations('', 1))
  same(await right(one.readModels.projections()), [])
  await failsWith('CONFIGURATION_INVALID', one.readModels.drop(INDEX))
  await failsWith('CONFIGURATION_INVALID', one.readModels.checkpoint(INDEX))
  await closeAll(one)
})

it('answers a reader although nobody keeps the index up to the log, and writes nothing itself', async () => {
  const log = memoryLog()
  const { readModels, lender } = openLender()
  const one = await openOn(log, {}, lender)
  const add = (activity: string, status: string) =>
    tagsOf(one, to(anyEvent({ activity, standing: { type: 'T', status } })), anyCommit({ organization: activity }))
  await add('a', PENDING)
  await right(one.store.organizations('', 9))
  const indexed = await right(readModels.checkpoint(INDEX))
  const frozen: ReadModels = { ...readModels, move: () => TE.left(failure('UNAVAILABLE', 'nobody writes')) }
  const reader = await openOn(
    log,
    { readOnly: true },
    { ...lender, borrow: async () => ({ readModels: frozen, leases: undefined }) },
  )
  const lists = async () => [
    (await untilAvailable(reader.store.activities(organization, { limit: 9 }))).map(({ activity }) => activity),
    (await right(reader.store.pending(0n, 9))).map(({ activity }) => activity),
    await right(reader.store.organizations('', 9)),
  ]
  same(await lists(), [['a'], ['a'], ['a', organization]])
  await add('b', PENDING)
  await add('c', 'S')
  const before = log.all().length
  same(await lists(), [
    ['c', 'b', 'a'],
    ['a', 'b'],
    ['a', organization, 'b', 'c'],
  ])
  same((await right(reader.store.readActivity(organization, 'b'))).length, 1)
  await failsWith('CONFIGURATION_INVALID', reader.store.append([to(anyEvent())]))
  await failsWith('CONFIGURATION_INVALID', reader.store.setImportedTo(1n))
  assert.is(log.all().length, before)
  assert.ok((await right(readModels.checkpoint(INDEX))) >= indexed)
  await right(readModels.drop(INDEX))
  same(await lists(), [
    ['c', 'b', 'a'],
    ['a', 'b'],
    ['a', organization, 'b', 'c'],
  ])
  await closeAll(reader, one)
})

it.run()
