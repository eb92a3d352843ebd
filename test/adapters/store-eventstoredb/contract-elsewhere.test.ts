import { suite } from 'uvu'
import { connectClient } from '../../../adapters/store-eventstoredb/client.ts'
import {
  leasesContract,
  readModelsContract,
  sealedRowsContract,
  storeContract,
} from '../../../adapters/testing/index.ts'
import { startEmulator } from './emulator/emulator.ts'
import { onPostgres } from '../store-postgres/server/on-postgres.ts'
import type { PostgresServer } from '../store-postgres/server/server.ts'
import { memoryLog } from './memory-log.ts'
import { memoryLender, postgresLender, underTest } from './under-test.ts'

const inMemory = suite('EventStoreDB store: contract, over a client in memory')

const log = memoryLog()
const quick = underTest(
  async () => log.connect(),
  async () => memoryLender(),
)
for (const { number, name, run } of [...storeContract(quick), ...leasesContract(quick), ...sealedRowsContract(quick)])
  inMemory(`${number} ${name}`, run)

inMemory.run()

const withPostgres = suite('EventStoreDB store: contract, on the emulator with PostgreSQL')

const registerOn = (server: PostgresServer): void => {
  const emulator = startEmulator()
  const connect = async () => connectClient({ connectionString: (await emulator).connectionString })
  const under = underTest(connect, async () => postgresLender(server))
  for (const { number, name, run } of [
    ...storeContract(under),
    ...readModelsContract(under),
    ...sealedRowsContract(under),
  ])
    withPostgres(`${number} ${name}`, run)
  withPostgres.after(async () => (await emulator).stop())
}

// It takes a minute or two, and is run with the other suites on PostgreSQL.
if (process.env['COUNTERSIGN_TEST_STORE'] === 'postgres') await onPostgres(withPostgres, registerOn)
else withPostgres.skip('COUNTERSIGN_TEST_STORE is not postgres', () => undefined)

withPostgres.run()

const { EVENTSTOREDB_URL: connectionString } = process.env
const onServer = suite('EventStoreDB store: contract, on a real server')

if (connectionString === undefined || connectionString === '') {
  onServer.skip('EVENTSTOREDB_URL names no server', () => undefined)
  console.log('Tests on a real EventStoreDB are left out: EVENTSTOREDB_URL names none')
} else {
  const under = underTest(
    () => connectClient({ connectionString }),
    async () => memoryLender(),
  )
  for (const { number, name, run } of storeContract(under)) onServer(`${number} ${name}`, run)
}

onServer.run()
