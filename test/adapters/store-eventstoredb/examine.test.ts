import { randomUUID } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { connectClient } from '../../../adapters/store-eventstoredb/client.ts'
import { examineOver, type Examined } from '../../../adapters/store-eventstoredb/examine.ts'
import type { ExamineOptions } from '../../../adapters/store-eventstoredb/examine.ts'
import { linkEvent } from '../../../adapters/store-eventstoredb/links.ts'
import type { LogClient } from '../../../adapters/store-eventstoredb/log-client.ts'
import { streamNames, uuidOf } from '../../../adapters/store-eventstoredb/names.ts'
import { openOver } from '../../../adapters/store-eventstoredb/open.ts'
import { anyEvent, anyEvents, anyPart } from '../../../adapters/testing/any.ts'
import { failsWith, right, same } from '../../../adapters/testing/expect.ts'
import { IMPORT_UNFINISHED } from '../../../core/ports/event-store.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { startEmulator } from './emulator/emulator.ts'
import { until } from '../../until.ts'
import { closeAll, openLender, organization, tagsOf, to } from './any-storage.ts'
import { memoryLog } from './memory-log.ts'

const it = suite('EventStoreDB store: links and parts are examined and repaired')

/** A log somewhere, with read models that stay when the store is closed. */
const worldOf = (connect: () => Promise<LogClient>, prefix: string) => {
  const { readModels, lender } = openLender()
  const names = streamNames(prefix)
  const settings = async (more: object = {}) => {
    const borrowed = await lender.borrow()
    return { connectionString: 'esdb://test', prefix, ...borrowed, ...more }
  }
  return {
    names,
    readModels,
    open: async (more: object = {}): Promise<Storage> => right(openOver(connect, await settings(more))),
    examine: async (how: Partial<ExamineOptions> = {}, more: object = {}): Promise<Examined> =>
      right(examineOver(connect, await settings(more), { repair: false, ...how })),
    tryExamining: async (how: ExamineOptions) => examineOver(connect, await settings(), how),
    linksOf: async (client: LogClient, activity: string): Promise<readonly string[]> => {
      const found = await client.readStream(names.activity(activity), { from: 'start', limit: 1000 })
      return typeof found === 'string' ? [found] : found.map(({ data }) => Buffer.from(data).toString())
    },
  }
}

const numbers = (links: readonly string[]): readonly number[] => links.map((link) => Number.parseInt(link, 10))
const lastOf = async (client: LogClient, stream: string): Promise<bigint> => {
  const found = await client.readStream(stream, { from: 'end', backwards: true, limit: 1 })
  assert.not.type(found, 'string')
  return typeof found === 'string' ? -1n : (found[0]?.revision ?? -1n)
}

const ACTIVITIES = Array.from({ length: 8 }, (_, n) => uuidOf(`activity ${n}`))

/** Links are removed, doubled, in a wrong order, cut off, of somebody else; and mended, while a store is open beside. */
const mends = async (connect: () => Promise<LogClient>, prefix: string): Promise<void> => {
  const { open, examine, linksOf, names } = worldOf(connect, prefix)
  const client = await connect()
  const [gone, doubled, shuffled, cut, strange, ended, well, late] = ACTIVITIES
  assert.ok(gone && doubled && shuffled && cut && strange && ended && well && late)
  const one = await open()
  for (let revision = 1n; revision <= 3n; revision += 1n)
    await tagsOf(one, to(...ACTIVITIES.slice(0, 7).map((activity) => anyEvent({ activity, revision }))))
  for (const activity of ACTIVITIES.slice(0, 7)) await until(async () => (await linksOf(client, activity)).length >= 3)
  const before = await right(one.store.readAll(0n, 100))
  await closeAll(one)
  same((await examine()).links, { activities: 7, wrong: 0, mended: 0, ended: 0 })

  const link = (number: number) => linkEvent(randomUUID(), `${number}@${names.organization(organization)}`)
  const rewritten = async (activity: string, ...links: readonly ReturnType<typeof link>[]): Promise<void> => {
    await client.deleteSoftly(names.activity(activity), await lastOf(client, names.activity(activity)))
    if (links.length > 0) await client.append(names.activity(activity), 'none', links)
  }
  await rewritten(gone)
  await client.append(names.activity(doubled), await lastOf(client, names.activity(doubled)), [link(1)])
  await rewritten(shuffled, link(2), link(16), link(9))
  await rewritten(cut, link(10), link(17))
  await rewritten(strange, { ...link(4), type: 'Other' }, link(11), link(18))
  await client.tombstone(names.activity(ended))

  const two = await open()
  await tagsOf(two, to(anyEvent({ activity: late }), anyEvent({ activity: gone, revision: 4n })))
  await closeAll(two) // before their links were written
  const found = await examine()
  same(found.links, { activities: 8, wrong: 5, mended: 0, ended: 1 })
  const three = await open()
  const repaired = await examine({ repair: true })
  same(repaired.links, { activities: 8, wrong: 5, mended: 5, ended: 1 })
  same(await Promise.all(ACTIVITIES.map(async (activity) => numbers(await linksOf(client, activity)))), [
    [0, 7, 14, 22],
    [1, 8, 15],
    [2, 9, 16],
    [3, 10, 17],
    [4, 11, 18],
    [Number.NaN],
    [6, 13, 20],
    [21],
  ])
  same((await examine()).links, { activities: 8, wrong: 0, mended: 0, ended: 1 })
  same((await right(three.store.readAll(0n, 100))).slice(0, before.length), before)

  // Writing goes on behind what was written anew.
  await tagsOf(three, to(anyEvent({ activity: doubled, revision: 4n }), anyEvent({ activity: well, revision: 4n })))
  for (const activity of [well, doubled]) await until(async () => (await linksOf(client, activity)).length >= 4)
  same(numbers(await linksOf(client, doubled)), [1, 8, 15, 23])
  await closeAll(three) // the last step has moved its mark
  same((await examine()).links, { activities: 8, wrong: 0, mended: 0, ended: 1 })
  await client.close()
}

