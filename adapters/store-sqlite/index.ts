/** A store in one SQLite file: durable, for one writing process and any number of reading ones. */
import { readlink, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { E, TE } from '../../core/prelude.ts'
import type { Notice } from '../../core/engine.ts'
import { failure } from '../../core/failure.ts'
import type { Failure } from '../../core/failure.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { openForReading } from './connection.ts'
import { sqliteEventStore } from './event-store.ts'
import { failureOf } from './failures.ts'
import { openToOthers } from './files.ts'
import { closedLane, openLane } from './lane.ts'
import type { Lane } from './lane.ts'
import { readElsewhere } from './read-elsewhere.ts'
import { logReader } from './read-log.ts'
import { reasonOf } from './reason.ts'
import type { Discard } from './requests.ts'
import { sqliteReadModels } from './read-models.ts'
import { rowsReader } from './read-rows.ts'
import { refuseForReading } from './schema.ts'

export type SqliteStoreOptions = {
  /**
   * The database file; it is made when it is missing, its folder is not. `-wal`, `-shm` and `.lock` stand beside it. What is
   * made can be used by its owner alone.
   */
  readonly path: string
  /** Opens an existing file beside a process that may be writing it. Default: false. */
  readonly readOnly?: boolean
  /**
   * Told when others than their owner have rights on the files of the store or on its folder, which are left as they are.
   * Default: `process.emitWarning`.
   */
  readonly onNotice?: (notice: Notice) => void
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
  onNotice: ({ message }: Notice) => process.emitWarning(message),
  pollIntervalMs: 500,
  commitBytesMax: 16 * 1024 * 1024,
  headsMax: 10_000,
  firstPosition: 1n,
  firstSequence: 1n,
}

/** A store in a file, which can be taken back. */
export type SqliteStorage = Storage & {
  /**
   * Says what closing removes of the files that this opening has made: `nothing`, as long as it is not called; all of them
   * unless an event is in the store (`if-empty`); or `all` of them. It is for whoever fails after opening: files that were
   * there before stay in any case.
   */
  readonly discard: (what: Discard) => void
}

/**
 * Opens the store in a file, and makes this process its only writer unless `readOnly`.
 *
 * @returns `STORE_LOCKED` when another process writes to it; `STORE_UNREADABLE` when the file is not, or cannot become,
 *   a store. Then nothing is left behind that was not there before
 * @example const engine = await createEngine({ store: sqliteStore({ path: 'activities.db' }) })
 * @see docs/reference/store-sqlite.md
 */
export const sqliteStore = (options: SqliteStoreOptions): TE.TaskEither<Failure, SqliteStorage> => {
  const settings = { ...defaults, ...options }
  if (options.path === '' || options.path.startsWith(':'))
    return TE.left(failure('CONFIGURATION_INVALID', 'path names a file; for a store in memory there is memoryStore()'))
  return async () => {
    const path = await canonical(options.path)
    const { commitBytesMax, headsMax, firstPosition, firstSequence, readOnly } = settings
    const laneOptions = { path, commitBytesMax, headsMax, firstPosition, firstSequence }
    const lane = await (readOnly ? readable(path) : openLane(laneOptions))()
    if (E.isLeft(lane)) return lane
    if (!readOnly) warnOfOthers(path, settings.onNotice)
    return openReaders(lane.right, path, readOnly ? settings.pollIntervalMs : undefined)
  }
}

const warnOfOthers = (path: string, onNotice: (notice: Notice) => void): void => {
  const open = openToOthers(path)
  if (open.length === 0) return
  const message = `others than the owner have rights on ${open.join(', ')}, where stamped requests are kept: take them away with chmod go-rwx`
  onNotice({ level: 'warn', message })
}

const openReaders = async (
  lane: Lane,
  path: string,
  pollIntervalMs: number | undefined,
): Promise<E.Either<Failure, SqliteStorage>> => {
  try {
    return E.right({
      store: sqliteEventStore(lane, logReader(path), readElsewhere(path), pollIntervalMs),
      readModels: sqliteReadModels(lane, rowsReader(path)),
      discard: lane.discard,
    })
  } catch (error) {
    lane.discard('if-empty')
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

/** One name for a file, whatever links lead to it, also to one that is still to be made: the lock stands beside that. */
const canonical = async (path: string, links = 0): Promise<string> => {
  const known = await realpath(path).catch(() => undefined)
  if (known !== undefined) return known
  const folder = dirname(resolve(path))
  const place = join(await realpath(folder).catch(() => folder), basename(path))
  const target = links < LINKS_MAX ? await readlink(place).catch(() => undefined) : undefined
  return target === undefined ? place : canonical(resolve(dirname(place), target), links + 1)
}

/** As Linux has it: more of them are a circle. */
const LINKS_MAX = 40
