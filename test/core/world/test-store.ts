import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import type { Failure } from '../../../core/failure.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { E, type TE } from '../../../core/prelude.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { counted } from './under-way.ts'

/* Drivers are loaded only when they are asked for: many programs of the tests import `world.ts`, and with it this file. */

/** A new and empty store of the kind that COUNTERSIGN_TEST_STORE names; `memory` is the default. */
export const testStore = async (): Promise<Storage> => {
  const kind = process.env['COUNTERSIGN_TEST_STORE'] ?? 'memory'
  switch (kind) {
    case 'memory':
      return memoryStore()
    case 'sqlite':
      return inFile()
    case 'postgres':
      return inSchema()
    case 'eventstoredb':
      return onEventStoreDb()
    default:
      throw new Error(
        `COUNTERSIGN_TEST_STORE: there is no store ${kind}: there are memory, sqlite, postgres and eventstoredb`,
      )
  }
}

const inFile = async (): Promise<Storage> => {
  const { openSqliteStore } = await import('../../../adapters/store-sqlite/open.ts')
  const { path, remove } = await temporaryFolder()
  return disposing(await opened(openSqliteStore({ path: join(path, 'store.db') })), remove)
}

const inSchema = async (): Promise<Storage> => {
  const { openPostgresStore } = await import('../../../adapters/store-postgres/open.ts')
  const { postgresServer } = await import('../../adapters/store-postgres/server/server.ts')
  const server = await postgresServer()
  if (typeof server === 'string') throw new Error(server)
  const schema = `test ${randomBytes(6).toString('hex')}`
  return disposing(await opened(openPostgresStore({ url: server.url, schema })), async () => {
    await server.run(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`)
  })
}

/** The log is on the server that EVENTSTOREDB_URL names, or on an emulator; the read models are in a file. */
const onEventStoreDb = async (): Promise<Storage> => {
  const { eventStoreDbPlace } = await import('../../adapters/store-eventstoredb/emulator/place.ts')
  const { openEventStoreDbStore } = await import('../../../adapters/store-eventstoredb/open.ts')
  const { openSqliteReadModels } = await import('../../../adapters/store-sqlite/open-read-models.ts')
  const { path, remove } = await temporaryFolder()
  const { connectionString, prefix, close } = await eventStoreDbPlace()
  const { readModels, leases, sealed } = await opened(openSqliteReadModels({ path: join(path, 'read-models.db') }))
  const storage = await opened(openEventStoreDbStore({ connectionString, prefix, readModels, leases, sealed }))
  return disposing(storage, async () => {
    await readModels.close()
    await close()
    await remove()
  })
}

const opened = async <A>(opening: TE.TaskEither<Failure, A>): Promise<A> => {
  const outcome = await opening()
  if (E.isLeft(outcome)) throw new Error(outcome.left.message)
  return outcome.right
}

/** The store is removed when it is closed. */
const disposing = (storage: Storage, dispose: () => Promise<void>): Storage => {
  const { store, ...rest } = countedStorage(storage)
  const close = async (): Promise<void> => {
    await store.close()
    await dispose()
  }
  return { ...rest, store: { ...store, close } }
}

/** A storage whose calls are counted: those of a store in memory end as soon as they can, and need it not. */
export const countedStorage = ({ store, readModels, leases, sealed }: Storage): Storage => ({
  store: counted(store),
  readModels: counted(readModels),
  leases: leases && counted(leases),
  sealed: sealed && counted(sealed),
})

/** A storage that outlives the engines on it. */
export const keptOpen = ({ store, readModels, sealed }: Storage): Storage => {
  const close = (): Promise<void> => Promise.resolve()
  return { store: { ...store, close }, readModels: { ...readModels, close }, sealed }
}
