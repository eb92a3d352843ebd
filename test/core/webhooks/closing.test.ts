import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { webhooks } from '../../../adapters/outgoing/index.ts'
import type { EngineOptions } from '../../../core/engine.ts'
import { hookReceiver, type HookReceiver } from '../../adapters/cli/hook-receiver.ts'
import { until } from '../../until.ts'
import { secondProcess } from '../command/second-process.ts'
import { testKeyring } from '../world/keyring.ts'
import { keptOpen, testStore } from '../world/test-store.ts'
import { placeIn, world } from '../world/world.ts'
import { happens, hookIn, LEASE_MS } from './receiver.ts'

const it = suite('an engine that is closed while endpoints are told')

const bodies = ({ heard }: HookReceiver, ids: ReadonlySet<unknown>): readonly string[] =>
  heard.filter(({ told }) => ids.has(told.id)).map(({ body }) => body).toSorted() // prettier-ignore

it('closes where a receiver never answers, and the next one tells the same again', async () => {
  const storage = await testStore()
  let isDeaf = false
  const to = await hookReceiver(() => (isDeaf ? undefined : 204))
  const telling: Partial<EngineOptions> = { webhooks: webhooks({ allowPrivateNetwork: true }) }
  const w = await world({ store: keptOpen(storage), leaseMs: LEASE_MS, ...telling })
  await hookIn(w, { url: to.url })
  await until(() => to.heard.length === 1)
  isDeaf = true
  const made = await Promise.all(['one', 'two', 'three'].map((name) => happens(w, name)))
  const ids = new Set<unknown>(made.map(({ id }) => id))
  await until(() => to.heard.length === 1 + made.length)
  await w.close()
  const before = bodies(to, ids)

  isDeaf = false
  const keyring = testKeyring(storage)
  const again = { webhooks: webhooks({ allowPrivateNetwork: true }), ports: { keyring } }
  const engine = await secondProcess({ storage: keptOpen(storage), clock: w.clock }, again)
  await until(() => bodies(to, ids).length === 2 * made.length)
  assert.equal(bodies(to, ids), [...before, ...before].toSorted())
  const eventIds = to.heard.map(({ headers }) => headers['x-turnkey-event-id'])
  assert.is(new Set(eventIds).size, 1 + made.length)
  const { id } = await happens(placeIn({ engine, clock: w.clock }, w.organizationId, w.root), 'four')
  await until(() => to.heard.some(({ told }) => told.id === id))
  await engine.close()
  await keyring.close()
  await storage.readModels.close()
  await storage.store.close()
  await to.close()
})

it.run()
