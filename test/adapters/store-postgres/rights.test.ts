import { suite } from 'uvu'
import { administratorSql } from '../../../adapters/store-postgres/rights.ts'
import { tablesOf } from '../../../adapters/store-postgres/tables.ts'
import {
  leasesContract,
  readModelsContract,
  sealedRowsContract,
  storeContract,
} from '../../../adapters/testing/index.ts'
import { onPostgres } from './server/on-postgres.ts'
import { anySchema, openAnywhere } from './any-schema.ts'
import { underTest } from './under-test.ts'

const it = suite('PostgreSQL store: the least rights')

await onPostgres(it, ({ urlOf, run }) => {
  const user = anySchema()
  it.before(() => run(`CREATE ROLE "${user}" LOGIN PASSWORD 'a password'`).then(() => undefined))
  it.after(() => run(`DROP OWNED BY "${user}"; DROP ROLE "${user}"`).then(() => undefined))

  const { name, capabilities, commitBytesMax, leases = false, sealed = false } = underTest
  const open = async () => {
    const schema = anySchema()
    await run(administratorSql(tablesOf(schema), user))
    return openAnywhere({ url: urlOf({ user, password: 'a password' }) }, schema)
  }
  const under = { name, capabilities, commitBytesMax, leases, sealed, open }
  for (const one of [
    ...storeContract(under),
    ...readModelsContract(under),
    ...leasesContract(under),
    ...sealedRowsContract(under),
  ])
    // A copy is made by somebody who may do everything.
    if (one.leftOut === undefined && !one.tags.includes('restore')) it(`${one.number} ${one.name}`, one.run)
})

it.run()
