import { E, type TE } from '../../core/prelude.ts'
import type { Failure } from '../../core/failure.ts'
import type { BesideLog } from '../../core/ports/storage.ts'
import { besideLog } from '../../core/log/beside-log.ts'
import { openPostgresStore, type PostgresStorage } from './open.ts'
import type { PostgresStoreOptions } from './settings.ts'

export type PostgresReadModelsOptions = Omit<PostgresStoreOptions, 'commitBytesMax' | 'firstPosition' | 'firstSequence'>

/** Read models and leases in a database. Their creation can be undone. */
export type PostgresReadModels = BesideLog & Pick<PostgresStorage, 'discard'>

/**
 * Opens read models and leases in a schema, for a log that is kept elsewhere: those of a store in that schema, whose own log stays empty.
 *
 * @returns like `openPostgresStore`, and `CONFIGURATION_INVALID` if the schema has a log of its own
 */
export const openPostgresReadModels =
  (options: PostgresReadModelsOptions): TE.TaskEither<Failure, PostgresReadModels> =>
  async () => {
    const opened = await openPostgresStore(options)()
    return E.isLeft(opened) ? opened : besideLog(opened.right, 'the schema')
  }
