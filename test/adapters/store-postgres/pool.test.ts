import { Pool, types } from 'pg'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openPostgresStore } from '../../../adapters/store-postgres/open.ts'
import { anyCommit, anyEvent, anyPart } from '../../../adapters/testing/any.ts'
import { right } from '../../../adapters/testing/expect.ts'
import { closed } from '../../../adapters/testing/store-case.ts'
import { until } from '../../until.ts'
import { onPostgres } from './server/on-postgres.ts'
import { anySchema, openIn } from './any-schema.ts'

const it = suite('PostgreSQL store: pools')
const organization = 'acme'

await onPostgres(it, ({ url, run }) => {
  /** Everything at once that a store does, many times. */
  const used = async (storage: Awaited<ReturnType<typeof openIn>>): Promise<void> => {
    const { store, readModels } = storage
    const stop = store.watch(() => undefined)
    await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const events = [anyEvent({ parts: [anyPart()], standing: { type: 'T', status: 'S' } })]
        await right(store.append([anyCommit({ organization, events })]))
        await right(store.readLog(organization, 0n, 10))
        await right(readModels.move(`p${n}`, 0n, 1n, []))
        await right(readModels.saveSnapshot({ organization: `${n}`, sequence: 1n, hash: '', version: '', parts: [] }))
        await right(store.eraseParts(organization, [{ sequence: BigInt(n + 1), name: 'request' }]))
        await right(store.activities(organization, { limit: 10 }))
        await right(store.checkWritable())
      }),
    )
    stop()
    assert.is(await right(store.lastPosition()), 20n)
  }

  it('does everything with the pool of a host that has one connection', async () => {
    const schema = anySchema()
    const pool = new Pool({ connectionString: url, max: 1 })
    const storage = await right(openPostgresStore({ pool, schema }))
    await used(storage)
    const settings = async (): Promise<readonly unknown[]> => {
      const { rows } = await pool.query<{ name: string; setting: string }>(
        `SELECT name, setting FROM pg_settings WHERE name LIKE '%timeout' AND setting <> reset_val`,
      )
      return rows
    }
    assert.equal(await settings(), [])
    await closed(storage)
    assert.equal((await pool.query('SELECT 1 AS one')).rows, [{ one: 1 }])
    await pool.end()
    await run(`DROP SCHEMA "${schema}" CASCADE`)
  })

  it('does everything with one connection of its own for reading', async () => {
    const schema = anySchema()
    const storage = await openIn({ url }, schema, { connectionsMax: 1 })
    await used(storage)
    await closed(storage)
    await run(`DROP SCHEMA "${schema}" CASCADE`)
  })

  it('reads whole numbers whatever a host makes of them', async () => {
    const schema = anySchema()
    const parser: unknown = types.getTypeParser(20)
    types.setTypeParser(20, Number)
    try {
      const pool = new Pool({ connectionString: url })
      const firstPosition = 2n ** 60n + 1n
      const storage = await right(openPostgresStore({ pool, schema, firstPosition }))
      await right(storage.store.append([anyCommit()]))
      assert.is(await right(storage.store.lastPosition()), firstPosition)
      await closed(storage)
      await pool.end()
    } finally {
      types.setTypeParser(20, parser as (text: string) => unknown) // the one that was there
    }
    await run(`DROP SCHEMA "${schema}" CASCADE`)
  })

  it('leaves no connection behind', async () => {
    const schema = anySchema()
    const named = `${url}?application_name=${encodeURIComponent(schema)}`
    const storage = await openIn({ url: named }, schema)
    await used(storage)
    const count = async () => (await run('SELECT 1 FROM pg_stat_activity WHERE application_name = $1', [schema])).length
    assert.ok((await count()) > 0)
    await closed(storage)
    await until(async () => (await count()) === 0) // the server is a little later
    await run(`DROP SCHEMA "${schema}" CASCADE`)
  })
})

it.run()
