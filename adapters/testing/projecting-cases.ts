import { setTimeout as pause } from 'node:timers/promises'
import { lane } from '../../core/writing/lane.ts'
import { encodeEvent, GENESIS_PREVIOUS, type Event } from '../../core/log/event.ts'
import type { Commit } from '../../core/ports/event-store.ts'
import type { Clock } from '../../core/ports/clock.ts'
import type { Telemetry } from '../../core/ports/telemetry.ts'
import { E } from '../../core/prelude.ts'
import { anyEvent, projection, type Projection } from '../../core/definition/projection.ts'
import { runner, type Runner } from '../../core/projection/runner.ts'
import { anyCommit } from './any.ts'
import { right, same } from './expect.ts'
import { storeCase, type Opened, type StoreCase } from './store-case.ts'

/** A clock whose timers fire at once, so that a case does not wait for pauses between attempts. */
const hasty: Clock = {
  now: () => 0,
  after: (_delayMs, wake) => {
    const timer = setTimeout(wake, 1)
    return () => clearTimeout(timer)
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
  data: { failure: { code: 'INTERNAL', message: 'any' } },
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
    for (const n of [1, 2]) writer.append(commitOf('a', n), (fate) => settled.push(E.isRight(fate)))
    await writer.idle()
    await pause(1)
    same(settled, [true, true])
    same(told, ['countersign.append 2 ok'])
  }),
]
