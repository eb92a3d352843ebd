/** A store in one SQLite file: durable, for one writing process and any number of reading ones. */
import { run } from '../../core/countersign-error.ts'
import { openSqliteReadModels, type SqliteReadModels, type SqliteReadModelsOptions } from './open-read-models.ts'
import { openSqliteStore, type SqliteStorage, type SqliteStoreOptions } from './open.ts'

/**
 * Opens the store in a file, and makes this process its only writer unless `readOnly`.
 *
 * @returns rejects with a `CountersignError` that names the file: `STORE_LOCKED` if another process writes to it, or this very one;
 *   `STORE_UNREADABLE` if the file is not, and cannot become, a store. After a failure, no new files are left behind
 * @example const engine = await createEngine({ store: sqliteStore({ path: 'activities.db' }) })
 * @see docs/reference/store-sqlite.md
 */
export const sqliteStore = (options: SqliteStoreOptions): Promise<SqliteStorage> => run(openSqliteStore(options))

/**
 * Opens read models in a file, for a log that is kept elsewhere, such as on EventStoreDB. One process can use them at a time, so the leases are
 * those of this process alone. The file is that of an ordinary store, and the tables of its log stay empty: they cost some kilobytes.
 *
 * @returns rejects with a `CountersignError` as `sqliteStore` does, and with `CONFIGURATION_INVALID` if the file has a log of its own
 * @example const { readModels, leases } = await sqliteReadModels({ path: 'read-models.db' })
 * @see docs/reference/store-sqlite.md
 */
export const sqliteReadModels = (options: SqliteReadModelsOptions): Promise<SqliteReadModels> =>
  run(openSqliteReadModels(options))

export type { SqliteReadModels, SqliteReadModelsOptions } from './open-read-models.ts'
export type { SqliteStorage, SqliteStoreOptions } from './open.ts'
export type { Discard } from './requests.ts'
