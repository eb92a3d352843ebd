import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { E } from '../../../core/prelude.ts'
import { parentsIn } from '../../../core/projection/parents.ts'
import { eventsBetween, READ_MAX } from '../../../core/webhooks/resending.ts'
import { recordsOf } from '../command/history.ts'
import { right, world } from '../world/world.ts'
import { happens, HOOK, hookIn, receiver, tellingWorld, type Heard } from './receiver.ts'

const it = suite('sending again')

const eventIdOf = ({ headers }: Heard): string => headers['X-Turnkey-Event-Id'] ?? ''

it('tells events again that were delivered, by their ids', async () => {
  const to = receiver()
  const w = await tellingWorld(to)
  const endpointId = await hookIn(w)
  const { id } = await happens(w, 'tag')
  await to.until((heard) => heard.some(({ told }) => told.id === id))
  const eventIds = to.heard.filter(({ told }) => told.id === id).map(eventIdOf)
  await w.done(w.root, 'resend_webhook_deliveries', { endpointId, eventIds: [...eventIds, 'unknown'] })
  await to.until((heard) => heard.filter(({ told }) => told.id === id).length === 2)
  const [first, second] = to.heard.filter(({ told }) => told.id === id)
  assert.equal(first?.body, second?.body)
  assert.is(first && eventIdOf(first), second && eventIdOf(second))
  await w.close()
})

it('tells all events of a time again that the endpoint subscribes to', async () => {
  const to = receiver()
  const w = await tellingWorld(to)
  await happens(w, 'before the endpoint')
  const endpointId = await hookIn(w)
  w.clock.pass(60_000)
  const fromMs = String(w.clock.now())
  const made = [await happens(w, 'a'), await happens(w, 'b')]
  const toMs = String(w.clock.now())
  w.clock.pass(60_000)
  const later = await happens(w, 'c')
  await w.done(w.root, 'resend_webhook_deliveries', { endpointId, fromMs, toMs })
  const times = (heard: readonly Heard[], id: string): number => heard.filter(({ told }) => told.id === id).length
  await to.until((heard) => made.every(({ id }) => times(heard, id) === 2) && times(heard, later.id) === 1)
  await w.close()
})

it('reads a bounded part of the log for a time, because all others wait', async () => {
  const w = await world()
  const endpoint = { ...{ organizationId: w.organizationId, endpointId: 'e', url: HOOK, isActive: true }, from: '1' }
  const [first] = await recordsOf(w)
  if (first === undefined) throw new Error('a log begins')
  let read = 0
  const store = {
    ...w.storage.store,
    readAll: (after: bigint, limit: number) => async () => {
      if (limit > 1) read += limit
      return E.right(Array.from({ length: limit }, (_, n) => ({ ...first, position: after + BigInt(n) + 1n })))
    },
  }
  const all = { fromMs: 0, toMs: w.clock.now() }
  const found = await eventsBetween({ store, parents: parentsIn(store) })({ ...endpoint, subscriptions: [] }, all, 2n ** 60n) // prettier-ignore
  assert.equal(right(found), [])
  assert.is(read, READ_MAX)
  await w.close()
})

it('tests an endpoint that subscribes to nothing', async () => {
  const to = receiver()
  const w = await tellingWorld(to)
  const { result } = await w.done(w.root, 'create_webhook_endpoint', {
    url: 'https://hooks.example.com/',
    name: 'mute',
  })
  const { endpointId } = result['createWebhookEndpointResult'] as { readonly endpointId: string }
  await happens(w, 'tag')
  await w.done(w.root, 'test_webhook_endpoint', { endpointId })
  await to.until((heard) => heard.length === 1)
  assert.is(to.heard[0]?.told.type, 'ACTIVITY_TYPE_TEST_WEBHOOK_ENDPOINT')
  await w.close()
})

it.run()
