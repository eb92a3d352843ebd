import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { failure } from '../../../core/failure.ts'
import { beforeFirst, link, type Tip } from '../../../core/log/chain.ts'
import { decodeEvent } from '../../../core/log/event.ts'
import type { NewEvent } from '../../../core/ports/event-store.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { TE } from '../../../core/prelude.ts'
import type { Handle } from '../../../core/following/handle.ts'
import { parking, type Parking } from '../../../core/following/parking.ts'
import { durableProgress } from '../../../core/following/progress.ts'
import { anyEvent, projection, storedName, type Projection } from '../../../core/definition/projection.ts'
import { codeOf, right } from '../world/world.ts'
import { digest } from '../audit/logs.ts'

const it = suite('what a projection throws on')

const ORGANIZATION = '5b2b9e06-9f0b-4f3f-8c9b-0a5b6a1f2c3d'
const ids = nodeIds()

/** A store with so many events of one organization, each of an activity of its own. */
const storeOf = async (count: number): Promise<Storage> => {
  const storage = memoryStore()
  let tip: Tip = beforeFirst
  const events: NewEvent[] = []
  for (let n = 0; n < count; n += 1) {
    const { record, tip: next } = link({ digest, ids }, tip, {
      organization: ORGANIZATION,
      activity: ids.uuid(),
      revision: 1n,
      at: '2026-01-01T00:00:00.000Z',
      payload: { type: 'ActivityStarted', data: { attempt: 1, resumeAt: '2026-01-01T00:01:00.000Z', revision: 1 } },
      parts: {},
    })
    tip = next
    events.push(record)
  }
  right(await storage.store.append([{ organization: ORGANIZATION, expected: 'none', events, checks: [] }])())
  return storage
}

/** Counts events; it throws on one of them. */
const counter = () => {
  const state: { breaksAt: bigint | undefined; readonly seen: bigint[] } = { breaksAt: 1n, seen: [] }
  const counting: Projection = projection({
    name: 'counter',
    version: 1,
    on: [
      anyEvent(({ sequence, organization }) => {
        if (sequence === state.breaksAt) throw new Error('broken')
        state.seen.push(sequence)
        const row = { organization, key: String(sequence), order: sequence, facets: {}, value: null }
        return [{ _tag: 'put', ...row }]
      }),
    ],
  })
  return { state, counting }
}

/** What holds back events of the projection, as it is stored. */
const heldOf = async (storage: Storage, counting: Projection): Promise<Parking> => {
  const name = storedName(counting)
  const progress = durableProgress(storage, name, 0n)
  const { parked } = right(await progress.read())
  const ports = { store: storage.store, progress, onParked: () => undefined }
  const handle: Handle = (event, position, _, parts) => counting.project(event, position, parts)
  const held = parking(ports, { name, handle })
  held.adopt(parked)
  return held
}

const { signal } = new AbortController()

/** Parks the organization at its first event, and moves the checkpoint on. */
const parked = async (storage: Storage, counting: Projection, checkpoint: bigint): Promise<Parking> => {
  const park = { _tag: 'put', organization: '!parked', key: ORGANIZATION, order: 1n, facets: {}, value: null } as const
  right(await storage.readModels.move(storedName(counting), 0n, checkpoint, [park])())
  return heldOf(storage, counting)
}

const rowsOf = async (storage: Storage, counting: Projection): Promise<number> => {
  const all = { limit: 10_000, ascending: true }
  return right(await storage.readModels.rows(storedName(counting), ORGANIZATION, all)()).length
}

it('is held back, known after a restart, and worked in when it is tried again', async () => {
  const storage = await storeOf(3)
  const { state, counting } = counter()
  const held = await parked(storage, counting, 3n)
  assert.equal(held.list(), [{ organization: ORGANIZATION, sequence: 1n }])
  right(await held.retry(3n, signal))
  assert.equal([held.holds(ORGANIZATION), state.seen], [true, []])
  state.breaksAt = undefined
  right(await held.retry(3n, signal))
  assert.equal([held.list(), state.seen, await rowsOf(storage, counting)], [[], [1n, 2n, 3n], 3])
  assert.equal((await heldOf(storage, counting)).list(), [])
})

it('is worked in up to the checkpoint: what follows comes in its turn', async () => {
  const storage = await storeOf(5)
  const { state, counting } = counter()
  const held = await parked(storage, counting, 3n)
  state.breaksAt = undefined
  right(await held.retry(3n, signal))
  assert.equal([held.list(), state.seen], [[], [1n, 2n, 3n]])
})

it('stays parked until its last page is worked in, whatever happens in between', async () => {
  const storage = await storeOf(1_100)
  const { state, counting } = counter()
  state.breaksAt = undefined
  let moves = 0
  const failing: Storage = {
    ...storage,
    readModels: {
      ...storage.readModels,
      move: (...move) =>
        (moves += 1) === 2 ? TE.left(failure('UNAVAILABLE', 'the disk is full')) : storage.readModels.move(...move),
    },
  }
  await parked(storage, counting, 1_100n)
  const held = await heldOf(failing, counting)
  assert.is((await held.retry(1_100n, signal))._tag, 'Left')
  const restarted = await heldOf(storage, counting)
  assert.equal([restarted.holds(ORGANIZATION), await rowsOf(storage, counting)], [true, 500])
  right(await restarted.retry(1_100n, signal))
  assert.equal([restarted.list(), await rowsOf(storage, counting)], [[], 1_100])
})

it('is parked again from the next event on that throws', async () => {
  const storage = await storeOf(4)
  const { state, counting } = counter()
  const held = await parked(storage, counting, 4n)
  state.breaksAt = 3n
  right(await held.retry(4n, signal))
  assert.equal([held.list(), state.seen], [[{ organization: ORGANIZATION, sequence: 3n }], [1n, 2n]])
  state.breaksAt = undefined
  right(await held.retry(4n, signal))
  assert.equal([held.list(), state.seen], [[], [1n, 2n, 3n, 4n]])
})

it('is parked when it has thrown three times on one event, however often it threw on others', async () => {
  const storage = await storeOf(2)
  const { state, counting } = counter()
  const held = await heldOf(storage, counting)
  const [first, second] = right(await storage.store.readLog(ORGANIZATION, 0n, 2)()).map(({ line, position }) => ({
    event: right(decodeEvent(line)),
    position,
  }))
  if (first === undefined || second === undefined) throw new Error('expected two events')
  assert.equal([(await held.take([first], signal))._tag, (await held.take([first], signal))._tag], ['Left', 'Left'])
  state.breaksAt = 2n
  assert.equal([(await held.take([second], signal))._tag, (await held.take([second], signal))._tag], ['Left', 'Left'])
  assert.is(held.holds(ORGANIZATION), false)
  assert.is((await held.take([second], signal))._tag, 'Right')
  assert.equal(held.list(), [{ organization: ORGANIZATION, sequence: 2n }])
})

it('stays parked while the store cannot be read', async () => {
  const storage = await storeOf(2)
  const { state, counting } = counter()
  await parked(storage, counting, 2n)
  state.breaksAt = undefined
  const unreadable = { ...storage.store, readLog: () => TE.left(failure('UNAVAILABLE', 'not now')) }
  const held = await heldOf({ ...storage, store: unreadable }, counting)
  assert.is(codeOf(await held.retry(2n, signal)), 'UNAVAILABLE')
  assert.equal([held.holds(ORGANIZATION), state.seen], [true, []])
})

it.run()
