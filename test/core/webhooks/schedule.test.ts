import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Outcome } from '../../../core/ports/outgoing.ts'
import { dueAfter, verdictOf } from '../../../core/webhooks/schedule.ts'

const it = suite('attempts at a delivery')

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000]
const PAUSES = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, DAY, DAY]

it('follow each other in longer and longer pauses, each up to a tenth longer, for five days', () => {
  let nowMs = 0
  let tries = 0
  for (;;) {
    tries += 1
    const dueAtMs = dueAfter({ deliveryId: 'any', sinceMs: 0, tries }, nowMs, undefined)
    if (dueAtMs === undefined) break
    const pauseMs = PAUSES[tries - 1] ?? DAY
    assert.ok(dueAtMs - nowMs >= pauseMs && dueAtMs - nowMs <= 1.1 * pauseMs + 1, `attempt ${tries}`)
    nowMs = dueAtMs
  }
  assert.is(tries, 12)
  assert.ok(nowMs > 4 * DAY - 3 * HOUR && nowMs <= 5 * DAY)
})

it('wait as long as the receiver asks for, up to a day, and never shorter than otherwise', () => {
  const after = (retryAfter: string): number => dueAfter({ deliveryId: 'x', sinceMs: 0, tries: 1 }, 0, retryAfter) ?? 0
  assert.is(after('3600'), HOUR)
  assert.is(after(new Date(2 * HOUR).toUTCString()), 2 * HOUR)
  assert.is(after('999999999'), DAY)
  for (const text of ['0', '', 'soon', '-5', 'Thu, 01 Jan 1970 00:00:00 GMT'])
    assert.ok(after(text) >= 5 * SECOND && after(text) <= 6 * SECOND, text)
})

it('end with 2xx and with what will not change, and go on after what may', () => {
  const after = (status: number) => verdictOf({ _tag: 'answered', status, retryAfter: undefined })
  for (const status of [200, 204, 299]) assert.is(after(status), 'delivered')
  for (const status of [300, 301, 308, 400, 401, 404, 410, 418]) assert.is(after(status), 'given-up')
  for (const status of [408, 425, 429, 500, 502, 503, 599]) assert.is(after(status), 'again')
  for (const why of ['refused', 'no-address', 'certificate', 'connection', 'time-out'] as const)
    assert.is(verdictOf({ _tag: 'unanswered', why } satisfies Outcome), 'again')
  assert.is(verdictOf({ _tag: 'unanswered', why: 'aborted' }), 'nobody')
})

it.run()
