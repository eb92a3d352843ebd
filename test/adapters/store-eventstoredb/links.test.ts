import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { anyCommit, anyEvent, anyEvents, anyPart } from '../../../adapters/testing/any.ts'
import { right, same } from '../../../adapters/testing/expect.ts'
import { until } from '../../until.ts'
import { closeAll, openLender, tagsOf, to } from './any-storage.ts'
import { memoryLog, type MemoryLog } from './memory-log.ts'
import { openOn } from './under-test.ts'

const it = suite('EventStoreDB store: links')

const ONE = 'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa'
const TWO = 'bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb'

const textOf = ({ data }: { readonly data: Uint8Array }): string => Buffer.from(data).toString()
/** What a reader of the stream sees, link by link. */
const linksOf = async (log: MemoryLog, activity: string): Promise<readonly string[]> => {
  const found = await log.connect().readStream(`activity-${activity}`, { from: 'start', limit: 1000 })
  return typeof found === 'string' ? [] : found.map(textOf)
}
const isLink = ({ type }: { readonly type: string }): boolean => type === '$>'
const linksIn = (log: MemoryLog): number => log.all().filter(isLink).length

it('stand in the stream of each activity, behind the append, in the form of the server', async () => {
  const log = memoryLog()
  const one = await openOn(log)
  await tagsOf(one, to(...anyEvents(2, ONE)), to(anyEvent({ activity: TWO })))
  await tagsOf(one, to(anyEvent({ activity: ONE, revision: 3n, parts: [anyPart()] })))
  assert.is(linksIn(log), 0) // no append waits for them
  await until(() => linksIn(log) === 4)
  same(await linksOf(log, ONE), ['0@organization-acme', '1@organization-acme', '3@organization-acme'])
  same(await linksOf(log, TWO), ['2@organization-acme'])
  const first = log.all().find(isLink)
  assert.is(first?.metadata.length, 0)
  await tagsOf(one, to(anyEvent({ activity: TWO, revision: 2n })))
  await until(() => linksIn(log) === 5)
  same(await linksOf(log, TWO), ['2@organization-acme', '4@organization-acme'])
  await closeAll(one)
})

it('are counted nowhere as events', async () => {
  const [log, without] = [memoryLog(), memoryLog()]
  const [one, two] = [await openOn(log), await openOn(without, { links: false })]
  const commits = Array.from({ length: 30 }, (_, n) => anyCommit({ organization: `o${n % 3}`, events: [anyEvent()] }))
  for (const storage of [one, two]) await tagsOf(storage, ...commits)
  let woken = 0
  one.store.watch(() => (woken += 1))
  await until(() => linksIn(log) === 30)
  assert.is(linksIn(without), 0)
  const last = log.all().findLast(({ stream }) => stream.startsWith('organization-'))
  assert.is(await right(one.store.lastPosition()), last?.position)
  assert.is(await right(one.store.lastPosition()), last?.position) // known from before
  const read = async ({ store }: typeof one) =>
    (await right(store.readAll(0n, 100)))
      .map(({ position: _, ...rest }) => rest)
      .toSorted((a, b) => a.id.localeCompare(b.id))
  same(await read(one), await read(two))
  same(await right(one.store.organizations('', 9)), ['o0', 'o1', 'o2'])
  same((await right(one.store.readAll(last?.position ?? 0n, 9))).length, 0)
  await tagsOf(one, anyCommit({ organization: 'o9' }))
  const added = log.all().findLast(({ stream }) => stream === 'organization-o9')
  assert.is(await right(one.store.lastPosition()), added?.position)
  await until(() => woken > 0)
  assert.is(woken, 1)
  await closeAll(one, two)
})

it('go on where they ended when the store is opened again, and are written once if the mark is lost', async () => {
  const log = memoryLog()
  const { readModels, lender } = openLender()
  const one = await openOn(log, {}, lender)
  await tagsOf(one, to(...anyEvents(2, ONE)))
  await until(() => linksIn(log) === 2)
  log.faults.beforeAppend = (stream) => (stream.startsWith('activity-') ? { _tag: 'unknown' } : undefined)
  await tagsOf(one, to(anyEvent({ activity: ONE, revision: 3n })))
  await closeAll(one) // its link was not written
  assert.is(linksIn(log), 2)
  log.faults.beforeAppend = undefined
  const two = await openOn(log, {}, lender)
  await until(() => linksIn(log) === 3)
  const mark = (await right(readModels.projections())).find((name) => name.startsWith('$countersign.links'))
  assert.ok(mark)
  await until(async () => (await right(readModels.checkpoint(mark))) === 2n)
  await right(readModels.drop(mark))
  await tagsOf(two, to(anyEvent({ activity: ONE, revision: 4n }), anyEvent({ activity: TWO })))
  await until(() => linksIn(log) === 5)
  same(
    await linksOf(log, ONE),
    [0, 1, 2, 3].map((n) => `${n}@organization-acme`),
  )
  await closeAll(two)
})

