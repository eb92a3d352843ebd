import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { onPostgres } from '../../postgres/on-postgres.ts'
import { proxyTo } from '../../postgres/proxy.ts'
import { runLoad } from '../load.ts'
import { randomOf } from '../random.ts'
import { foundTown } from '../town.ts'
import { startFleet } from './fleet.ts'
import { postgresPlace } from './postgres-place.ts'
import { checkedAtRest } from './round.ts'

const it = suite('servers whose connections are cut behind the commit')

const SERVERS = 3
const CLIENTS = 24
const CUTS = 12
const EVERY = 10

await onPostgres(it, (server) => {
  it('lose and double nothing, although each of them never hears of every tenth group', async () => {
    const random = randomOf('severed')
    const place = await postgresPlace(server, [foundTown(), foundTown()], random)
    let cuts = 0
    const swallows = (commit: number): boolean => {
      const isCut = commit % EVERY === 0
      if (isCut) cuts += 1
      return isCut
    }
    // Only a connection that takes the lock of the store commits groups.
    const wires = await Promise.all(
      Array.from({ length: SERVERS }, () => proxyTo(place.url, { swallows, behind: 'pg_advisory_xact_lock' })),
    )
    const fleet = startFleet({
      place,
      servers: SERVERS,
      storeOf: (n) => wires[n]?.url ?? '',
      nextLife: () => undefined,
    })
    await fleet.calm(false)
    const isOver = (): boolean => cuts >= CUTS || fleet.violations().length > 0
    await runLoad(place, { urlOf: fleet.urlOf, clients: CLIENTS, isOver }, random)
    const { violations } = await checkedAtRest(place, fleet, false)
    await fleet.close()
    assert.equal([...violations, ...fleet.violations()], [])
    assert.ok(wires.every((wire) => wire.commits() >= EVERY))
    const statuses = new Set(place.journal.answers().map(({ status }) => status))
    assert.not(statuses.has(503)) // each lost answer was asked for again, with the same ids
    for (const wire of wires) await wire.close()
    await place.close(false)
  })
})

it.run()
