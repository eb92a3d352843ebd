import { suite } from 'uvu'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import {
  leasesContract,
  readModelsContract,
  sealedRowsContract,
  storeContract,
} from '../../../adapters/testing/index.ts'
import type { StoreUnderTest } from '../../../adapters/testing/index.ts'
import { keepsContract } from '../contract-page.ts'

const commitBytesMax = 1024 * 1024

const memory: StoreUnderTest = {
  name: 'the memory store',
  capabilities: {
    soleWriter: false,
    durable: false,
    remembersIds: true,
    tellsDuplicates: true,
    gaplessPositions: true,
    ordersCommits: true,
    checksWithAppend: true,
  },
  leases: true,
  sealed: true,
  commitBytesMax,
  open: async () => ({ storage: memoryStore({ commitBytesMax }) }),
  openNumbered: async ({ position, sequence }) => ({
    storage: memoryStore({ commitBytesMax, firstPosition: position, firstSequence: sequence }),
  }),
}

const it = suite('memory store: contract')

keepsContract(
  it,
  [...storeContract(memory), ...readModelsContract(memory), ...leasesContract(memory), ...sealedRowsContract(memory)],
  new URL('../../../docs/reference/store-memory.md', import.meta.url),
)

it.run()
