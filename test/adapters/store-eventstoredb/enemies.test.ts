import { randomUUID } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { streamNames } from '../../../adapters/store-eventstoredb/names.ts'
import { anyCommit, anyEvent, anyPart } from '../../../adapters/testing/any.ts'
import { failsWith, right, same } from '../../../adapters/testing/expect.ts'
import { E } from '../../../core/prelude.ts'
import { until } from '../../until.ts'
import { closeAll, openLender, organization, tagsOf, to, untilAvailable } from './any-storage.ts'
import { memoryLog } from './memory-log.ts'
import { memoryLender, openOn } from './under-test.ts'

const it = suite('EventStoreDB store: what other processes and tools do')

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

it('reads behind a position at which no event stands, although the server does not', async () => {
  const log = memoryLog()
  const one = await openOn(log)
  for (let n = 0; n < 3; n += 1) await tagsOf(one, to(anyEvent({ parts: [anyPart()] })))
  const positions = (await right(one.store.readAll(0n, 9))).map(({ position }) => position)
  const two = await openOn(log, { prefix: 'other' })
  await tagsOf(two, to(anyEvent()))
  for (const [index, position] of positions.entries())
    for (const after of [position - 1n, position - 2n, position + 1n, position + 2n]) {
      const expected = positions.slice(after < position ? index : index + 1)
      same(
        (await right(one.store.readAll(after, 9))).map((event) => event.position),
        expected,
      )
      same((await right(one.store.readAll(after, 1))).length, Math.min(1, expected.length))
    }
  same(await right(one.store.readAll((positions.at(-1) ?? 0n) + 10n ** 9n, 9)), [])
  await closeAll(one, two)
})

it('goes on watching when the server drops it', async () => {
  const log = memoryLog()
  const lender = memoryLender()
  const [one, two] = [await openOn(log, {}, lender), await openOn(log, {}, lender)]
  const heard = { times: 0 }
  const stop = two.store.watch(() => (heard.times += 1))
  await tagsOf(one, to(anyEvent()))
  await until(() => heard.times > 0)
  log.dropFollowers()
  await tagsOf(one, to(anyEvent()))
  await until(() => heard.times > 1)
  stop()
  await closeAll(one, two)
})

it.run()
