import { suite } from 'uvu'
import { readModelsContract, storeContract } from '../../../adapters/testing/index.ts'
import type { StoreUnderTest } from '../../../adapters/testing/index.ts'
import { postgresServer } from '../../postgres/server.ts'
import { keepsContract } from '../contract-page.ts'
import { commitBytesMax, openAnywhere } from './any-schema.ts'

const postgres: StoreUnderTest = {
  name: 'the PostgreSQL store',
  capabilities: { soleWriter: false, durable: true, remembersIds: true },
  commitBytesMax,
  open: () => openAnywhere(),
  openNumbered: ({ position, sequence }) => openAnywhere({ firstPosition: position, firstSequence: sequence }),
}

const it = suite('PostgreSQL store: contract')
const found = await postgresServer()

if (typeof found === 'string') it.skip(`left out: ${found}`, () => {})
else
  keepsContract(
    it,
    [...storeContract(postgres), ...readModelsContract(postgres)],
    new URL('../../../docs/reference/store-postgres.md', import.meta.url),
  )

it.run()
