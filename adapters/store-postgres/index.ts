/** A store in a schema of a PostgreSQL database: durable, for any number of writing and reading processes. */
import { run } from '../../core/countersign-error.ts'
import { openPostgresStore, type PostgresStorage } from './open.ts'
import type { PostgresStoreOptions } from './settings.ts'

/**
 * Opens the store in a schema of a PostgreSQL database, and makes its tables if they are missing, unless `readOnly`. It needs the package
 * `pg`.
 *
 * @returns rejects with a `CountersignError`: `CONFIGURATION_INVALID` for a URL, user, password, database or server that cannot be used;
 *   `STORE_UNREADABLE` if the schema is not, and cannot become, a store; `UNAVAILABLE` if the server does not answer or takes no writes.
 *   No message has the URL
 * @example const engine = await createEngine({ store: postgresStore({ url: process.env.COUNTERSIGN_STORE }) })
 * @see docs/reference/store-postgres.md
 */
export const postgresStore = (options: PostgresStoreOptions): Promise<PostgresStorage> =>
  run(openPostgresStore(options))

export type { PostgresStorage } from './open.ts'
export type { PostgresStoreOptions } from './settings.ts'
export type { DriverClient, LentClient, PostgresPool } from './driver.ts'
