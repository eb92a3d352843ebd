import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { GENESIS_TYPE } from '../../../core/activity/genesis.ts'
import { anyEvent, projection } from '../../../core/definition/projection.ts'
import { failure, type Failure, type Json } from '../../../core/failure.ts'
import { encodeEvent, instant, type Event, type EventPayload } from '../../../core/log/event.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { E } from '../../../core/prelude.ts'
import { parentsIn } from '../../../core/projection/parents.ts'
import { replayProjection } from '../../../core/projection/replay.ts'
import { runner } from '../../../core/projection/runner.ts'
import { inTime, until } from '../world/under-way.ts'
import { right, testClock } from '../world/world.ts'

const it = suite('the parents of organizations, for projections')

const completed = (type: string, change: Json): EventPayload => ({
  type: 'ActivityCompleted',
  data: { type, result: {}, change, revision: 1 },
})
const started: EventPayload = { type: 'ActivityStarted', data: { attempt: 1, resumeAt: instant(0), revision: 1 } }

/** What a projection was told of the parents of the events, as texts. */
const told = (parents: true | undefined, onEvent: (event: Event) => void = () => undefined) =>
  projection({
    name: 'told',
    version: 1,
    parents,
    on: [
      anyEvent((event, { organization, sequence, position, parent }) => {
        onEvent(event)
        const value = parent === undefined ? '' : `${parent.organizationId} ${parent.position}`
        return [
          { _tag: 'put', organization: '*', key: `${organization}${sequence}`, order: position, facets: {}, value },
        ]
      }),
    ],
  })

/** A store whose reads of logs are counted, and fail while they are to. */
const scene = () => {
  const { store, readModels } = memoryStore()
  const clock = testClock()
  const reads: string[] = []
  const faults: { reads?: Failure | undefined } = {}
  const storage: Storage = {
    readModels,
    store: {
      ...store,
      readLog: (organization, after, ...asked) => {
        reads.push(`${organization}${after + 1n}`)
        return faults.reads === undefined
          ? store.readLog(organization, after, ...asked)
          : async () => E.left(faults.reads as Failure) // as above
      },
    },
  }
  const sequences = new Map<string, bigint>()
  const append = async (organization: string, ...payloads: readonly EventPayload[]): Promise<void> => {
    const events = payloads.map((payload) => {
      const sequence = (sequences.get(organization) ?? 0n) + 1n
      sequences.set(organization, sequence)
      const event = {
        organization,
        sequence,
        activity: `${organization} ${sequence}`,
        revision: 1n,
        version: 1,
        id: `${organization} ${sequence}`,
        at: instant(0),
        previous: '',
        parts: {},
        ...payload,
      } as Event // type and data belong together
      return { id: event.id, activity: event.activity, revision: 1n, line: encodeEvent(event), parts: [] }
    })
    right(await store.append([{ organization, expected: 'any', events, checks: [] }])())
  }
  return {
    storage,
    clock,
    reads,
    faults,
    append,
    begin: (organization: string, parentId?: string) =>
      append(organization, started, completed(GENESIS_TYPE, parentId === undefined ? {} : { parentId })),
    run: async (of = told(true)) => right(await runner({ storage, clock }, of)),
    rows: async () => {
      const rows = right(await readModels.rows('told@1', '*', { limit: 1_000, ascending: true })())
      return Object.fromEntries(rows.map(({ key, value }) => [key, value]))
    },
  }
}

/** Two organizations below P, which begin at the positions 4 and 6, and their events. */
const family = async () => {
  const s = scene()
  await s.begin('P')
  await s.begin('a', 'P')
  await s.begin('b', 'P')
  await s.append('a', started)
  await s.append('P', completed('ACTIVITY_TYPE_OTHER', { parentId: 'x' }))
  await s.append('b', completed(GENESIS_TYPE, { parentId: 'x' }))
  return s
}
const ROWS = { P1: '', P2: '', a1: 'P 4', a2: 'P 4', b1: 'P 6', b2: 'P 6', a3: 'P 4', P3: '', b3: 'P 6' }

