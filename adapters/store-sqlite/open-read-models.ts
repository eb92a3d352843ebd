import { E, type TE } from '../../core/prelude.ts'
import type { Failure } from '../../core/failure.ts'
import type { BesideLog } from '../../core/ports/storage.ts'
import { besideLog } from '../../core/log/beside-log.ts'
import { openSqliteStore, type SqliteStoreOptions } from './open.ts'

export type SqliteReadModelsOptions = Pick<SqliteStoreOptions, 'path' | 'readOnly' | 'onNotice'>

/** Read models in a file. Their creation can be undone. */
export type SqliteReadModels = BesideLog & {
  /** Tells the closing whether it removes the files that this opening has made: `nothing` (default), or `all` of them. */
  readonly discard: (what: 'nothing' | 'all') => void
}

/**
 * Opens read models in a file, for a log that is kept elsewhere: those of a store in that file, whose own log stays empty.
 *
 * @returns like `openSqliteStore`, and `CONFIGURATION_INVALID` if the file has a log of its own
 */
export const openSqliteReadModels =
  (options: SqliteReadModelsOptions): TE.TaskEither<Failure, SqliteReadModels> =>
  async () => {
    const opened = await openSqliteStore(options)()
    return E.isLeft(opened) ? opened : besideLog(opened.right, 'the file')
  }
