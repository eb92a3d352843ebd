import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { decodeUtf8, encodeUtf8 } from '../../../core/bytes.ts'
import type { Engine, EngineOptions } from '../../../core/engine.ts'
import type { Recorded } from '../../../core/ports/event-store.ts'
import { TE } from '../../../core/prelude.ts'
import { secondProcess } from '../command/second-process.ts'
import { testKeyring } from '../world/keyring.ts'
import { rewindableStore } from '../writing/rewindable-store.ts'
import { until } from '../world/under-way.ts'
import { keptOpen, testStore } from '../world/test-store.ts'
import { begin, placeIn, world, type Place, type World } from '../world/world.ts'
import { answered, happens, hookIn, receiver, tellingWorld, type Heard, type Receiver } from './receiver.ts'

const it = suite('what waits to be told')

/** A store that outlives its engines. */
const onKept = async (play: (storage: World['storage']) => Promise<void>): Promise<void> => {
  const storage = await testStore()
  await play(keptOpen(storage))
  await storage.readModels.close()
  await storage.store.close()
}

/** Another engine on the store of one that has stopped. Without a receiver, it tells nobody. */
const next = (w: Pick<World, 'storage' | 'clock'>, to?: Receiver, more: Partial<EngineOptions> = {}): Promise<Engine> =>
  secondProcess(w, {
    ...(to && { webhooks: { outgoing: to.outgoing } }),
    ports: { keyring: testKeyring(w.storage) },
    ...more,
  })

/** The organization of a world, in another engine. */
const placeOf = (engine: Engine, w: World): Place => placeIn({ engine, clock: w.clock }, w.organizationId, w.root)

const types = ({ heard }: Receiver): readonly string[] =>
  heard.map(({ told }) => told.type.replace('ACTIVITY_TYPE_', '')).toSorted()

it('is told by the next process, with the same id and body', () =>
  onKept(async (store) => {
    const deaf = receiver(() => answered(503))
    const w = await tellingWorld(deaf, { store })
    await hookIn(w)
    await deaf.until((heard) => heard.length === 1)
    await w.close()
    const to = receiver()
    const again = await next(w, to)
    w.clock.pass(60_000)
    await to.until((heard) => heard.length === 1)
    const idOf = ({ heard: [first] }: Receiver) => first?.headers['X-Turnkey-Event-Id']
    assert.is(idOf(to), idOf(deaf))
    assert.equal(to.heard[0]?.body, deaf.heard[0]?.body)
    await again.close()
  }))

it('is what happened since the first process that tells, also if that one found an empty store and told nothing', () =>
  onKept(async (store) => {
    const quiet = await world({ store })
    await hookIn(quiet)
    await happens(quiet, 'before')
    await quiet.close()
    const first = await next(quiet, receiver())
    await first.close()
    const silent = await next(quiet)
    await happens(placeOf(silent, quiet), 'between')
    await silent.close()
    const to = receiver()
    const engine = await next(quiet, to)
    const { id } = await happens(placeOf(engine, quiet), 'after')
    await to.until((heard) => heard.some(({ told }) => told.id === id) && heard.length === 2)
    await engine.close()
  }))

it('is told also where a newer version has made endpoints that this one cannot read', () =>
  onKept(async (store) => {
    const quiet = await world({ store })
    const other = await begin(quiet)
    await hookIn(quiet, { url: 'https://unread.example.com/' })
    await hookIn(other)
    await quiet.close()
    const newer = (line: Uint8Array): Uint8Array => {
      const text = decodeUtf8(line) ?? ''
      const isIt = text.includes('unread.example.com') && text.includes('"type":"ActivityCompleted"')
      return isIt ? encodeUtf8(text.replace(/"revision":\d+(?=,)/g, '"revision":99')) : line
    }
    const readAll: typeof store.store.readAll = (...asked) =>
      TE.map((page: readonly Recorded[]) => page.map((one) => ({ ...one, line: newer(one.line) })))(
        store.store.readAll(...asked),
      )
    const to = receiver()
    const engine = await next({ ...quiet, storage: { ...store, store: { ...store.store, readAll } } }, to)
    const { id } = await happens(placeIn({ engine, clock: quiet.clock }, other.organizationId, other.root), 'here')
    await to.until((heard) => heard.some(({ told }) => told.id === id))
    await engine.close()
  }))

it('is all since its beginning, which was on an empty store', () =>
  onKept(async (store) => {
    const w = await world()
    const first = await next({ storage: store, clock: w.clock }, receiver())
    await first.close()
    const silent = await next({ storage: store, clock: w.clock })
    const place = await begin({ engine: silent, clock: w.clock })
    await hookIn(place)
    await silent.close()
    const to = receiver()
    const engine = await next({ storage: store, clock: w.clock }, to)
    await to.until((heard) => heard.length === 1)
    assert.equal(types(to), ['CREATE_WEBHOOK_ENDPOINT'])
    await engine.close()
    await w.close()
  }))

it('is not told by a copy of the store, nor by a later start of the copy', () =>
  onKept(async (store) => {
    const deaf = receiver(() => answered(503))
    const w = await tellingWorld(deaf, { store })
    await hookIn(w)
    await deaf.until((heard) => heard.length === 1)
    await w.close()
    const copy = await next(w, receiver(), { storeIsCopy: true })
    await copy.close()
    const to = receiver()
    const engine = await next(w, to)
    w.clock.pass(60_000)
    const { id } = await happens(placeOf(engine, w), 'new')
    await to.until((heard) => heard.some(({ told }) => told.id === id))
    assert.equal(types(to), ['CREATE_USER_TAG'])
    await engine.close()
  }))

for (const isHeard of [true, false])
  it(`is told on from the newest event that is left, where the store has lost events that were ${isHeard ? '' : 'not '}told`, async () => {
    const isDeaf = { now: false }
    const to = receiver(() => answered(isDeaf.now ? 503 : 200))
    const { storage, loseAfter, last } = rewindableStore()
    const store = { ...storage, sealed: memoryStore().sealed }
    const w = await tellingWorld(to, { store })
    const endpointId = await hookIn(w)
    const kept = await happens(w, 'kept')
    const isThere = (id: string) => (heard: readonly Heard[]) => heard.some(({ told }) => told.id === id)
    await to.until(isThere(kept.id))
    const position = await last()
    isDeaf.now = !isHeard
    const lost = await happens(w, 'lost')
    await to.until(isThere(lost.id))
    isDeaf.now = false
    await loseAfter(position, { rows: 'kept' })
    const added = await happens(w, 'new')
    await to.until(isThere(added.id))
    assert.is(to.heard.filter(({ told }) => told.id === kept.id).length, 1)
    w.clock.pass(60_000)
    const mark = await happens(w, 'mark')
    w.clock.pass(1_000) // nobody watches the store that has taken its place
    await to.until(isThere(mark.id))
    assert.is(to.heard.filter(({ told }) => told.id === lost.id).length, 1)
    const listed = async () => {
      const { webhookDeliveries } = await w.answer(w.root, 'list_webhook_deliveries', { endpointId })
      return webhookDeliveries as readonly { readonly activityId: string; readonly status: string }[]
    }
    await until(async () => (await listed()).every(({ status }) => !status.endsWith('WAITING')))
    const { status } = (await listed()).find(({ activityId }) => activityId === lost.id) ?? {}
    assert.is(status, `WEBHOOK_DELIVERY_STATUS_${isHeard ? 'DELIVERED' : 'GIVEN_UP'}`)
    await w.close()
  })

it.run()
