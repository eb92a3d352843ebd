import { suite } from 'uvu'
import {
  leasesContract,
  readModelsContract,
  sealedRowsContract,
  storeContract,
} from '../../../adapters/testing/index.ts'
import { startEmulator } from './emulator/emulator.ts'
import { keepsContract } from '../contract-page.ts'
import { openKilled } from './killed.ts'
import { pooledClients } from './pooled-clients.ts'
import { sqliteLender, underTest } from './under-test.ts'

const it = suite('EventStoreDB store: contract, on the emulator with SQLite')

const { connectionString, stop } = await startEmulator()
const clients = pooledClients({ connectionString })
const under = {
  ...underTest(clients.connect, sqliteLender),
  openCrashed: openKilled,
}

keepsContract(
  it,
  [...storeContract(under), ...readModelsContract(under), ...leasesContract(under), ...sealedRowsContract(under)],
  new URL('../../../docs/reference/store-eventstoredb.md', import.meta.url),
)

it.after(async () => {
  await clients.close()
  await stop()
})

it.run()
