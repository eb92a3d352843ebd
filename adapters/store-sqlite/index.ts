/** A store in one SQLite file: durable, for one writing process and any number of reading ones. */
import { run } from '../../core/countersign-error.ts'
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

export type { SqliteStorage, SqliteStoreOptions } from './open.ts'
export type { Discard } from './requests.ts'
