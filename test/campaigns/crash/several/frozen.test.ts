import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startServerProcess } from '../../../adapters/store-eventstoredb/emulator/server-process.ts'
import { rotated } from '../../rotated.ts'
import { onPostgres } from '../../../adapters/store-postgres/server/on-postgres.ts'
import { onEventStoreDb } from './eventstoredb-place.ts'
import { runFreeze, type Freeze } from './frozen.ts'
import type { Ground } from './ground.ts'
import { onPostgresServer } from './postgres-place.ts'

const it = suite('a server that stands still')

const onDatabase: readonly (readonly [Freeze['point'], string])[] = [
  ['after-lock', 'with the lock of the store in its hands'],
  ['lease-taken', 'with a lease under which it has done nothing yet'],
  ['before-renewal', 'with the lease of a projection that it was about to renew'],
  ['effect-begun', 'in an effect'],
]
/** Leases and effects are those of a database here, too. */
const onLog: readonly (readonly [Freeze['point'], string])[] = [
  ['before-append', 'with a group that it has judged by what the log was'],
  ['after-parts', 'with parts that no event names yet'],
]

const freeze = async (ground: Ground, point: Freeze['point']): Promise<void> => {
  const report = await runFreeze(ground, { seed: `freeze ${point}`, point, times: 'short' })
  assert.equal(report.violations, [])
  assert.ok(report.answered > 0 && report.answeredAfter > 0)
}

await onPostgres(it, (server) => {
  const register = rotated<Freeze['point']>(it, 'after-lock')
  for (const [point, name] of onDatabase)
    register(point, `${name} holds up nobody for longer than the timeouts, and does no harm when it goes on`, () =>
      freeze(onPostgresServer(server), point),
    )

  for (const [point, name] of onLog)
    register(point, `${name} on EventStoreDB holds up nobody, and does no harm when it goes on`, async () => {
      const log = await startServerProcess()
      try {
        await freeze(onEventStoreDb(log, server), point)
      } finally {
        await log.end()
      }
    })
})

it.run()