it('are written once by two processes, with leases and without, although answers are lost', async () => {
  for (const hasLeases of [true, false]) {
    const log = memoryLog()
    const { lender } = openLender()
    const lend = async () => {
      const borrowed = await lender.borrow()
      return hasLeases ? borrowed : { ...borrowed, leases: undefined }
    }
    const both = [
      await openOn(log, {}, { ...lender, borrow: lend }),
      await openOn(log, {}, { ...lender, borrow: lend }),
    ]
    let appends = 0
    log.faults.afterAppend = (stream) =>
      stream.startsWith('activity-') && ++appends % 3 === 0 ? { _tag: 'unknown' } : undefined
    for (let revision = 1n; revision <= 5n; revision += 1n)
      for (const storage of both) {
        const activities = Array.from({ length: 8 }, (_, n) => `${storage === both[0] ? 'a' : 'b'}${n}`)
        await tagsOf(storage, to(...activities.map((activity) => anyEvent({ activity, revision }))))
      }
    log.faults.afterAppend = (stream) =>
      stream.startsWith('activity-') && appends++ < 20 ? { _tag: 'unknown' } : undefined
    await until(() => linksIn(log) >= 80)
    await closeAll(...both)
    assert.is(linksIn(log), 80)
    for (const stream of new Set(
      log
        .all()
        .filter(isLink)
        .map((link) => link.stream),
    )) {
      const numbers = log
        .all()
        .filter((link) => link.stream === stream)
        .map((link) => Number.parseInt(textOf(link), 10))
      same(
        numbers,
        numbers.toSorted((a, b) => a - b),
      )
      assert.is(numbers.length, 5)
    }
  }
})

it('go on behind what a stream has that was written anew, and let be what was ended or is of others', async () => {
  const log = memoryLog()
  const one = await openOn(log)
  const client = log.connect()
  await tagsOf(
    one,
    to(...anyEvents(2, ONE), ...anyEvents(1, TWO)),
    anyCommit({ organization: 'b', events: anyEvents(2, ONE) }),
  )
  await until(() => linksIn(log) === 3)
  await client.deleteSoftly(`activity-${ONE}`, 1n)
  await client.tombstone(`activity-${TWO}`)
  const links = log.all().filter(isLink).slice(0, 2)
  await client.append(`activity-${ONE}`, 'none', [
    ...links.map((link, n) => ({ ...link, id: `00000000-0000-4000-8000-00000000000${n}` })),
  ])
  await tagsOf(one, to(anyEvent({ activity: TWO, revision: 2n }), anyEvent({ activity: ONE, revision: 3n })))
  await until(async () => (await linksOf(log, ONE)).length === 3)
  same(
    await linksOf(log, ONE),
    [0, 1, 4].map((n) => `${n}@organization-acme`),
  )
  assert.is(await client.readStream(`activity-${TWO}`, { from: 'start', limit: 9 }), 'deleted')
  await closeAll(one)
})

it('are written again after the log went back', async () => {
  const log = memoryLog()
  const { readModels, lender } = openLender()
  const one = await openOn(log, {}, lender)
  await tagsOf(one, to(anyEvent({ activity: ONE })))
  const before = await right(one.store.lastPosition())
  await tagsOf(one, to(anyEvent({ activity: TWO })))
  await until(() => linksIn(log) === 2)
  await until(async () => (await right(readModels.checkpoint('$countersign.links@1'))) > 0n)
  log.goBackTo(before)
  await tagsOf(one, to(anyEvent({ activity: 'other' })))
  await until(() => linksIn(log) === 2)
  same(await linksOf(log, ONE), ['0@organization-acme'])
  same(await linksOf(log, TWO), [])
  await closeAll(one)
})

it.run()
