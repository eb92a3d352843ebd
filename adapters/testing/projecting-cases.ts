import { leasing } from '../../core/leasing/leasing.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { lane } from '../../core/writing/lane.ts'
import { encodeEvent, GENESIS_PREVIOUS, type Event } from '../../core/log/event.ts'
import type { Commit } from '../../core/ports/event-store.ts'
import type { Clock } from '../../core/ports/clock.ts'
import type { Telemetry } from '../../core/ports/telemetry.ts'
import { E } from '../../core/prelude.ts'
import { anyEvent, projection, type Projection } from '../../core/definition/projection.ts'
import { runner, type Runner } from '../../core/projection/runner.ts'
import { anyCommit } from './any.ts'
import { failsWith, right, same, until } from './expect.ts'
import { storeCase, withSecond, type Opened, type StoreCase } from './store-case.ts'

/** A clock whose timers fire at once, so that a case does not wait for pauses between attempts. */
const hasty: Clock = {
  now: () => 0,
  after: (_delayMs, wake) => {
    const timer = setImmediate(wake)
    return () => clearImmediate(timer)
  },
}

/** The nth event of an organization: a failed activity of its own, as a line that the core reads. */
const eventOf = (organization: string, sequence: number): Event => ({
  organization,
  sequence: BigInt(sequence),
  activity: `${organization}-${sequence}`,
  revision: 1n,
  type: 'ActivityFailed',
  version: 1,
  id: `${organization}-event-${sequence}`,
  at: '2026-01-01T00:00:00.000Z',
  previous: GENESIS_PREVIOUS,
  data: { failure: { code: 'INTERNAL', message: 'any' }, revision: 1 },
  parts: {},
})

const commitOf = (organization: string, sequence: number): Commit => {
  const event = eventOf(organization, sequence)
  const { id, activity, revision } = event
  return anyCommit({ organization, events: [{ id, activity, revision, line: encodeEvent(event), parts: [] }] })
}

const list = (throwsOn: (event: Event) => boolean): Projection =>
  projection({
    name: 'list',
    version: 1,
    on: [
      anyEvent((event) => {
        if (throwsOn(event)) throw new Error('a bug of the projection')
        const { organization, id: key, sequence: order } = event
        return [{ _tag: 'put', organization, key, order, facets: {}, value: null }]
      }),
    ],
  })

const started = async (opened: Opened, of: Projection): Promise<Runner> =>
  right(() => runner({ storage: opened, clock: hasty }, of))

/** A clock whose long timers fire when that is said, and its short ones at once. */
const patient = () => {
  const waiting = new Set<() => void>()
  const clock: Clock = {
    now: () => 0,
    after: (delayMs, wake) => {
      if (delayMs < 1_000) return hasty.after(delayMs, wake)
      waiting.add(wake)
      return () => void waiting.delete(wake)
    },
  }
  const fireAll = (): void => {
    const due = [...waiting]
    waiting.clear()
    for (const wake of due) wake()
  }
  return { clock, fireAll }
}

/** A process that notes which events it projects, under a lease. */
const processOn = async (storage: Storage, clock: Clock) => {
  const seen: bigint[] = []
  const noting = list(({ sequence }) => seen.push(sequence) < 0)
  const leased = leasing({ leases: storage.leases, clock })
  return { seen, running: await right(() => runner({ storage, clock, leasing: leased }, noting)) }
}

const sequencesOf = async ({ readModels }: Opened, organization: string): Promise<readonly number[]> => {
  const rows = await right(readModels.rows('list@1', organization, { limit: 100, ascending: true }))
  return rows.map(({ order }) => Number(order))
}

