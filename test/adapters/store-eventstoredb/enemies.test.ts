import { randomUUID } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { INDEX, putState, STATE, stateOf } from '../../../adapters/store-eventstoredb/index-rows.ts'
import { streamNames } from '../../../adapters/store-eventstoredb/names.ts'
import { anyCommit, anyEvent, anyEvents, anyPart } from '../../../adapters/testing/any.ts'
import { failsWith, right, same } from '../../../adapters/testing/expect.ts'
import type { Commit } from '../../../core/ports/event-store.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { E } from '../../../core/prelude.ts'
import { memoryLog } from './memory-log.ts'
import { memoryLender, openOn, type Lender } from './under-test.ts'

const it = suite('EventStoreDB store: what other processes and tools do')

const organization = 'acme'
const to = (...events: Commit['events']) => anyCommit({ organization, events })
const tagsOf = async ({ store }: Storage, ...commits: readonly Commit[]) =>
  (await right(store.append(commits))).map(({ _tag }) => _tag)
const closeAll = async (...all: readonly Storage[]): Promise<void> => {
  for (const { readModels, store } of all) {
    await readModels.close()
    await store.close()
  }
}
/** What is said until it is not UNAVAILABLE any more. */
const untilAvailable = async <A>(task: () => Promise<E.Either<{ readonly code: string }, A>>): Promise<A> => {
  for (;;) {
    const outcome = await task()
    if (E.isRight(outcome)) return outcome.right
    assert.is(outcome.left.code, 'UNAVAILABLE')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
/** Read models that a test changes behind the back of the store. */
const openLender = () => {
  const { readModels, leases } = memoryStore()
  const lender: Lender = {
    borrow: async () => ({ readModels: { ...readModels, close: async () => undefined }, leases }),
    dispose: async () => undefined,
  }
  return { readModels, lender }
}

it('judges anew if another process appends between judging and appending', async () => {
  const log = memoryLog()
  const lender = memoryLender()
  const [one, two] = [await openOn(log, {}, lender), await openOn(log, {}, lender)]
  await tagsOf(one, to(anyEvent()))
  let isFirst = true
  log.faults.beforeAppend = async (stream) => {
    if (!isFirst || stream !== 'organization-acme') return undefined
    isFirst = false
    await tagsOf(two, to(anyEvent({ activity: 'theirs' })))
    return undefined
  }
  const taken = anyEvent({ activity: 'theirs' })
  const answers = await right(
    one.store.append([to(anyEvent()), to(taken), anyCommit({ organization, expected: 2n }), anyCommit()]),
  )
  same(
    answers.map(({ _tag }) => _tag),
    ['committed', 'revision-conflict', 'conflict', 'committed'],
  )
  same('sequence' in (answers[0] ?? {}) && answers[0], { ...answers[0], sequence: 3n })
  await closeAll(one, two)
})

it('writes nothing twice if every tenth answer is lost after the write, and callers try again', async () => {
  const log = memoryLog()
  const one = await openOn(log)
  let appends = 0
  log.faults.afterAppend = () => (++appends % 10 === 0 ? { _tag: 'unknown' } : undefined)
  const commits = Array.from({ length: 200 }, (_, n) =>
    anyCommit({ organization: `${n % 3}`, events: [anyEvent({ parts: [anyPart()] }), anyEvent()] }),
  )
  for (let n = 0; n < commits.length; n += 8)
    await Promise.all(
      commits.slice(n, n + 8).map(async (commit) => {
        const answers = await untilAvailable(one.store.append([commit]))
        assert.ok(['committed', 'duplicate'].includes(answers[0]?._tag ?? ''))
      }),
    )
  const ids = (await right(one.store.readAll(0n, 10_000))).map(({ id }) => id)
  assert.is(ids.length, 400)
  assert.is(new Set(ids).size, 400)
  await closeAll(one)
})

it('names no part in an append that was not written before', async () => {
  const log = memoryLog()
  const one = await openOn(log)
  const { part } = streamNames('')
  const event = anyEvent({ parts: [anyPart(), anyPart({ name: 'personal:x' })] })
  let seen = 0
  log.faults.beforeAppend = (stream) => {
    if (stream === 'organization-acme') seen = log.all().filter((each) => each.stream.startsWith('part-')).length
    return stream === part(event.id, 'personal:x') && seen === 0 ? { _tag: 'unavailable' } : undefined
  }
  await failsWith('UNAVAILABLE', one.store.append([to(event)]))
  assert.is(log.appends('organization-'), 0)
  log.faults.beforeAppend = undefined
  same(await tagsOf(one, to(event)), ['committed'])
  same((await right(one.store.readLog(organization, 0n, 9)))[0]?.parts, event.parts)
  await closeAll(one)
})

it('refuses a commit whose part another log has, and takes one that is there already', async () => {
  const log = memoryLog()
  const one = await openOn(log)
  const event = anyEvent({ parts: [anyPart()] })
  same(await tagsOf(one, anyCommit({ events: [event] })), ['committed'])
  same(await tagsOf(one, to(event)), ['committed'])
  same(await tagsOf(one, anyCommit({ organization: 'other', events: [{ ...event, parts: [anyPart()] }] })), [
    'partial-duplicate',
  ])
  await right(one.store.eraseParts(organization, [{ sequence: 1n, name: 'request' }]))
  same(await tagsOf(one, anyCommit({ organization: 'third', events: [event] })), ['partial-duplicate'])
  same(await right(one.store.organizations('third', 9)), [])
  await closeAll(one)
})

it('splits a part, and a run of commits, that the server does not take whole', async () => {
  const log = memoryLog({ appendBytesMax: 3_000 })
  const one = await openOn(log)
  const parts = [anyPart({ bytes: Buffer.alloc(10_000, 7) })]
  const commits = Array.from({ length: 6 }, () => to(anyEvent({ line: Buffer.alloc(900), parts })))
  const large = to(anyEvent({ line: Buffer.alloc(4_000) }))
  const answers = await tagsOf(one, ...commits, large, to(anyEvent()))
  same(answers, [...commits.map(() => 'committed'), 'too-large', 'committed'])
  const read = await right(one.store.readLog(organization, 0n, 99))
  same(
    read.slice(0, 6).map((event) => event.parts[0]?.bytes.length),
    commits.map(() => 10_000),
  )
  await closeAll(one)
})

it('closes an organization whose stream has an event of somebody else, and no other', async () => {
  const log = memoryLog()
  const [one, client] = [await openOn(log), log.connect()]
  await tagsOf(one, to(anyEvent()), anyCommit({ organization: 'other' }))
  const foreign = { id: randomUUID(), type: 'Theirs', data: Buffer.from('{}'), metadata: new Uint8Array() }
  await client.append('organization-acme', 0n, [foreign])
  const read = await one.store.readLog(organization, 0n, 9)()
  assert.is(E.isLeft(read) && read.left.code, 'STORE_UNREADABLE')
  assert.match(E.isLeft(read) ? read.left.message : '', /event 2 /)
  same(await tagsOf(one, to(anyEvent()), anyCommit({ organization: 'other' })), ['invalid', 'committed'])
  same(
    (await right(one.store.readAll(0n, 9))).map((event) => event.organization).toSorted(),
    [organization, organization, 'other', 'other'],
    'what is not ours is told, so that the organization is parked',
  )
  same(await right(one.store.organizations('', 9)), [organization, 'other'])
  await closeAll(one)
})

it('closes an organization whose stream was deleted', async () => {
  const log = memoryLog()
  const { lender } = openLender()
  const [one, client] = [await openOn(log, {}, lender), log.connect()]
  await tagsOf(one, to(anyEvent()), anyCommit({ organization: 'gone' }), anyCommit({ organization: 'other' }))
  await right(one.store.organizations('', 9)) // the index has all of them
  await client.tombstone('organization-acme')
  log.softDelete('organization-gone')
  const two = await openOn(log, {}, lender)
  for (const { store } of [one, two]) {
    await failsWith('STORE_UNREADABLE', store.readLog(organization, 0n, 9))
    await failsWith('STORE_UNREADABLE', store.head(organization))
  }
  same(await tagsOf(one, to(anyEvent())), ['invalid'])
  for (const name of [organization, 'gone']) same(await tagsOf(two, anyCommit({ organization: name })), ['invalid'])
  same(await tagsOf(two, anyCommit({ organization: 'other' })), ['committed'])
  await closeAll(one, two)
})

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

it('hides its own rows, and lets nobody touch them', async () => {
  const one = await openOn(memoryLog())
  await tagsOf(one, to(anyEvent()))
  await right(one.store.organizations('', 1))
  same(await right(one.readModels.projections()), [])
  await failsWith('CONFIGURATION_INVALID', one.readModels.drop(INDEX))
  await failsWith('CONFIGURATION_INVALID', one.readModels.checkpoint(INDEX))
  await closeAll(one)
})

it('keeps two stores apart whose prefixes begin alike, and other applications', async () => {
  const log = memoryLog()
  const [one, two, client] = [await openOn(log, { prefix: 'a' }), await openOn(log, { prefix: 'a-b' }), log.connect()]
  const commit = to(anyEvent({ parts: [anyPart()] }))
  for (const storage of [one, two]) same(await tagsOf(storage, commit), ['committed'])
  for (let n = 0; n < 30; n += 1) {
    const events = Array.from({ length: 100 }, () => ({
      ...{ id: randomUUID(), type: 'Theirs', data: Buffer.from('{}'), metadata: new Uint8Array() },
    }))
    await client.append('of-another-application', n === 0 ? 'none' : BigInt(100 * n - 1), events)
  }
  const last = await right(one.store.lastPosition())
  assert.ok(last > 0n && last < (log.all().at(-1)?.position ?? 0n))
  await right(two.store.eraseParts(organization, [{ sequence: 1n, name: 'request' }]))
  await tagsOf(one, anyCommit({ organization: 'late' }))
  for (const [storage, expected] of [
    [one, [organization, 'late']],
    [two, [organization]],
  ] as const) {
    same(
      (await right(storage.store.readAll(0n, 99))).map((event) => event.organization),
      expected,
    )
    same(await right(storage.store.organizations('', 9)), expected)
  }
  assert.is((await right(one.store.readLog(organization, 0n, 9)))[0]?.parts.length, 1)
  await closeAll(one, two)
})

it('goes on watching when the server drops it', async () => {
  const log = memoryLog()
  const lender = memoryLender()
  const [one, two] = [await openOn(log, {}, lender), await openOn(log, {}, lender)]
  let heard = 0
  const stop = two.store.watch(() => (heard += 1))
  await tagsOf(one, to(anyEvent()))
  while (heard === 0) await new Promise((resolve) => setTimeout(resolve, 1))
  log.dropFollowers()
  await tagsOf(one, to(anyEvent()))
  while (heard === 1) await new Promise((resolve) => setTimeout(resolve, 1))
  stop()
  await closeAll(one, two)
})

it('answers a reader as long as somebody keeps the index up to the log, and writes nothing itself', async () => {
  const log = memoryLog()
  const { lender } = openLender()
  const one = await openOn(log, {}, lender)
  await tagsOf(one, to(anyEvent({ activity: 'a', standing: { type: 'T', status: 'S' } })))
  const reader = await openOn(log, { readOnly: true }, lender)
  const before = log.all().length
  same((await right(reader.store.activities(organization, { limit: 9 })))[0]?.activity, 'a')
  same(await right(reader.store.organizations('', 9)), [organization])
  same((await right(reader.store.readActivity(organization, 'a'))).length, 1)
  await failsWith('CONFIGURATION_INVALID', reader.store.append([to(anyEvent())]))
  await failsWith('CONFIGURATION_INVALID', reader.store.setImportedTo(1n))
  assert.is(log.all().length, before)
  await closeAll(reader, one)
})

it.run()
