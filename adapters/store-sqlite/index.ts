/** A store in one SQLite file: durable, for one writing process and any number of reading ones. */
import { realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { E, TE } from '../../core/prelude.ts'
import { failure } from '../../core/failure.ts'
import type { Failure } from '../../core/failure.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { openForReading } from './connection.ts'
import { sqliteEventStore } from './event-store.ts'
import { failureOf } from './failures.ts'
import { closedLane, openLane } from './lane.ts'
import type { Lane } from './lane.ts'
import { readElsewhere } from './read-elsewhere.ts'
import { logReader } from './read-log.ts'
import { reasonOf } from './reason.ts'
import { sqliteReadModels } from './read-models.ts'
import { rowsReader } from './read-rows.ts'
import { refuseForReading } from './schema.ts'

export type SqliteStoreOptions = {
  /** The database file; it is made when it is missing, its folder is not. `-wal`, `-shm` and `.lock` stand beside it. */
  readonly path: string
  /** Opens an existing file beside a process that may be writing it. Default: false. */
  readonly readOnly?: boolean
  /** How often a store that is open for reading looks for another process's commits while it is watched. Default: 500. */
  readonly pollIntervalMs?: number
  /** The most bytes that one commit may have, lines and parts together. Default: 16 MiB. */
  readonly commitBytesMax?: number
  /** How many organizations the writer knows the heads of without reading. Default: 10,000. */
  readonly headsMax?: number
  /** The number that the first event of the store gets; for tests of large numbers. Default: 1. */
  readonly firstPosition?: bigint
  /** The number that the first event of each log gets; for tests of large numbers. Default: 1. */
  readonly firstSequence?: bigint
}

const defaults = {
  readOnly: false,
  pollIntervalMs: 500,
  commitBytesMax: 16 * 1024 * 1024,
  headsMax: 10_000,
  firstPosition: 1n,
  firstSequence: 1n,
}

/**
 * Opens the store in a file, and makes this process its only writer unless `readOnly`.
 *
 * @returns `STORE_LOCKED` when another process writes to it; `STORE_UNREADABLE` when the file is not, or cannot become,
 *   a store
 * @example const engine = await createEngine({ store: sqliteStore({ path: 'activities.db' }) })
 * @see docs/reference/store-sqlite.md
 */
export const sqliteStore = (options: SqliteStoreOptions): TE.TaskEither<Failure, Storage> => {
  const settings = { ...defaults, ...options }
  if (options.path === '' || options.path.startsWith(':'))
    return TE.left(failure('CONFIGURATION_INVALID', 'path names a file; for a store in memory there is memoryStore()'))
  return async () => {
    const path = await canonical(options.path)
    const { commitBytesMax, headsMax, firstPosition, firstSequence } = settings
    const laneOptions = { path, commitBytesMax, headsMax, firstPosition, firstSequence }
    const lane = await (settings.readOnly ? readable(path) : openLane(laneOptions))()
    return E.isLeft(lane)
      ? lane
      : openReaders(lane.right, path, settings.readOnly ? settings.pollIntervalMs : undefined)
  }
}

const openReaders = async (
  lane: Lane,
  path: string,
  pollIntervalMs: number | undefined,
): Promise<E.Either<Failure, Storage>> => {
  try {
    return E.right({
      store: sqliteEventStore(lane, logReader(path), readElsewhere(path), pollIntervalMs),
      readModels: sqliteReadModels(lane, rowsReader(path)),
    })
  } catch (error) {
    await lane.close()
    return E.left(failureOf(reasonOf(error)))
  }
}

const readable =
  (path: string): TE.TaskEither<Failure, Lane> =>
  async () => {
    try {
      const db = openForReading(path)
      const reason = refuseForReading(db)
      db.close()
      return reason === undefined ? E.right(closedLane) : E.left(failureOf(reason))
    } catch (error) {
      const reason = reasonOf(error)
      const isBeside = reason.startsWith('SQLITE_READONLY') // what a reader cannot write are the files beside the store
      return E.left(failureOf(isBeside ? 'SQLITE_CANTOPEN' : reason))
    }
  }

/** One name for a file, whatever links lead to it: the lock stands beside that. */
const canonical = async (path: string): Promise<string> => {
  const folder = dirname(resolve(path))
  return realpath(path).catch(async () => join(await realpath(folder).catch(() => folder), basename(path)))
}
