/** A store in a schema of a PostgreSQL database: durable, for any number of writing and reading processes. */
import { run } from '../../core/countersign-error.ts'
import { openPostgresReadModels, type PostgresReadModels, type PostgresReadModelsOptions } from './open-read-models.ts'
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

/**
 * Opens read models and leases in a schema of a PostgreSQL database, for a log that is kept elsewhere, such as on EventStoreDB. Any number of
 * processes can use them together. The schema is that of an ordinary store, and the tables of its log stay empty.
 *
 * @returns rejects with a `CountersignError` as `postgresStore` does, and with `CONFIGURATION_INVALID` if the schema has a log of its own
 * @example const { readModels, leases } = await postgresReadModels({ url: process.env.COUNTERSIGN_READ_MODELS })
 * @see docs/reference/store-postgres.md
 */
export const postgresReadModels = (options: PostgresReadModelsOptions): Promise<PostgresReadModels> =>
  run(openPostgresReadModels(options))

export type { PostgresReadModels, PostgresReadModelsOptions } from './open-read-models.ts'
export type { PostgresStorage } from './open.ts'
export type { PostgresStoreOptions } from './settings.ts'
export type { DriverClient, LentClient, PostgresPool } from './driver.ts'
