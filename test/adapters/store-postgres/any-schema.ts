import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { openPostgresStore } from '../../../adapters/store-postgres/open.ts'
import type { PostgresStoreOptions } from '../../../adapters/store-postgres/settings.ts'
import type { HostTransaction, OpenedStore } from '../../../adapters/testing/index.ts'
import { right } from '../../../adapters/testing/expect.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { postgresServer, type PostgresServer } from './server/server.ts'

export const commitBytesMax = 1024 * 1024

/** The server, for tests that run only if there is one. */
export const server = async (): Promise<PostgresServer> => {
  const found = await postgresServer()
  if (typeof found === 'string') throw new Error(found)
  return found
}

export const anySchema = (): string => `test ${randomBytes(6).toString('hex')}`

export const openIn = (
  { url }: Pick<PostgresServer, 'url'>,
  schema: string,
  options: Partial<PostgresStoreOptions> = {},
): Promise<Storage> => right(openPostgresStore({ url, schema, commitBytesMax, ...options }))

/** A store in a schema of its own, which is removed at the end. */
export const openAnywhere = async (
  options: Partial<PostgresStoreOptions> = {},
  schema: string = anySchema(),
): Promise<OpenedStore & { readonly schema: string }> => {
  const on = await server()
  const opening = openPostgresStore({ url: on.url, schema, commitBytesMax, ...options })
  return {
    schema,
    storage: await right(opening),
    reopen: () => right(opening),
    openBeside: opening,
    restore: () => restored(on, schema),
    dispose: async () => {
      await on.run(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`)
      await on.run(`DROP DATABASE IF EXISTS "${schema}"`)
    },
  }
}

const ACKNOWLEDGED = 200

/** A store that a process of its own was writing when it was killed. */
export const openKilled = async (): Promise<OpenedStore & { readonly acknowledged: readonly string[] }> => {
  const { url } = await server()
  const schema = anySchema()
  const file = fileURLToPath(new URL('./child-writer.ts', import.meta.url))
  const writer = spawn(process.execPath, ['--import', 'tsx', file, url, schema], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const acknowledged: string[] = []
  const lines = createInterface(writer.stdout)
  lines.on('line', (line) => {
    if (acknowledged.push(line) === ACKNOWLEDGED) writer.kill('SIGKILL')
  })
  await Promise.all([once(writer, 'exit'), once(lines, 'close')])
  return { ...(await openAnywhere({}, schema)), acknowledged }
}

/** A transaction of a host: it has written something of its own, and so has a transaction id. */
export const beginHost = async (): Promise<HostTransaction> => {
  const client = new Client({ connectionString: (await server()).url })
  client.on('error', () => {})
  await client.connect()
  await client.query('BEGIN; CREATE TEMPORARY TABLE of_the_host (a int); SELECT pg_current_xact_id()')
  return {
    commit: async () => {
      await client.query('COMMIT')
      await client.end()
    },
  }
}

/** Reads every row of the store as text, and writes it into a new database: what a dump and its restoration do. */
const restored = async (on: PostgresServer, schema: string): Promise<Storage> => {
  await on.run(`CREATE DATABASE "${schema}" TEMPLATE template0`)
  const opening = openPostgresStore({ url: on.urlOf({ database: schema }), schema, commitBytesMax })
  const { store, readModels } = await right(opening)
  await readModels.close()
  await store.close()
  const tables = await on.run('SELECT tablename FROM pg_tables WHERE schemaname = $1', [schema])
  for (const { tablename } of tables) {
    const table = `"${schema}".${String(tablename)}`
    const rows = await on.run(`SELECT t::text AS row FROM ${table} t`)
    await on.run(`DELETE FROM ${table}`, undefined, schema)
    await on.run(
      `INSERT INTO ${table} SELECT (row::${table}).* FROM unnest($1::text[]) row`,
      [rows.map(({ row }) => row)],
      schema,
    )
  }
  return right(opening)
}
