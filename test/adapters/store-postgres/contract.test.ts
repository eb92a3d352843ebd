import { suite } from 'uvu'
import { leasesContract, readModelsContract, storeContract } from '../../../adapters/testing/index.ts'
import type { StoreUnderTest } from '../../../adapters/testing/index.ts'
import { onPostgres } from '../../postgres/on-postgres.ts'
import { keepsContract } from '../contract-page.ts'
import { beginHost, commitBytesMax, openAnywhere, openKilled } from './any-schema.ts'

const postgres: StoreUnderTest = {
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
  commitBytesMax,
  open: () => openAnywhere(),
  openCrashed: openKilled,
  openWithHost: async () => ({ ...(await openAnywhere()), begin: beginHost }),
  openNumbered: ({ position, sequence }) => openAnywhere({ firstPosition: position, firstSequence: sequence }),
}

const it = suite('PostgreSQL store: contract')

await onPostgres(it, () =>
  keepsContract(
    it,
    [...storeContract(postgres), ...readModelsContract(postgres), ...leasesContract(postgres)],
    new URL('../../../docs/reference/store-postgres.md', import.meta.url),
  ),
)

it.run()
