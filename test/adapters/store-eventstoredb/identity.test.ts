import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { LogClient } from '../../../adapters/store-eventstoredb/log-client.ts'
import { anyEvent } from '../../../adapters/testing/any.ts'
import { same } from '../../../adapters/testing/expect.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { closeAll, openLender, tagsOf, to } from './any-storage.ts'
import { memoryLog, type MemoryLog } from './memory-log.ts'
import { openOn, openStores, type Lender } from './under-test.ts'

const it = suite('EventStoreDB store: log and database that belong together')

/** Opens a store that is held up behind its first look into the log, the one for the marks. */
const openHeldUp = (log: MemoryLog, lender: Lender, meanwhile: () => Promise<void>): Promise<Storage> => {
  const connect = async (): Promise<LogClient> => {
    const client = log.connect()
    let isFirst = true
    const readStream: LogClient['readStream'] = async (stream, page) => {
      const found = await client.readStream(stream, page)
      if (isFirst) {
        isFirst = false
        await meanwhile()
      }
      return found
    }
    return { ...client, readStream }
  }
  return openStores(connect, lender, { prefix: '' }).then(({ storage }) => storage)
}

it('are joined by the first of two processes that open a new log at the same time, and known to the other one', async () => {
  const log = memoryLog()
  const { lender } = openLender()
  const first: Storage[] = []
  const second = await openHeldUp(log, lender, async () => {
    const one = await openOn(log, {}, lender)
    same(await tagsOf(one, to(anyEvent())), ['committed'])
    first.push(one)
  })
  same(await tagsOf(second, to(anyEvent())), ['committed'])
  await closeAll(...first, second)
})

/** Read models before whose call of this number something else happens. */
const heldUp = ({ borrow, dispose }: Lender, call: number, meanwhile: () => Promise<void>): Lender => ({
  dispose,
  borrow: async () => {
    const { readModels, ...others } = await borrow()
    let calls = 0
    const late =
      <Given extends readonly unknown[], A>(method: (...given: Given) => () => Promise<A>) =>
      (...given: Given) =>
      async (): Promise<A> => {
        calls += 1
        if (calls === call) await meanwhile()
        return method(...given)()
      }
    const { checkpoint, move, row, projections } = readModels
    return {
      ...others,
      readModels: {
        ...readModels,
        checkpoint: late(checkpoint),
        move: late(move),
        row: late(row),
        projections: late(projections),
      },
    }
  },
})

for (let call = 1; call <= 12; call += 1)
  it(`are joined by two processes, one of which opens them before call ${call} of the other to the database`, async () => {
    const log = memoryLog()
    const { lender } = openLender()
    const first: Storage[] = []
    const meanwhile = async (): Promise<void> => void first.push(await openOn(log, {}, lender))
    const second = await openOn(log, {}, heldUp(lender, call, meanwhile))
    const third = await openOn(log, {}, lender)
    for (const one of [...first, second, third]) same(await tagsOf(one, to(anyEvent())), ['committed'])
    await closeAll(...first, second, third)
  })

it('are told from those of others, also if these begin meanwhile', async () => {
  const log = memoryLog()
  const first: Storage[] = []
  const opening = openHeldUp(log, openLender().lender, async () => {
    first.push(await openOn(log, {}, openLender().lender))
  })
  const refused = await opening.then(
    () => undefined,
    (error: unknown) => error,
  )
  assert.match(String(refused), 'this database does not belong to this log')
  await closeAll(...first)
})

it.run()
