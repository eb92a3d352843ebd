import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { onPostgres } from '../../postgres/on-postgres.ts'
import { runFreeze, type Freeze } from './frozen.ts'

const it = suite('a server that stands still')

const places: readonly (readonly [Freeze['point'], string])[] = [
  ['after-lock', 'with the lock of the store in its hands'],
  ['lease-taken', 'with a lease under which it has done nothing yet'],
  ['before-renewal', 'with the lease of a projection that it was about to renew'],
  ['effect-begun', 'in an effect'],
]

await onPostgres(it, (server) => {
  for (const [point, name] of places)
    it(`${name} holds up nobody for longer than the timeouts, and does no harm when it goes on`, async () => {
      const report = await runFreeze(server, { seed: `freeze ${point}`, point, times: 'short', frozenMs: 0 })
      assert.equal(report.violations, [])
      assert.ok(report.answered > 0 && report.answeredAfter > 0)
      assert.ok(report.isTakenOver)
    })
})

it.run()
