import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { openPostgresReadModels } from '../../../adapters/store-postgres/open-read-models.ts'
import { openPostgresStore } from '../../../adapters/store-postgres/open.ts'
import { anyCommit } from '../../../adapters/testing/any.ts'
import { failsWith, right } from '../../../adapters/testing/expect.ts'
import { leasesContract, readModelsContract, sealedRowsContract } from '../../../adapters/testing/index.ts'
import type { StoreUnderTest } from '../../../adapters/testing/index.ts'
import { closed } from '../../../adapters/testing/store-case.ts'
import type { Leases } from '../../../core/ports/leases.ts'
import { E } from '../../../core/prelude.ts'
import type { BesideLog, Storage } from '../../../core/ports/storage.ts'
import { until } from '../../until.ts'
import { onPostgres } from './server/on-postgres.ts'
import { anySchema } from './any-schema.ts'

const it = suite('PostgreSQL: read models for a log elsewhere')

await onPostgres(it, ({ url, run }) => {
  const drop = async (schema: string): Promise<void> => {
    await run(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`)
  }

  /** The log does not matter here. It is in memory, so only the read models can keep anything. */
  const openIn = async (schema: string): Promise<Storage> => ({
    store: memoryStore().store,
    ...(await right(openPostgresReadModels({ url, schema }))),
  })

  const under: StoreUnderTest = {
    name: 'PostgreSQL for read models',
    capabilities: { ...memoryStore().store.capabilities, durable: true, soleWriter: false },
    leases: true,
    sealed: true,
    commitBytesMax: 1024 * 1024,
    open: async () => {
      const schema = anySchema()
      return {
        storage: await openIn(schema),
        reopen: () => openIn(schema),
        openBeside: async () => E.right(await openIn(schema)),
        dispose: () => drop(schema),
      }
    },
  }

  const cases = [...readModelsContract(under), ...leasesContract(under), ...sealedRowsContract(under)]
  for (const { number, name, run: test, leftOut } of cases) {
    if (leftOut !== undefined) throw new Error(leftOut)
    it(`${number} ${name}`, test)
  }

  const inSchema = async (use: (schema: string) => Promise<void>): Promise<void> => {
    const schema = anySchema()
    try {
      await use(schema)
    } finally {
      await drop(schema)
    }
  }

  it('refuses a schema that has a log of its own', () =>
    inSchema(async (schema) => {
      const storage = await right(openPostgresStore({ url, schema }))
      await right(storage.store.append([anyCommit()]))
      await closed(storage)
      await failsWith('CONFIGURATION_INVALID', openPostgresReadModels({ url, schema }))
      await failsWith('CONFIGURATION_INVALID', openPostgresReadModels({ url, schema, readOnly: true }))
    }))

  it('shows several processes the same rows and leases, and tells them of moves', () =>
    inSchema(async (schema) => {
      const one = await right(openPostgresReadModels({ url, schema }))
      const two = await right(openPostgresReadModels({ url, schema }))
      const told: true[] = []
      two.readModels.watch?.(() => told.push(true))
      // A notification comes only while somebody listens, and the listening begins after `watch` has returned.
      let at = 0n
      await until(async () => {
        await right(one.readModels.move('p', at, (at += 1n), []))
        return told.length > 0
      })
      assert.ok((await right(two.readModels.checkpoint('p'))) > 0n)
      assert.is((await right(leasesOf(one).take('one', 60_000)))?.name, 'one')
      assert.is(await right(leasesOf(two).take('one', 60_000)), undefined)
      await one.readModels.close()
      await two.readModels.close()
    }))

  it('closes all connections with the read models, and refuses what comes later', () =>
    inSchema(async (schema) => {
      const name = `countersign ${schema}`
      const one = await right(
        openPostgresReadModels({ url: `${url}?application_name=${encodeURIComponent(name)}`, schema }),
      )
      await right(one.readModels.move('p', 0n, 7n, []))
      await one.readModels.close()
      await failsWith('UNAVAILABLE', one.readModels.checkpoint('p'))
      await failsWith('UNAVAILABLE', leasesOf(one).take('one', 1))
      const left = await run('SELECT pid FROM pg_stat_activity WHERE application_name = $1', [name])
      assert.equal(left, [])
    }))
})

const leasesOf = ({ leases }: BesideLog): Leases => {
  if (leases === undefined) throw new Error('PostgreSQL has leases')
  return leases
}

it.run()