it('mends links over a client in memory', async () => {
  const log = memoryLog()
  await mends(async () => log.connect(), '')
})

it('mends links on the emulator', async () => {
  const { connectionString, stop } = await startEmulator()
  await mends(() => connectClient({ connectionString }), 'a-')
  await stop()
})

const { EVENTSTOREDB_URL: url } = process.env
if (url !== undefined && url !== '')
  it('mends links, and removes parts, on a real server', async () => {
    const connect = () => connectClient({ connectionString: url })
    await mends(connect, `links-${randomUUID()}-`)
    await removes(connect, `parts-${randomUUID()}-`)
  })

/** A part without an event is removed, and no other; and never what might be needed. */
const removes = async (connect: () => Promise<LogClient>, prefix: string): Promise<void> => {
  const { open, examine, names } = worldOf(connect, prefix)
  const client = await connect()
  const one = await open({ links: false })
  const named = anyEvent({ parts: [anyPart(), anyPart({ name: 'personal:x' })] })
  await tagsOf(one, to(named), to(...anyEvents(2)))
  const erased = anyEvent({ parts: [anyPart()] })
  await tagsOf(one, to(erased))
  await right(one.store.eraseParts(organization, [{ sequence: 4n, name: erased.parts[0]?.name ?? '' }]))
  const orphan = (type = 'countersign-part') => [
    { id: randomUUID(), type, data: Buffer.from('\0\0\0\0left'), metadata: new Uint8Array() },
  ]
  const left = names.part(randomUUID(), 'request')
  await client.append(left, 'none', orphan())
  const trial = names.trial(randomUUID())
  await client.append(trial, 'none', orphan('countersign-trial'))
  const foreign = `${names.parts}of-somebody-else`
  await client.append(foreign, 'none', orphan())
  await client.append(`${names.parts}${randomUUID()}-x`, 'none', orphan('Other'))

  same((await examine({ partsOlderThanMs: 3_600_000 })).parts, { unnamed: 0, young: 2, removed: 0 })
  same((await examine({ repair: true })).parts, { unnamed: 0, young: 2, removed: 0 })
  same((await examine({ partsOlderThanMs: -60_000 })).parts, { unnamed: 2, young: 0, removed: 0 })

  await right(one.store.setImportedTo(IMPORT_UNFINISHED))
  const all = { repair: true, partsOlderThanMs: -60_000 }
  same((await examine(all)).parts, { unnamed: 2, young: 0, removed: 0, kept: 'import' })
  await right(one.store.setImportedTo(0n))
  same((await examine(all)).parts, { unnamed: 2, young: 0, removed: 2 })
  same((await examine(all)).parts, { unnamed: 0, young: 0, removed: 0 })
  for (const stream of [left, trial]) assert.is(await client.readStream(stream, { from: 'start', limit: 1 }), 'deleted')
  assert.is((await client.readStream(foreign, { from: 'start', limit: 1 })).length, 1)
  same((await right(one.store.readLog(organization, 0n, 9)))[0]?.parts, named.parts)
  same((await right(one.store.readLog(organization, 3n, 9)))[0]?.parts, [])

  await client.append(names.part(randomUUID(), 'request'), 'none', orphan())
  await client.append(names.organization('other'), 'none', orphan('of a newer version'))
  same((await examine(all)).parts, { unnamed: 1, young: 0, removed: 0, kept: 'unreadable' })
  await closeAll(one)
  await client.close()
}

it('removes parts that no event names, and no others', async () => {
  const log = memoryLog()
  await removes(async () => log.connect(), '')
})

it('reads only, unless it is told to repair; and says what it cannot look at', async () => {
  const log = memoryLog()
  const { open, examine, tryExamining, readModels } = worldOf(async () => log.connect(), '')
  await failsWith('STORE_UNREADABLE', await tryExamining({ repair: false }))
  const one = await open({ links: false })
  await tagsOf(one, to(anyEvent()))
  await closeAll(one)
  const written = log.all().length
  same((await examine()).links, 'none')
  same((await examine({}, { links: false })).links, 'off')
  assert.is(log.all().length, written)
  same((await examine({ repair: true })).links, { activities: 1, wrong: 0, mended: 0, ended: 0 })
  await right(readModels.drop('$countersign.activities@1'))
  for (const repair of [false, true])
    same((await examine({ repair })).links, { activities: 1, wrong: 0, mended: 0, ended: 0 })
})

it.run()
