import { suite } from 'uvu'
import {
  leasesContract,
  readModelsContract,
  sealedRowsContract,
  storeContract,
} from '../../../adapters/testing/index.ts'
import { onPostgres } from './server/on-postgres.ts'
import { keepsContract } from '../contract-page.ts'
import { underTest } from './under-test.ts'

const it = suite('PostgreSQL store: contract')

await onPostgres(it, () =>
  keepsContract(
    it,
    [
      ...storeContract(underTest),
      ...readModelsContract(underTest),
      ...leasesContract(underTest),
      ...sealedRowsContract(underTest),
    ],
    new URL('../../../docs/reference/store-postgres.md', import.meta.url),
  ),
)

it.run()
