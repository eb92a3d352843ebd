import type { StoreUnderTest } from '../../../adapters/testing/index.ts'
import { beginHost, commitBytesMax, openAnywhere, openKilled } from './any-schema.ts'

/** The PostgreSQL store for the contract. */
export const underTest: StoreUnderTest = {
  name: 'the PostgreSQL store',
  capabilities: {
    soleWriter: false,
    durable: true,
    remembersIds: true,
    tellsDuplicates: true,
    gaplessPositions: true,
    ordersCommits: true,
    checksWithAppend: true,
  },
  leases: true,
  sealed: true,
  commitBytesMax,
  open: () => openAnywhere(),
  openCrashed: openKilled,
  openWithHost: async () => ({ ...(await openAnywhere()), begin: beginHost }),
  openNumbered: ({ position, sequence }) => openAnywhere({ firstPosition: position, firstSequence: sequence }),
}
