import { randomUUID } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { connectClient } from '../../../adapters/store-eventstoredb/client.ts'
import { INDEX } from '../../../adapters/store-eventstoredb/index-rows.ts'
import type { LogClient } from '../../../adapters/store-eventstoredb/log-client.ts'
import { anyEvent } from '../../../adapters/testing/any.ts'
import { right, same } from '../../../adapters/testing/expect.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { startEmulator } from './emulator/emulator.ts'
import { closeAll, openLender, organization, tagsOf, to, untilAvailable } from './any-storage.ts'
import { memoryLog } from './memory-log.ts'
import { memoryLender, openOn, openStores } from './under-test.ts'

const it = suite('EventStoreDB store: a server that another application writes to')

const BATCH = 500

/** Another application writes so many events to a stream of its own. */
const writeForeign = async (client: LogClient, count: number): Promise<void> => {
  const stream = `theirs-${randomUUID()}`
  for (let from = 0; from < count; from += BATCH) {
    const length = Math.min(BATCH, count - from)
    const event = () => ({ id: randomUUID(), type: 'theirs', data: Buffer.from('x'), metadata: new Uint8Array() })
    await client.append(stream, from === 0 ? 'none' : BigInt(from - 1), Array.from({ length }, event))
  }
}

const standing = { type: 'T', status: 'S' }

/** Appends between stretches of foreign events, and gives the ids in their order. */
const writeBetween = async ({ store }: Storage, client: LogClient, stretches: readonly number[]): Promise<string[]> => {
  const ids: string[] = []
  for (const [n, foreign] of stretches.entries()) {
    const commits = Array.from({ length: 3 }, (_, at) => to(anyEvent({ activity: `a${n}.${at}`, standing })))
    await right(store.append(commits))
    ids.push(...commits.flatMap(({ events }) => events.map(({ id }) => id)))
    await writeForeign(client, foreign)
  }
  return ids
}

const exported = async ({ store }: Storage, limit: number): Promise<readonly string[]> => {
  const ids: string[] = []
  const end = await right(store.lastPosition())
  for (let after = 0n; after < end;) {
    const page = await right(store.readAll(after, limit))
    assert.ok(page.length > 0, 'a page before the end has events')
    ids.push(...page.map(({ id }) => id))
    after = page.at(-1)?.position ?? end
  }
  return ids
}

const looksRight = async (storage: Storage, ids: readonly string[]): Promise<void> => {
  for (const limit of [2, 1_000]) assert.equal(await exported(storage, limit), ids)
  same(await right(storage.store.organizations('', 9)), [organization])
  const listed = await right(storage.store.activities(organization, { limit: 1_000, ascending: true }))
  assert.equal(
    listed.map(({ sequence }) => sequence),
    ids.map((_, n) => BigInt(n + 1)),
  )
  const last = await right(storage.store.lastPosition())
  assert.equal(await right(storage.store.readAll(last, 10)), [])
}

it('lists, exports and starts as if it was alone, on the emulator', async () => {
  const server = await startEmulator()
  const connect = () => connectClient({ connectionString: server.connectionString })
  const client = await connect()
  const { storage, reopen, dispose } = await openStores(connect, memoryLender())
  const ids = await writeBetween(storage, client, [2_500, 20, 600, 2_500])
  await looksRight(storage, ids)
  const again = (await reopen?.()) ?? storage
  await looksRight(again, ids)
  same(await tagsOf(again, to(anyEvent({ activity: 'a0.0' }))), ['revision-conflict'])
  same(await tagsOf(again, to(anyEvent({ activity: 'new' }))), ['committed'])
  assert.is((await exported(storage, 1_000)).length, ids.length + 1)
  await closeAll(storage)
  if (again !== storage) await closeAll(again)
  await client.close()
  await dispose?.()
  await server.stop()
})

/** A log that counts how many events are passed by reading. */
const counted = () => {
  const log = memoryLog()
  const { readModels, lender } = openLender()
  let passed = 0
  const counting = (): LogClient => {
    const client = log.connect()
    return {
      ...client,
      readAll: async (page) => {
        const found = await client.readAll(page)
        passed += found.length
        return found
      },
      follow: (from, listener) => {
        const after = typeof from.after === 'bigint' ? from.after : 0n
        passed += log.all().filter(({ position }) => position > after).length
        return client.follow(from, listener)
      },
    }
  }
  const open = () => openStores(async () => counting(), lender, { prefix: '' }).then(({ storage }) => storage)
  const work = async (use: () => Promise<unknown>): Promise<number> => {
    passed = 0
    await use()
    return passed
  }
  return { log, readModels, open, work }
}

it('passes a long stretch once, and not again for each list or after a start', async () => {
  const { log, open, work } = counted()
  const one = await open()
  await writeBetween(one, log.connect(), [10_000, 10_000])
  await right(one.store.organizations('', 9))
  const list = () => right(one.store.activities(organization, { limit: 100 }))
  assert.ok((await work(list)) < 2_000, 'a list')
  assert.ok((await work(async () => right(one.store.readAll(await right(one.store.lastPosition()), 10)))) < 2_000)
  await closeAll(one)
  let two: Storage | undefined
  // Once, because another process has read nothing yet; and the index tells where to begin.
  assert.ok((await work(async () => (two = await open()))) < 13_000, 'a start')
  if (two !== undefined) await closeAll(two)
})

it('never looks at what was there before it, but when it begins', async () => {
  const { log, readModels, open, work } = counted()
  await writeForeign(log.connect(), 10_000)
  const one = await open()
  await tagsOf(one, to(anyEvent({ activity: 'a', standing })))
  const list = () => untilAvailable(one.store.activities(organization, { limit: 9 }))
  assert.ok((await work(list)) < 500, 'the first list')
  await right(readModels.drop(INDEX))
  assert.ok((await work(list)) < 500, 'an index that is built again')
  assert.ok((await work(() => exported(one, 1_000))) < 500, 'an export')
  await right(readModels.drop(INDEX))
  let two: Storage | undefined
  assert.ok((await work(async () => (two = await open()))) < 500, 'a start')
  await closeAll(one, ...(two === undefined ? [] : [two]))
})

it('finds the end again when the log went back', async () => {
  const log = memoryLog()
  const one = await openOn(log)
  await tagsOf(one, to(anyEvent({ activity: 'a' })))
  const before = await right(one.store.lastPosition())
  await tagsOf(one, to(anyEvent({ activity: 'b' })))
  await writeForeign(log.connect(), 3_000)
  assert.ok((await right(one.store.lastPosition())) > before)
  log.goBackTo(before)
  await writeForeign(log.connect(), 3_000)
  assert.is(await right(one.store.lastPosition()), before)
  await closeAll(one)
})

it.run()
