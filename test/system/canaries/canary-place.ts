import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { connectClient } from '../../../adapters/store-eventstoredb/client.ts'
import type { StoredEvent } from '../../../adapters/store-eventstoredb/log-client.ts'
import { openPostgresStore } from '../../../adapters/store-postgres/open.ts'
import { openForReading } from '../../../adapters/store-sqlite/connection.ts'
import { openSqliteReadModels } from '../../../adapters/store-sqlite/open-read-models.ts'
import { openSqliteStore } from '../../../adapters/store-sqlite/open.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { eventStoreDbPlace } from '../../adapters/store-eventstoredb/emulator/place.ts'
import { postgresServer } from '../../adapters/store-postgres/server/server.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { right } from '../../core/world/world.ts'

/** How a process opens the store: a file, a schema of a server, or a log elsewhere with its read models in a file. */
export type StoreOfCanaries =
  | { readonly path: string }
  | { readonly url: string; readonly schema: string }
  | { readonly connectionString: string; readonly prefix: string; readonly readModels: string }

/** The store into which canaries fly, and everything that it keeps. */
export type CanaryPlace = {
  readonly of: StoreOfCanaries
  /** Each value of the table of the parts, or of each other table, with the name of its table. */
  readonly values: (of: 'parts' | 'others') => Promise<readonly (readonly [table: string, value: unknown])[]>
  /** Its files, where it has some of its own. */
  readonly files: () => readonly string[]
  readonly remove: () => Promise<unknown>
}

export const openCanaries = async (of: StoreOfCanaries): Promise<Storage> => {
  if ('path' in of) return right(await openSqliteStore(of)())
  if ('url' in of) return right(await openPostgresStore(of)())
  const { openEventStoreDbStore } = await import('../../../adapters/store-eventstoredb/open.ts')
  const { connectionString, prefix } = of
  const { readModels, leases, sealed } = right(await openSqliteReadModels({ path: of.readModels })())
  return right(await openEventStoreDbStore({ connectionString, prefix, readModels, leases, sealed })())
}

/** A place of the kind that COUNTERSIGN_TEST_STORE names: a file, unless it names a server. */
export const canaryPlace = (): Promise<CanaryPlace> => {
  switch (process.env['COUNTERSIGN_TEST_STORE']) {
    case 'postgres':
      return inSchema()
    case 'eventstoredb':
      return onEventStoreDb()
    default:
      return inFile()
  }
}

const isAskedFor = { parts: '=', others: '<>' } as const

const inFile = async (): Promise<CanaryPlace> => {
  const folder = await temporaryFolder()
  const path = `${folder.path}/canaries.db`
  return {
    of: { path },
    values: (which) => Promise.resolve(valuesIn(path, which)),
    files: () => ['', '-wal', '-shm', '.lock'].map((end) => `${path}${end}`).filter(existsSync),
    remove: folder.remove,
  }
}

const valuesIn = (path: string, which: keyof typeof isAskedFor): readonly (readonly [string, unknown])[] => {
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

/** A part is a stream of its own. What an erasure has ended can be read by nobody, and leaves the server's disk when it scavenges. */
const onEventStoreDb = async (): Promise<CanaryPlace> => {
  const { connectionString, prefix, close } = await eventStoreDbPlace()
  const folder = await temporaryFolder()
  const readModels = `${folder.path}/read-models.db`
  return {
    of: { connectionString, prefix, readModels },
    values: async (which) => {
      const events = await eventsOf(connectionString, prefix)
      const found = events.flatMap(({ stream, data, metadata }) =>
        stream.startsWith(`${prefix}part-`) === (which === 'parts')
          ? [data, metadata].map((bytes) => [stream, bytes] as const)
          : [],
      )
      return which === 'parts' ? found : [...found, ...valuesIn(readModels, which)]
    },
    files: () => [], // those of the server, and one whose tables are among the values
    remove: async () => {
      await folder.remove()
      await close()
    },
  }
}

/** The events of our streams that can be read. */
const eventsOf = async (connectionString: string, prefix: string): Promise<readonly StoredEvent[]> => {
  const client = await connectClient({ connectionString })
  try {
    const streams = new Set<string>()
    const limit = 1000
    for (let from: 'start' | bigint = 'start'; ;) {
      const page = await client.readAll({ from, limit, prefixes: [prefix] })
      for (const { stream } of page) if (stream.startsWith(prefix)) streams.add(stream)
      const last = page.at(-1)?.position
      if (last === undefined || last === from) break // a page begins with the event at its position
      from = last
    }
    const events: StoredEvent[] = []
    for (const stream of streams) {
      const found = await client.readStream(stream, { from: 'start', limit: 10_000 })
      if (typeof found !== 'string') events.push(...found)
    }
    return events
  } finally {
    await client.close()
  }
}
