import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { beforeFirst, link, type Tip } from '../../../core/log/chain.ts'
import type { EventStore } from '../../../core/ports/event-store.ts'
import { anyEvent, projection } from '../../../core/definition/projection.ts'
import { replayOrganization, replayProjection } from '../../../core/projection/replay.ts'
import { right } from '../world/world.ts'
import { digest } from '../audit/logs.ts'

const it = suite('replay of a log that is longer than a page')

const ids = nodeIds()
const organizations = [ids.uuid(), ids.uuid()] as const

/** So many events, of one organization and of the other in turn. */
const storeOf = async (count: number): Promise<EventStore> => {
  const { store } = memoryStore()
  const tips = new Map<string, Tip>()
  for (let n = 0; n < count; n += 1) {
    const organization = organizations[n % 2 === 0 ? 0 : 1]
    const before = tips.get(organization)
    const { record, tip } = link({ digest, ids }, before ?? beforeFirst, {
      organization,
      activity: ids.uuid(),
      revision: 1n,
      at: '2026-01-01T00:00:00.000Z',
      payload: { type: 'ActivityStarted', data: { attempt: 1, resumeAt: '2026-01-01T00:01:00.000Z', revision: 1 } },
      parts: {},
    })
    tips.set(organization, tip)
    const expected = before?.sequence ?? 'none'
    right(await store.append([{ organization, expected, events: [record], checks: [] }])())
  }
  return store
}

/** A row for each time that an event is given to it. */
const given = () => {
  let times = 0
  return projection({
    name: 'given',
    version: 1,
    on: [
      anyEvent(({ organization, sequence }) => [
        { _tag: 'put', organization, key: `${sequence}/${(times += 1)}`, order: sequence, facets: {}, value: null },
      ]),
    ],
  })
}

let store: EventStore
it.before(async () => void (store = await storeOf(8_001)))

it('takes each event of an organization once', async () => {
  const [one, other] = organizations
  for (const [organization, events, position] of [
    [one, 4_001, 8_001n],
    [other, 4_000, 8_000n],
  ] as const) {
    const told: bigint[] = []
    const onProgress = (at: bigint): void => void told.push(at)
    const replayed = right(
      await replayOrganization(store, { byType: () => undefined, generation: 1 }, organization, { onProgress })(),
    )
    assert.equal([replayed.events, replayed.position], [events, position])
    assert.is(told.at(-1), position)
  }
})

it('takes each event of the store once', async () => {
  const { state, events, position } = right(await replayProjection(store, given())())
  assert.equal([events, position], [8_001, 8_001n])
  assert.equal(
    organizations.map((organization) => state.get(organization)?.size),
    [4_001, 4_000],
  )
})

it('ends at a position in whichever page it is', async () => {
  for (const to of [1n, 1_999n, 2_000n, 2_001n, 4_000n, 8_001n])
    assert.is(right(await replayProjection(store, given(), { to: { position: to } })()).events, Number(to))
})

it.run()
