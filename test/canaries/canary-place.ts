import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { openPostgresStore } from '../../adapters/store-postgres/open.ts'
import { openForReading } from '../../adapters/store-sqlite/connection.ts'
import { openSqliteStore } from '../../adapters/store-sqlite/open.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { postgresServer } from '../postgres/server.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { right } from '../world.ts'

/** How a process opens the store: a file, or a schema of a server. */
export type StoreOfCanaries = { readonly path: string } | { readonly url: string; readonly schema: string }

/** The store into which canaries fly, and everything that it keeps. */
export type CanaryPlace = {
  readonly of: StoreOfCanaries
  /** Each value of the table of the parts, or of each other table, with the name of its table. */
  readonly values: (of: 'parts' | 'others') => Promise<readonly (readonly [table: string, value: unknown])[]>
  /** Its files, where it has some of its own. */
  readonly files: () => readonly string[]
  readonly remove: () => Promise<unknown>
}

export const openCanaries = async (of: StoreOfCanaries): Promise<Storage> =>
  right(await ('path' in of ? openSqliteStore(of) : openPostgresStore(of))())

/** A place of the kind that COUNTERSIGN_TEST_STORE names: a file, unless it names PostgreSQL. */
export const canaryPlace = (): Promise<CanaryPlace> =>
  process.env['COUNTERSIGN_TEST_STORE'] === 'postgres' ? inSchema() : inFile()

const isAskedFor = { parts: '=', others: '<>' } as const

const inFile = async (): Promise<CanaryPlace> => {
  const folder = await temporaryFolder()
  const path = `${folder.path}/canaries.db`
  return {
    of: { path },
    values: async (which) => {
      const db = openForReading(path)
      try {
        const tables = db
          .query(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name ${isAskedFor[which]} 'parts'`)
          .all([])
        return tables.flatMap(([table]) =>
          db
            .query(`SELECT * FROM ${String(table)}`)
            .all([])
            .flatMap((row) => row.map((value) => [String(table), value] as const)),
        )
      } finally {
        db.close()
      }
    },
    files: () => ['', '-wal', '-shm', '.lock'].map((end) => `${path}${end}`).filter(existsSync),
    remove: folder.remove,
  }
}

const inSchema = async (): Promise<CanaryPlace> => {
  const server = await postgresServer()
  if (typeof server === 'string') throw new Error(server)
  const schema = `canaries ${randomBytes(6).toString('hex')}`
  return {
    of: { url: server.url, schema },
    values: async (which) => {
      const names = await server.run(
        `SELECT table_name FROM information_schema.tables WHERE table_schema = $1 AND table_name ${isAskedFor[which]} 'parts'`,
        [schema],
      )
      const found: (readonly [string, unknown])[] = []
      for (const { table_name: table } of names)
        for (const row of await server.run(`SELECT * FROM "${schema}"."${String(table)}"`))
          for (const value of Object.values(row)) found.push([String(table), value])
      return found
    },
    files: () => [], // those of the server hold other stores, too, and its log of writes keeps for a while what was erased
    remove: () => server.run(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`),
  }
}
