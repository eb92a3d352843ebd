import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { tablesOf } from '../../../../adapters/store-postgres/tables.ts'
import { lockSql } from '../../../../adapters/store-postgres/transaction.ts'
import { startEmulator } from '../../../adapters/store-eventstoredb/emulator/emulator.ts'
import { rotated } from '../../rotated.ts'
import { onPostgres } from '../../../adapters/store-postgres/server/on-postgres.ts'
import { proxyTo } from '../../../adapters/store-postgres/server/proxy.ts'
import { runLoad } from '../load.ts'
import { randomOf } from '../random.ts'
import { foundTown } from '../town.ts'
import { onEventStoreDb } from './eventstoredb-place.ts'
import { startFleet, type FleetOptions } from './fleet.ts'
import type { SeveralPlace } from './ground.ts'
import { onPostgresServer } from './postgres-place.ts'
import { checkedAtRest } from './round.ts'

const it = suite('servers whose connections are cut behind the commit')

const SERVERS = 3
const CLIENTS = 24
const CUTS = 12
const EVERY = 10

type Cutting = Pick<FleetOptions, 'storeOf'> & { readonly cuts: () => number; readonly onEnough?: () => void }

/** Lets clients work until there were enough cuts, and checks everything. */
const keepsPromises = async (
  place: SeveralPlace,
  { storeOf, cuts, onEnough = () => undefined }: Cutting,
): Promise<void> => {
  // Nobody stands still or dies, so nothing has to be taken from anybody soon: a busy machine may be slow.
  const fleet = startFleet({ place, servers: SERVERS, storeOf, times: 'usual', nextLife: () => undefined })
  await fleet.calm(false)
  const isOver = (): boolean => cuts() >= CUTS || fleet.violations().length > 0
  await runLoad(place, { urlOf: fleet.urlOf, clients: CLIENTS, isOver }, randomOf('severed'))
  onEnough()
  const { violations } = await checkedAtRest(place, fleet)
  await fleet.close()
  assert.equal([...violations, ...fleet.violations()], [])
}

await onPostgres(it, (server) => {
  const register = rotated<'PostgreSQL' | 'BatchAppend' | 'Append'>(it, 'PostgreSQL')
  register(
    'PostgreSQL',
    'lose and double nothing, although each of them never hears of every tenth group',
    async () => {
      const place = await onPostgresServer(server).place([foundTown(), foundTown()], randomOf('severed'))
      let cuts = 0
      const swallows = (commit: number): boolean => {
        const isCut = commit % EVERY === 0
        if (isCut) cuts += 1
        return isCut
      }
      // Only a connection that takes the lock of the store commits groups: a sealed row that is not heard of is not asked for again.
      const behind = lockSql(tablesOf(new URL(place.address.url).searchParams.get('schema') ?? ''))
      const wires = await Promise.all(
        Array.from({ length: SERVERS }, () => proxyTo(place.address.url, { swallows, behind })),
      )
      await keepsPromises(place, { storeOf: (n) => ({ url: wires[n]?.url ?? '' }), cuts: () => cuts })
      assert.ok(wires.every((wire) => wire.commits() >= EVERY))
      const unanswered = place.journal.answers().filter(({ status }) => status === 503)
      // Each lost answer was asked for again, with the same ids.
      assert.equal(
        unanswered.map(({ path, json }) => [path, json]),
        [],
      )
      for (const wire of wires) await wire.close()
      await place.close(false)
    },
  )

  for (const append of ['BatchAppend', 'Append'] as const)
    register(
      append,
      `lose and double nothing on EventStoreDB, which drops every tenth acknowledgement of ${append}`,
      async () => {
        const log = await startEmulator({ batchAppend: append === 'BatchAppend' })
        const place = await onEventStoreDb(log, server).place([foundTown(), foundTown()], randomOf('severed'))
        log.fault('cut-after-write', { every: EVERY, calls: ['append'] })
        await keepsPromises(place, { storeOf: () => place.address, cuts: log.hits, onEnough: log.clearFaults })
        // One connection carries many appends, and all of them wait for another one: some are given up, and said to be unknown.
        assert.ok(place.journal.answers().some(({ status, kind }) => status === 200 && kind !== 'query'))
        await place.close(false)
        await log.stop()
      },
    )
})

it.run()
