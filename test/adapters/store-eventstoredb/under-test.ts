import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { eventStoreDbCapabilities } from '../../../adapters/store-eventstoredb/event-store.ts'
import type { LogClient, StoredEvent } from '../../../adapters/store-eventstoredb/log-client.ts'
import { openOver } from '../../../adapters/store-eventstoredb/open.ts'
import type { EventStoreDbStoreOptions } from '../../../adapters/store-eventstoredb/options.ts'
import { openPostgresStore } from '../../../adapters/store-postgres/open.ts'
import { openSqliteStore } from '../../../adapters/store-sqlite/open.ts'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { right } from '../../../adapters/testing/expect.ts'
import type { OpenedStore, StoreUnderTest } from '../../../adapters/testing/index.ts'
import type { BesideLog, Storage } from '../../../core/ports/storage.ts'
import type { PostgresServer } from '../store-postgres/server/server-at.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import type { MemoryLog } from './memory-log.ts'

export const commitBytesMax = 1024 * 1024

/** The store over clients of one log each, with read models that `lend` gives. */
export const underTest = (connect: () => Promise<LogClient>, lend: () => Promise<Lender>): StoreUnderTest => ({
  name: 'the EventStoreDB store',
  capabilities: eventStoreDbCapabilities,
  leases: true,
  sealed: true,
  commitBytesMax,
  open: async () => openStores(connect, await lend()),
})

/** What a store borrows, for several handles on it: each closes a view of its own. */
export type Lender = {
  readonly borrow: () => Promise<BesideLog>
  readonly dispose: () => Promise<void>
}

/** Read models in memory that several handles share. */
export const memoryLender = (): Lender => {
  const { readModels, leases, sealed } = memoryStore()
  return {
    borrow: async () => ({ readModels: { ...readModels, close: async () => undefined }, leases, sealed }),
    dispose: () => readModels.close(),
  }
}

/** A store over a client, which can be opened several times. */
export const openStores = async (
  connect: () => Promise<LogClient>,
  lender: Lender,
  options: Partial<EventStoreDbStoreOptions> = {},
): Promise<OpenedStore> => {
  const prefix = options.prefix ?? `${randomUUID()}_`
  const openingOf = (prefix: string) => async () => {
    const borrowed = await lender.borrow()
    return openOver(connect, { connectionString: 'esdb://test', commitBytesMax, ...borrowed, ...options, prefix })()
  }
  const opening = openingOf(prefix)
  return {
    storage: await right(opening),
    reopen: () => right(opening),
    openBeside: opening,
    restore: async () => {
      const copy = `${randomUUID()}_`
      await copyStreams(await connect(), prefix, copy)
      return right(openingOf(copy))
    },
    dispose: lender.dispose,
  }
}

/** All events of streams with a prefix, written anew under another one: every position is another one then, as it may be after a restoration. */
const copyStreams = async (client: LogClient, from: string, to: string): Promise<void> => {
  const found: StoredEvent[] = []
  await new Promise<void>((resolve, reject) => {
    client.follow(
      { prefixes: [from], after: 'start' },
      { onEvents: (events) => void found.push(...events), onCaughtUp: resolve, onDropped: reject },
    )
  })
  for (const { stream, revision, id, type, data, metadata } of found) {
    const expected = revision === 0n ? 'none' : revision - 1n
    await client.append(`${to}${stream.slice(from.length)}`, expected, [{ id, type, data, metadata }])
  }
  await client.close()
}

/** Read models in an SQLite file, which one process opens: its handles share it. */
export const sqliteLender = async (): Promise<Lender> => {
  const { path, remove } = await temporaryFolder()
  const { store, readModels, leases, sealed } = await right(openSqliteStore({ path: join(path, 'read-models.db') }))
  return {
    borrow: async () => ({ readModels: { ...readModels, close: async () => undefined }, leases, sealed }),
    dispose: async () => {
      await readModels.close()
      await store.close()
      await remove()
    },
  }
}

/** Read models in a schema of PostgreSQL; each handle has connections of its own, as a process has. */
export const postgresLender = (server: PostgresServer): Lender => {
  const schema = `test ${randomUUID()}`
  return {
    borrow: async () => {
      const { store, readModels, leases, sealed } = await right(openPostgresStore({ url: server.url, schema }))
      const close = async (): Promise<void> => {
        await readModels.close()
        await store.close()
      }
      return { readModels: { ...readModels, close }, leases, sealed }
    },
    dispose: async () => void (await server.run(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`)),
  }
}

/** One handle on a log, with read models of its own unless others are given. */
export const openOn = (
  log: MemoryLog,
  options: Partial<EventStoreDbStoreOptions> = {},
  lender: Lender = memoryLender(),
): Promise<Storage> =>
  openStores(async () => log.connect(), lender, { prefix: '', ...options }).then(({ storage }) => storage)
