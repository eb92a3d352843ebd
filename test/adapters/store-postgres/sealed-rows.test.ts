import { randomBytes } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failsWith, right, same } from '../../../adapters/testing/expect.ts'
import { closed } from '../../../adapters/testing/store-case.ts'
import type { PostgresStoreOptions } from '../../../adapters/store-postgres/settings.ts'
import type { SealedRow } from '../../../core/ports/sealed-rows.ts'
import { until } from '../../until.ts'
import { anySchema, openIn } from './any-schema.ts'
import { filesOf } from './files-of.ts'
import { onPostgres } from './server/on-postgres.ts'
import { sealedOf } from '../../sealed-of.ts'

const it = suite('PostgreSQL store: sealed rows')

/** A row with a secret that cannot be packed, in the table itself or outside of it. */
const anyRow = (id: string, size: number): SealedRow => ({
  ...{ organization: 'acme', id, kind: 'wallet' },
  dataKey: randomBytes(40).toString('base64'),
  bytes: randomBytes(size),
})
const secretsOf = ({ dataKey, bytes }: SealedRow): readonly Buffer[] => [
  Buffer.from(dataKey),
  Buffer.from(bytes.subarray(0, 16)),
]

await onPostgres(it, (server) => {
  const { run } = server

  const open = async (schema: string, options: Partial<PostgresStoreOptions> = {}) => {
    const storage = await openIn(server, schema, options)
    return { storage, sealed: sealedOf(storage), schema }
  }
  const inSchema = async (use: (schema: string) => Promise<void>): Promise<void> => {
    const schema = anySchema()
    try {
      await use(schema)
    } finally {
      await run(`DROP SCHEMA "${schema}" CASCADE`)
    }
  }

  it('leave none of their bytes in the files of the table, if it is to be written anew, nor of what they were before', () =>
    inSchema(async (schema) => {
      const { storage, sealed } = await open(schema, { erasure: 'rewrite' })
      const found = async (rows: readonly SealedRow[]): Promise<number | undefined> => {
        const files = await filesOf(server, `"${schema}".sealed`)
        return files && rows.flatMap(secretsOf).filter((secret) => files.includes(secret)).length
      }
      const sizes = [20, 150, 1_500, 5_000, 100_000]
      const before = sizes.map((size) => anyRow(`${size}`, size))
      const after = sizes.map((size) => anyRow(`${size}`, size + 7))
      for (const row of before) await right(sealed.put(row))
      const other = { ...anyRow('kept', 150), organization: 'other' }
      await right(sealed.put(other))
      for (const [n, row] of before.entries()) assert.ok(await right(sealed.replace(row, after[n] ?? row)))
      const there = await found([...after, other])
      if (there !== undefined) assert.is(there, 2 * after.length + 2)

      const [first, second, ...rest] = after
      for (const row of [first, second]) await right(sealed.delete(row ?? other))
      if (there !== undefined) assert.is(await found([...before, ...after.slice(0, 2)]), 0)
      await right(sealed.deleteAll('acme'))
      if (there !== undefined) assert.equal([await found(rest), await found([other])], [0, 2])
      await closed(storage)
    }))

  it('are thrown away by the server before it is told that they are deleted', () =>
    inSchema(async (schema) => {
      const { storage, sealed } = await open(schema)
      await right(sealed.put(anyRow('a', 150)))
      const times = async (): Promise<number> => {
        const [row] = await run(`SELECT pg_stat_get_vacuum_count('"${schema}".sealed'::regclass)::int AS times`)
        return Number(row?.['times'])
      }
      await right(sealed.delete({ organization: 'acme', id: 'a' }))
      await until(async () => (await times()) > 0) // it is told a little later
      await right(sealed.deleteAll('acme'))
      await until(async () => (await times()) > 1)
      await closed(storage)
    }))

  it('are read, and not written, by a store that is open for reading only', () =>
    inSchema(async (schema) => {
      const writing = await open(schema)
      const [row, other] = [anyRow('a', 9), anyRow('b', 9)]
      await right(writing.sealed.put(row))
      const { storage, sealed } = await open(schema, { readOnly: true })
      same(await right(sealed.get(row)), row)
      for (const refused of [
        sealed.put(other),
        sealed.replace(row, other),
        sealed.delete(row),
        sealed.deleteAll('acme'),
      ])
        await failsWith('CONFIGURATION_INVALID', refused)
      same(await right(sealed.list(undefined, 9)), [row])
      await closed(storage)
      await closed(writing.storage)
    }))
})

it.run()
