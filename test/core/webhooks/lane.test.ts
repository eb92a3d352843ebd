import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { E } from '../../../core/prelude.ts'
import { FAILURES_MAX, lane } from '../../../core/webhooks/lane.ts'
import type { QueuedAt } from '../../../core/webhooks/rows.ts'
import { right } from '../world/world.ts'

const it = suite('what waits for one endpoint')

const queued = (n: number, activityId = `activity ${n}`): QueuedAt => ({
  ...{ organizationId: 'o', activityId, revision: '1', deliveryId: `d${n}`, eventId: `e${n}`, position: String(n) },
  ...{ sinceMs: 0, tries: 0, dueAtMs: 0, order: BigInt(n) },
})

/** A lane over rows, which are read in pages. */
const over = (rows: readonly QueuedAt[]) =>
  lane(
    {
      queue: async (_, after = -1n, limit) => E.right(rows.filter(({ order }) => order > after).slice(0, limit)),
    },
    { organizationId: 'o', endpointId: 'x' },
  )

it('is taken in order, eight at a time, and one of each activity', async () => {
  const rows = [queued(1, 'a'), queued(2, 'a'), ...Array.from({ length: 12 }, (_, n) => queued(n + 3))]
  const one = over(rows)
  right(await one.load())
  const taken = Array.from({ length: 10 }, () => one.take(0)?.deliveryId)
  assert.equal(taken, ['d1', 'd3', 'd4', 'd5', 'd6', 'd7', 'd8', 'd9', undefined, undefined])
  one.ended(queued(1, 'a'), undefined)
  assert.is(one.take(0)?.deliveryId, 'd2')
})

it('holds back its own activity only, where one waits for its next attempt', async () => {
  const one = over([queued(1, 'a'), queued(2, 'a'), queued(3, 'b')])
  right(await one.load())
  const first = one.take(0)
  if (first !== undefined) one.ended(first, { ...first, dueAtMs: 5_000 })
  assert.is(one.take(0)?.deliveryId, 'd3')
  assert.is(one.take(4_999), undefined)
  assert.is(one.dueAtMs(), 5_000)
  assert.is(one.take(5_000)?.deliveryId, 'd1')
})

it('is tried one at a time after twenty failures in a row, until something is taken', async () => {
  const one = over(Array.from({ length: 30 }, (_, n) => queued(n)))
  right(await one.load())
  for (let n = 0; n < FAILURES_MAX; n += 1) one.heard(false)
  const first = one.take(0)
  assert.is(one.take(0), undefined)
  if (first !== undefined) one.ended(first, undefined)
  one.heard(true)
  assert.ok(one.take(0) !== undefined && one.take(0) !== undefined)
})

it('is read page by page, and may be read on while it is taken', async () => {
  const one = over(Array.from({ length: 1_200 }, (_, n) => queued(n)))
  const seen: string[] = []
  while (one.mayLoad() || !one.isEmpty()) {
    if (one.mayLoad()) right(await one.load())
    for (let next = one.take(0); next !== undefined; next = one.take(0)) {
      seen.push(next.deliveryId)
      one.ended(next, undefined)
    }
  }
  assert.is(new Set(seen).size, 1_200)
  assert.is(seen.length, 1_200)
})

it('does not bring back what ended while a page was read', async () => {
  let read = (): void => undefined
  const row = queued(1)
  const one = lane(
    {
      queue: async () => {
        const rows = [row]
        await new Promise<void>((resolve) => (read = resolve))
        return E.right(rows)
      },
    },
    { organizationId: 'o', endpointId: 'x' },
  )
  const first = one.load()
  read()
  right(await first)
  const taken = one.take(0)
  one.more(true)
  const again = one.load()
  if (taken !== undefined) one.ended(taken, undefined)
  read()
  right(await again)
  assert.is(one.take(0), undefined)
})

it.run()
