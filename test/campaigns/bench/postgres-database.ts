import type { Storage } from 'countersign'
import { postgresStore } from 'countersign/fp'
import { randomBytes } from 'node:crypto'
import { durableServer, type PostgresServer } from '../../adapters/store-postgres/server/server.ts'

/** A database for one measurement. */
export type Database = {
  readonly url: string
  readonly run: (sql: string) => Promise<readonly Record<string, unknown>[]>
}

/** Makes a database, and drops it after `use`; or says why there is no server. */
export const inDatabase = async <A>(use: (database: Database) => Promise<A>): Promise<A | string> => {
  const server = await durableServer()
  return typeof server === 'string' ? server : inNew(server, use)
}

const inNew = async <A>(server: PostgresServer, use: (database: Database) => Promise<A>): Promise<A> => {
  const database = `bench_${randomBytes(6).toString('hex')}`
  await server.run(`CREATE DATABASE ${database} TEMPLATE template0`)
  try {
    return await use({
      url: server.urlOf({ database }),
      run: (sql) => server.run(sql, undefined, database),
    })
  } finally {
    await server.run(`DROP DATABASE ${database} WITH (FORCE)`)
  }
}

export const openStore = async (url: string, schema: string): Promise<Storage> => {
  const opened = await postgresStore({ url, schema })()
  if (opened._tag === 'Left') throw new Error(opened.left.message)
  return opened.right
}

export const closeStore = async ({ store, readModels }: Storage): Promise<void> => {
  await readModels.close()
  await store.close()
}