it('are told with each event, with the position of the second line, which alone says so', async () => {
  const s = await family()
  const running = await s.run()
  right(await running.passed(9n))
  assert.equal(await s.rows(), ROWS)
})

it('are read once for each organization', async () => {
  const s = await family()
  const running = await s.run()
  right(await running.passed(9n))
  for (let n = 0; n < 3; n += 1) await s.append('a', started)
  right(await running.passed(12n))
  assert.equal(s.reads, ['P2', 'a2', 'b2'])
})

it('are not read where the beginning itself is taken', async () => {
  const s = await family()
  const events = told(true)
  const running = await s.run({ ...events, types: ['ActivityCompleted'] })
  right(await running.passed(9n))
  assert.equal(await s.rows(), { P2: '', a2: 'P 4', b2: 'P 6', P3: '', b3: 'P 6' })
  assert.equal(s.reads, [])
})

it('are neither told nor read where the projection does not ask', async () => {
  const s = await family()
  const running = await s.run(told(undefined))
  right(await running.passed(9n))
  assert.equal(new Set(Object.values(await s.rows())), new Set(['']))
  assert.equal(s.reads, [])
})

it('are waited for while the store cannot be read: the events are taken later', async () => {
  const s = await family()
  s.faults.reads = failure('UNAVAILABLE', 'the store does not answer')
  const running = await s.run()
  const passed = running.passed(9n)
  await until(() => running.stuck() !== undefined)
  assert.equal([running.stuck(), await s.rows(), running.parked()], [s.faults.reads, {}, []])
  delete s.faults.reads
  right(await inTime(s.clock, passed))
  assert.equal(await s.rows(), ROWS)
})

it('are told when parked events are tried again', async () => {
  const s = await family()
  let isBroken = true
  const running = await s.run(
    told(true, ({ organization, sequence }) => {
      if (isBroken && organization === 'a' && sequence > 1n) throw new Error('a bug of the projection')
    }),
  )
  right(await inTime(s.clock, running.passed(9n)))
  assert.equal(running.parked(), [{ organization: 'a', sequence: 2n }])
  assert.equal([right(await running.holdsBelow('P')), right(await running.holdsBelow('a'))], [true, false])
  isBroken = false
  assert.equal(right(await running.retryParked()), [])
  assert.is(right(await running.holdsBelow('P')), false)
  assert.equal(await s.rows(), ROWS)
})

it('are told in a replay', async () => {
  const s = await family()
  const { state } = right(await replayProjection(s.storage.store, told(true))())
  const values = [...(state.get('*') ?? [])].map(([key, { value }]) => [key, value])
  assert.equal(Object.fromEntries(values), ROWS)
  assert.equal(s.reads, ['P2', 'a2', 'b2'])
})

it('end a replay where the store cannot be read', async () => {
  const s = await family()
  s.faults.reads = failure('UNAVAILABLE', 'the store does not answer')
  assert.equal(await replayProjection(s.storage.store, told(true))(), E.left(s.faults.reads))
})

it('are forgotten when the store has lost events', async () => {
  const s = await family()
  const parents = parentsIn(s.storage.store)
  const of = async () => right(await parents.read('a')).parent
  assert.equal(
    [await of(), await of()],
    [
      { organizationId: 'P', position: 4n },
      { organizationId: 'P', position: 4n },
    ],
  )
  assert.is(s.reads.length, 1)
  parents.forget()
  await of()
  assert.is(s.reads.length, 2)
})

it('are none of an organization that is not there yet, which is asked for again', async () => {
  const s = scene()
  const parents = parentsIn(s.storage.store)
  assert.is(right(await parents.read('a')).parent, undefined)
  await s.begin('a', 'P')
  assert.equal(right(await parents.read('a')).parent, { organizationId: 'P', position: 2n })
})

it.run()
