/** A store on EventStoreDB or KurrentDB, with read models in another database: for any number of writing and reading processes. */
import { run } from '../../core/countersign-error.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { openEventStoreDbStore } from './open.ts'
import type { EventStoreDbStoreOptions } from './options.ts'

/**
 * Opens the store on a server. It needs the package `@eventstore/db-client`, and read models in another database.
 *
 * @returns rejects with a `CountersignError`: `CONFIGURATION_INVALID` for options, a user or a server that cannot be used, and for read models
 *   that belong to another log; `STORE_UNREADABLE` if the streams under the prefix are not, and cannot become, a store; `UNAVAILABLE` if
 *   there is no leader that takes writes. No message has the connection string
 * @example const engine = await createEngine({ store: eventStoreDbStore({ connectionString: 'esdb://localhost:2113', readModels, leases }) })
 */
export const eventStoreDbStore = (options: EventStoreDbStoreOptions): Promise<Storage> =>
  run(openEventStoreDbStore(options))

export type { EventStoreDbStoreOptions } from './options.ts'
