import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Outcome, Outgoing } from '../../../core/ports/outgoing.ts'
import { E } from '../../../core/prelude.ts'
import { heldForEver } from '../../../core/leasing/leasing.ts'
import { FAILURES_MAX } from '../../../core/webhooks/lane.ts'
import type { EndpointRow, QueuedAt } from '../../../core/webhooks/rows.ts'
import { sender } from '../../../core/webhooks/sender.ts'
import { quiet, until } from '../world/under-way.ts'
import { testClock } from '../world/world.ts'
import { answered } from './receiver.ts'

const it = suite('the sender of webhooks, where endpoints hang or fail all the time')

const PLACES = 256
const clock = testClock()
const timedOut: Outcome = { _tag: 'unanswered', why: 'time-out' }

const queued = (n: number): QueuedAt => ({
  ...{ organizationId: 'o', activityId: `activity ${n}`, revision: '1', deliveryId: `d${n}`, eventId: `e${n}` },
  ...{ position: String(n), sinceMs: clock.now(), tries: 0, dueAtMs: 0, order: BigInt(n) },
})

const endpoint = (endpointId: string, n: number): EndpointRow => ({
  ...{ organizationId: 'o', endpointId, url: endpointId, isActive: true, subscriptions: [], from: String(n) },
})

/** A sender over queues that are full from the start, and one of a good endpoint. */
const sending = (bad: number, deliveries: number, answer: (url: string) => Outcome | undefined) => {
  const endpoints = Array.from({ length: bad }, (_, n) => endpoint(`bad ${n}`, n + 1))
  const queues = new Map(endpoints.map(({ endpointId }) => [endpointId, Array.from({ length: deliveries }, (_, n) => queued(n))])) // prettier-ignore
  const hanging: ((outcome: Outcome) => void)[] = []
  const tried: string[] = []
  const outgoing: Pick<Outgoing, 'post'> = {
    post: async ({ url }) => {
      tried.push(url)
      return answer(url) ?? new Promise((resolve) => hanging.push(resolve))
    },
  }
  const made = { headers: {}, body: new Uint8Array() }
  const started = sender({
    clock,
    outgoing,
    rows: {
      allEndpoints: async (after) => E.right(after === undefined ? endpoints : []),
      queue: async (endpointId, after = -1n) =>
        E.right((queues.get(endpointId) ?? []).filter(({ order }) => order > after)),
      delivery: async () => E.right(undefined),
    },
    notice: () => undefined,
    tell: (_, thrown) => {
      throw thrown
    },
    held: () => heldForEver,
    write: async () => E.right(undefined),
    endpointOf: async ({ endpointId }) => E.right(endpoint(endpointId, 0)),
    make: async () => E.right(made),
    onEnded: () => undefined,
  })
  started.queued([])
  return {
    tried,
    hanging,
    queuesGood: () => {
      queues.set('good', [queued(0)])
      started.queued([endpoint('good', bad + 1)])
    },
    queuesBad: () => {
      for (const one of queues.values()) one.push(queued(one.length))
      started.queued(endpoints)
    },
    close: async () => {
      const closed = started.close()
      for (const end of hanging) end(timedOut)
      await closed
    },
  }
}

it('gives a place that gets free to an endpoint that has none', async () => {
  const { tried, hanging, queuesGood, close } = sending(40, 10, (url) => (url === 'good' ? answered(200) : undefined))
  await until(() => hanging.length === PLACES)
  queuesGood()
  await new Promise((resolve) => setImmediate(resolve)) // it reads the queue
  hanging.shift()?.(timedOut)
  await until(() => tried.length > PLACES)
  assert.is(tried[PLACES], 'good')
  await close()
})

it('keeps half of all places free of those that have failed often in a row', async () => {
  let hangs = false
  const { tried, hanging, queuesGood, queuesBad, close } = sending(300, FAILURES_MAX, (url) => {
    if (url === 'good') return answered(200)
    return hangs ? undefined : answered(503)
  })
  await until(() => tried.length === 300 * FAILURES_MAX)
  await quiet()
  hangs = true
  queuesBad()
  await until(() => hanging.length >= PLACES / 2)
  queuesGood()
  await until(() => tried.includes('good'))
  assert.is(hanging.length, PLACES / 2)
  await close()
})

it.run()
