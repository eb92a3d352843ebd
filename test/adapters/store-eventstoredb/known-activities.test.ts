import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { INDEX } from '../../../adapters/store-eventstoredb/index-rows.ts'
import { anyEvent } from '../../../adapters/testing/any.ts'
import { right, same } from '../../../adapters/testing/expect.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { until } from '../../until.ts'
import { closeAll, openLender, organization, tagsOf, to, untilAvailable } from './any-storage.ts'
import { memoryLog } from './memory-log.ts'
import { openOn } from './under-test.ts'

const it = suite('EventStoreDB store: activities that are known')

const openCounting = () => {
  const { readModels, lender } = openLender()
  const counts = { looks: 0 }
  return {
    readModels,
    counts,
    lender: {
      ...lender,
      borrow: async () => {
        const borrowed = await lender.borrow()
        const row: typeof readModels.row = (projection, organization, key) => {
          if (!organization.startsWith('$')) counts.looks += 1
          return borrowed.readModels.row(projection, organization, key)
        }
        return { ...borrowed, readModels: { ...borrowed.readModels, row } }
      },
    },
  }
}

it('looks for no new activity in the index if it has the log from the first event on', async () => {
  const { lender, counts } = openCounting()
  const one = await openOn(memoryLog(), {}, lender)
  for (let n = 0; n < 50; n += 1) await tagsOf(one, to(anyEvent({ activity: `a${n}` })))
  await right(one.store.organizations('', 1))
  counts.looks = 0
  for (let n = 50; n < 60; n += 1) same(await tagsOf(one, to(anyEvent({ activity: `a${n}` }))), ['committed'])
  same(await right(one.store.readActivity(organization, 'none')), [])
  assert.is(counts.looks, 0)
  same(await tagsOf(one, to(anyEvent({ activity: 'a7' }))), ['revision-conflict'])
  same(await tagsOf(one, to(anyEvent({ activity: 'a7', revision: 2n }))), ['committed'])
  await closeAll(one)
})

it('learns the names from the index when many were looked for', async () => {
  const { lender, counts } = openCounting()
  const log = memoryLog()
  const before = await openOn(log, {}, lender)
  const many = Array.from({ length: 2_500 }, (_, n) => to(anyEvent({ activity: `a${n}` })))
  await tagsOf(before, ...many)
  await right(before.store.organizations('', 1))
  await closeAll(before)
  const one = await openOn(log, {}, lender)
  for (let n = 0; n < 60; n += 1) await tagsOf(one, to(anyEvent({ activity: `b${n}` })))
  let next = 60
  const append = async () => same(await tagsOf(one, to(anyEvent({ activity: `b${next++}` }))), ['committed'])
  const looks = async (): Promise<number> => {
    counts.looks = 0
    await append()
    return counts.looks
  }
  await until(async () => (await looks()) === 0)
  for (let n = 0; n < 10; n += 1) await append()
  assert.is(counts.looks, 0)
  const taken = [0, 999, 1_000, 2_499].map((n) => to(anyEvent({ activity: `a${n}` })))
  same(
    await tagsOf(one, ...taken),
    taken.map(() => 'revision-conflict'),
  )
  await closeAll(one)
})

/** What may happen between two appends. */
const Step = fc.oneof(
  { weight: 12, arbitrary: fc.record({ by: fc.nat(1), activity: fc.nat(25) }) },
  { weight: 3, arbitrary: fc.constantFrom('move the index', 'open again', 'throw the index away') },
)

it('never lets an activity be created twice, whoever writes and whatever becomes of the index', () =>
  fc.assert(
    fc.asyncProperty(fc.array(Step, { minLength: 10, maxLength: 60 }), async (steps) => {
      const log = memoryLog()
      const { lender, readModels } = openLender()
      const processes: Storage[] = [await openOn(log, {}, lender), await openOn(log, {}, lender)]
      const taken = new Set<number>()
      for (const step of steps) {
        const [first] = processes
        if (first === undefined) throw new Error('expected a process')
        if (step === 'move the index') await untilAvailable(first.store.organizations('', 1))
        else if (step === 'open again') {
          await closeAll(first)
          processes[0] = await openOn(log, {}, lender)
        } else if (step === 'throw the index away') await right(readModels.drop(INDEX))
        else {
          const { store } = processes[step.by] ?? first
          const [answer] = await untilAvailable(store.append([to(anyEvent({ activity: `a${step.activity}` }))]))
          assert.is(answer?._tag, taken.has(step.activity) ? 'revision-conflict' : 'committed')
          taken.add(step.activity)
        }
      }
      await closeAll(...processes)
    }),
    { numRuns: 40 },
  ))

it.run()
