import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { overload } from './overload.ts'

const it = suite('overload')

it('accepts or refuses each of too many requests, keeps what it accepted and nothing else, and recovers', async () => {
  const pace = { forMs: 2000, bestForMs: 1000, times: 4, waitForTurnMaxMs: 20 }
  const report = await overload({ ...pace, organizations: 5, connections: 16, seed: 1 })
  assert.equal([...report.statuses.keys()], [200])
  assert.equal(report.wrong, [])
  assert.ok(report.flooded.refusals.length > 0)
  assert.is(report.flooded.withoutRetryAfter, 0)
  assert.is(report.events.found, report.events.expected)
  assert.ok(Number.isFinite(report.recoveryMs))
})

it.run()
