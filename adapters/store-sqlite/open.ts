import { readlink, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { E, TE } from '../../core/prelude.ts'
import type { Notice } from '../../core/engine.ts'
import { failure } from '../../core/failure.ts'
import type { Failure } from '../../core/failure.ts'
import { memoryLeases } from '../../core/leasing/memory-leases.ts'
import { hintFor } from '../../core/options.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { causeOf, withCause } from '../../core/telemetry/cause.ts'
import { openForReading } from './connection.ts'
import { sqliteEventStore } from './event-store.ts'
import { failuresOf, type Failures } from './failures.ts'
import { openToOthers } from './files.ts'
import { closedWriter, openWriter } from './writer-client.ts'
import type { WriterClient } from './writer-client.ts'
import { readElsewhere } from './read-elsewhere.ts'
import { logReader } from './read-log.ts'
import { refused, refusedBy } from './reason.ts'
import type { Discard } from './requests.ts'
import { readModelsWith } from './read-models.ts'
import { rowsReader } from './read-rows.ts'
import { readingWith } from './reading.ts'
import { refuseForReading } from './schema.ts'
import { sealedRowsWith } from './sealed-rows.ts'

export type SqliteStoreOptions = {
  /**
   * The database file. It is made if it is missing; its folder has to exist. `-wal`, `-shm` and `.lock` stand beside it. Only the owner
   * can use the files that are made.
   */
  readonly path: string
  /** Opens an existing file beside a process that may be writing it. Default: false. */
  readonly readOnly?: boolean
  /**
   * Called if others than the owner have rights on the files of the store or on its folder. The rights are not changed. Default:
   * `process.emitWarning`.
   */
  readonly onNotice?: (notice: Notice) => void
  /** How often a store that is open for reading looks for another process's commits while it is watched, in ms. Default: 500. */
  readonly pollIntervalMs?: number
  /** The most bytes that one commit may have, lines and parts together. Default: 16 MiB. */
  readonly commitBytesMax?: number
  /** For how many organizations the writer keeps the heads in memory. Default: 10,000. */
  readonly headsMax?: number
  /** The position of the first event of the store; for tests of large numbers. Default: 1. */
  readonly firstPosition?: bigint
  /** The sequence of the first event of each log; for tests of large numbers. Default: 1. */
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

/** A store in a file. Its creation can be undone. */
export type SqliteStorage = Storage & {
  /**
   * Tells `close` which of the files that this opening has made it removes: `nothing` (default); all of them unless the store has an
   * event (`if-empty`); or `all` of them. Use it if a command fails after opening. Files that were there before always stay.
   */
  readonly discard: (what: Discard) => void
}

/**
 * Opens the store in a file, and makes this process its only writer unless `readOnly`.
 *
 * @returns `STORE_LOCKED` if another process writes to it, or this very one; `STORE_UNREADABLE` if the file is not, and cannot become, a
 *   store. The message names the file. After a failure, no new files are left behind
 */
export const openSqliteStore = (options: SqliteStoreOptions): TE.TaskEither<Failure, SqliteStorage> => {
  const names = ['path', ...Object.keys(defaults)]
  const unknown = Object.keys(options).find((name) => !names.includes(name))
  if (unknown !== undefined)
    return TE.left(failure('CONFIGURATION_INVALID', `${unknown}: there is no such option${hintFor(unknown, names)}`))
  const settings = { ...defaults, ...options }
  if (options.path === '' || options.path.startsWith(':'))
    return TE.left(failure('CONFIGURATION_INVALID', 'path names a file; for a store in memory there is memoryStore()'))
  return async () => {
    const path = await canonical(options.path)
    const { commitBytesMax, headsMax, firstPosition, firstSequence, readOnly } = settings
    const writerOptions = { path, commitBytesMax, headsMax, firstPosition, firstSequence }
    const failures = failuresOf(path)
    const writer = await (readOnly ? readable(path, failures) : openWriter(writerOptions))()
    if (E.isLeft(writer)) return cannotOpen(options.path, writer.left)
    if (!readOnly) warnOfOthers(path, settings.onNotice)
    const opened = await openReaders(writer.right, path, failures, readOnly ? settings.pollIntervalMs : undefined)
    return E.isLeft(opened) ? cannotOpen(options.path, opened.left) : opened
  }
}

/** Only the failure of opening names the file in its message: later failures may go to callers. */
const cannotOpen = (path: string, cause: Failure): E.Either<Failure, never> =>
  E.left(
    withCause({ ...cause, message: `cannot open the store ${path}: ${cause.message}` }, () => causeOf(cause) ?? {}),
  )

const warnOfOthers = (path: string, onNotice: (notice: Notice) => void): void => {
  const open = openToOthers(path)
  if (open.length === 0) return
  const message = `others than the owner have rights on ${open.join(', ')}, where stamped requests are kept: take them away with chmod go-rwx`
  onNotice({ level: 'warn', message })
}

const openReaders = async (
  writer: WriterClient,
  path: string,
  failures: Failures,
  pollIntervalMs: number | undefined,
): Promise<E.Either<Failure, SqliteStorage>> => {
  try {
    const rows = rowsReader(path)
    const reading = readingWith(rows, failures)
    return E.right({
      store: sqliteEventStore(writer, logReader(path), readElsewhere(path), failures, pollIntervalMs),
      readModels: readModelsWith(writer, rows, reading),
      leases: memoryLeases(() => performance.now()), // no other process writes to the file
      sealed: sealedRowsWith(writer, rows.sealed, reading),
      discard: writer.discard,
    })
  } catch (error) {
    writer.discard('if-empty')
    await writer.close()
    return E.left(failures(refusedBy(error)))
  }
}

const readable =
  (path: string, failures: Failures): TE.TaskEither<Failure, WriterClient> =>
  async () => {
    try {
      const db = openForReading(path)
      const reason = refuseForReading(db)
      db.close()
      return reason === undefined ? E.right(closedWriter) : E.left(failures(refused(reason)))
    } catch (error) {
      const found = refusedBy(error)
      const isBeside = found.reason.startsWith('SQLITE_READONLY') // a reader writes only the files beside the store
      return E.left(failures(isBeside ? refused('SQLITE_CANTOPEN', found.text) : found))
    }
  }

/** The path of a file with all links followed, also if the file does not exist yet: the lock stands beside that path. */
const canonical = async (path: string, links = 0): Promise<string> => {
  const known = await realpath(path).catch(() => undefined)
  if (known !== undefined) return known
  const folder = dirname(resolve(path))
  const place = join(await realpath(folder).catch(() => folder), basename(path))
  const target = links < LINKS_MAX ? await readlink(place).catch(() => undefined) : undefined
  return target === undefined ? place : canonical(resolve(dirname(place), target), links + 1)
}

/** The limit of Linux: more links are a loop. */
const LINKS_MAX = 40
