import { suite } from 'uvu'
import { eventStoreDbCapabilities } from '../../../adapters/store-eventstoredb/event-store.ts'
import { leasesContract, readModelsContract, storeContract } from '../../../adapters/testing/index.ts'
import type { StoreUnderTest } from '../../../adapters/testing/index.ts'
import { keepsContract } from '../contract-page.ts'
import { commitBytesMax, openInMemory } from './under-test.ts'

const inMemory: StoreUnderTest = {
  name: 'the EventStoreDB store',
  capabilities: eventStoreDbCapabilities,
  leases: true,
  commitBytesMax,
  open: () => openInMemory(),
}

const it = suite('EventStoreDB store: contract, over a client in memory')

keepsContract(
  it,
  [...storeContract(inMemory), ...readModelsContract(inMemory), ...leasesContract(inMemory)],
  new URL('../../../docs/reference/store-eventstoredb.md', import.meta.url),
)

it.run()
