import { suite } from 'uvu'
import { connectClient } from '../../../adapters/store-eventstoredb/client.ts'
import { eventStoreDbCapabilities } from '../../../adapters/store-eventstoredb/event-store.ts'
import { storeContract } from '../../../adapters/testing/index.ts'
import type { StoreUnderTest } from '../../../adapters/testing/index.ts'
import { startEmulator } from '../../eventstoredb/emulator.ts'
import { commitBytesMax, memoryLender, openStores } from './under-test.ts'

const { EVENTSTOREDB_URL } = process.env

const on = (name: string, connectionString: string): StoreUnderTest => ({
  name,
  capabilities: eventStoreDbCapabilities,
  leases: true,
  commitBytesMax,
  open: () => openStores(() => connectClient({ connectionString }), memoryLender()),
})

const emulator = await startEmulator()
const it = suite('EventStoreDB store: contract, on servers')

const servers = [on('the emulator', emulator.connectionString)]
if (EVENTSTOREDB_URL !== undefined) servers.push(on('the server', EVENTSTOREDB_URL))
for (const server of servers)
  for (const { number, name, run } of storeContract(server)) it(`${server.name}: ${number} ${name}`, run)

it.after(() => emulator.stop())

it.run()
