import { randomBytes } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { anyCommit, anyEvent, anyPart } from '../../../adapters/testing/any.ts'
import { right } from '../../../adapters/testing/expect.ts'
import { closed } from '../../../adapters/testing/store-case.ts'
import { until } from '../../until.ts'
import { onPostgres } from './server/on-postgres.ts'
import { anySchema, openIn } from './any-schema.ts'
import { filesOf } from './files-of.ts'

const it = suite('PostgreSQL store: erasure')
const organization = 'acme'

await onPostgres(it, (server) => {
  const { run } = server

  /** Bytes of many sizes, in rows and outside of them; each has a secret in it that cannot be packed. */
  const secrets = [20, 500, 1500, 5000, 100_000].map((size) => ({ secret: randomBytes(16), size }))

  const erased = async (erasure: 'vacuum' | 'rewrite'): Promise<string> => {
    const schema = anySchema()
    const storage = await openIn(server, schema, { erasure })
    const parts = secrets.map(({ secret, size }, n) =>
      anyPart({ name: `personal:${n}`, bytes: Buffer.concat([secret, randomBytes(size)]) }),
    )
    const events = [anyEvent({ parts }), anyEvent({ parts: [anyPart()] })]
    await right(storage.store.append([anyCommit({ organization, events })]))
    const before = await filesOf(server, `"${schema}".parts`)
    if (before !== undefined) assert.ok(secrets.every(({ secret }) => before.includes(secret)))
    await right(
      storage.store.eraseParts(
        organization,
        parts.map(({ name }) => ({ sequence: 1n, name })),
      ),
    )
    assert.equal(
      (await right(storage.store.readLog(organization, 0n, 9))).map((event) => event.parts.length),
      [0, 1],
    )
    await closed(storage)
    return schema
  }

  it('lets the server throw away the rows of erased parts before it answers', async () => {
    const schema = await erased('vacuum')
    const times = async (): Promise<number> => {
      const [row] = await run(`SELECT pg_stat_get_vacuum_count('"${schema}".parts'::regclass)::int AS times`)
      return Number(row?.['times'])
    }
    await until(async () => (await times()) > 0) // it is told a little later
    await run(`DROP SCHEMA "${schema}" CASCADE`)
  })

  it('leaves none of the bytes in the files of the table, if it is to write it anew', async () => {
    const schema = await erased('rewrite')
    const after = await filesOf(server, `"${schema}".parts`)
    if (after !== undefined) assert.not.ok(secrets.some(({ secret }) => after.includes(secret)))
    await run(`DROP SCHEMA "${schema}" CASCADE`)
  })

  it('leaves none of the bytes of a dropped snapshot in the files, if it is to write them anew', async () => {
    const schema = anySchema()
    const storage = await openIn(server, schema, { erasure: 'rewrite' })
    const parts = secrets.map(({ secret, size }, n) => ({
      name: `${n}`,
      version: 1,
      bytes: Buffer.concat([secret, randomBytes(size)]),
    }))
    const snapshot = { organization, sequence: 1n, hash: 'a', version: 'v', parts }
    await right(storage.readModels.saveSnapshot(snapshot))
    await right(storage.readModels.saveSnapshot({ ...snapshot, parts: [] }))
    await right(storage.readModels.dropSnapshot(organization))
    const after = await filesOf(server, `"${schema}".snapshot_parts`)
    if (after !== undefined) assert.not.ok(secrets.some(({ secret }) => after.includes(secret)))
    await closed(storage)
    await run(`DROP SCHEMA "${schema}" CASCADE`)
  })
})

it.run()