/** Cases for the core on a store: a projection that throws, and the spans of appends. */
export const projectingCases: readonly StoreCase[] = [
  storeCase(
    '44',
    'parks an organization on whose event a projection throws, and lets others go on',
    [],
    async (opened) => {
      await right(opened.store.append(['a', 'b'].flatMap((name) => [1, 2, 3].map((n) => commitOf(name, n)))))
      let throws = 0
      const running = await started(
        opened,
        list(({ organization, sequence }) => organization === 'a' && sequence === 2n && (throws += 1) > 0),
      )
      await right(() => running.passed(6n))
      same(await sequencesOf(opened, 'a'), [1])
      same(await sequencesOf(opened, 'b'), [1, 2, 3])
      same(running.parked(), [{ organization: 'a', sequence: 2n }])
      same(throws > 1, true, 'it is tried again before it is parked')
      await running.close()
    },
  ),

  storeCase('45', 'makes up for what was parked, in order, when it is tried again', [], async (opened) => {
    await right(opened.store.append([1, 2, 3].map((n) => commitOf('a', n))))
    let isBroken = true
    const running = await started(
      opened,
      list(({ sequence }) => isBroken && sequence === 2n),
    )
    await right(() => running.passed(3n))
    same(await right(running.retryParked), [{ organization: 'a', sequence: 2n }])
    await running.close()

    const again = await started(
      opened,
      list(({ sequence }) => isBroken && sequence === 2n),
    )
    same(again.parked(), [{ organization: 'a', sequence: 2n }], 'it is known after a restart')
    isBroken = false
    same(await right(again.retryParked), [])
    same(await sequencesOf(opened, 'a'), [1, 2, 3])
    await again.close()
  }),

  storeCase('45a', 'keeps two runners of a projection from going past what one of them parked', [], async (opened) => {
    const broken = list(({ organization, sequence }) => organization === 'a' && sequence === 2n)
    const [one, two] = [await started(opened, broken), await started(opened, broken)]
    await right(opened.store.append(['a', 'b'].flatMap((name) => [1, 2].map((n) => commitOf(name, n)))))
    await right(() => one.passed(4n))
    await right(opened.store.append([commitOf('a', 3), commitOf('b', 3)]))
    await right(() => two.passed(6n))
    await right(() => one.passed(6n))
    same(await sequencesOf(opened, 'a'), [1])
    same(await sequencesOf(opened, 'b'), [1, 2, 3])
    for (const running of [one, two]) {
      same(await right(running.retryParked), [{ organization: 'a', sequence: 2n }])
      await running.close()
    }
  }),

  storeCase(
    '46',
    'lets one of two processes run a projection; the other one goes along, and takes over when the first one closes',
    ['severalWriters', 'openBeside', 'leases'],
    (opened) =>
      withSecond(opened, async (here, there) => {
        const { clock, fireAll } = patient()
        const one = await processOn(here, clock)
        await right(here.store.append([commitOf('a', 1)]))
        await right(() => one.running.passed(1n))
        const two = await processOn(there, clock)
        await right(there.store.append([commitOf('a', 2)]))
        await right(() => two.running.passed(2n))
        same([one.seen, two.seen], [[1n, 2n], []])
        await one.running.close()
        await right(here.store.append([commitOf('a', 3)]))
        fireAll()
        await right(() => two.running.passed(3n))
        same([two.seen, await sequencesOf(opened, 'a')], [[3n], [1, 2, 3]])
        await two.running.close()
      }),
  ),

  storeCase(
    '46a',
    'does not let a process that stood still move a checkpoint that another one has moved since',
    ['severalWriters', 'openBeside', 'leases'],
    (opened) =>
      withSecond(opened, async (here, there) => {
        const moved = here.readModels.move('list@1', 0n, 1n, [])
        await right(there.readModels.move('list@1', 0n, 2n, []))
        await failsWith('CONFLICT', moved)
        same(await right(here.readModels.checkpoint('list@1')), 2n)
      }),
  ),

  storeCase('60', 'has one span per append told, with the number of commits and the outcome', [], async (opened) => {
    const told: string[] = []
    const telemetry: Telemetry = {
      span: async (name, { commits }, work, outcome) => {
        const result = await work()
        told.push(`${name} ${commits} ${outcome(result)}`)
        return result
      },
      spanSync: (_name, _attributes, work) => work(),
      count: () => undefined,
      record: () => undefined,
      observe: () => () => undefined,
    }
    const writer = lane({ store: opened.store, clock: hasty, telemetry })
    const settled: boolean[] = []
    for (const n of [1, 2]) writer.append(commitOf('a', n), (outcome) => settled.push(E.isRight(outcome)))
    await writer.idle()
    await until(() => settled.length === 2)
    same(settled, [true, true])
    same(told, ['countersign.append 2 ok'])
  }),
]
