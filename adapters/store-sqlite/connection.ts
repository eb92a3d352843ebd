import { pathToFileURL } from 'node:url'
import Database from 'libsql'
import { isUnchanging } from './read-only.ts'
import { reasonOf, type Reason } from './reason.ts'

/** Integers are bigint in both directions: libsql binds a number as a float, and a boolean ends the process. */
export type Value = bigint | string | Uint8Array | null
export type Row = readonly Value[]
export type Statement = {
  readonly run: (values: readonly Value[]) => void
  readonly get: (values: readonly Value[]) => Row | undefined
  readonly all: (values: readonly Value[]) => readonly Row[]
}
export type Connection = {
  readonly exec: (sql: string) => void
  /** A statement that answers rows as arrays. */
  readonly query: (sql: string) => Statement
  /** A statement that answers nothing. */
  readonly command: (sql: string) => Statement
  readonly pragma: (name: string) => Value
  readonly isInTransaction: () => boolean
  readonly close: () => void
}

/** For writing a file that is there: SQLite itself would make one that others can read. See `makePrivate`. */
export const openForWriting = (path: string): Connection =>
  connection(new Database(`${pathToFileURL(path).href}?mode=rw`))

/**
 * Throws `SQLITE_READONLY` where nothing can be written. SQLite then opens a file for reading without a word, and takes
 * even an exclusive transaction for one that reads: it refuses no sooner than at a write.
 */
export const mustBeWritable = (db: Connection): void =>
  db.exec(`PRAGMA user_version = ${Number(db.pragma('user_version'))}`) // what it is already

/**
 * For reading only. libsql ignores its own `readonly` and `fileMustExist`; SQLite's URI parameters do what they say.
 * SQLite needs files beside the store even to read it, and cannot make them where nothing can be written: there it is
 * told that nothing changes.
 */
export const openForReading = (path: string): Connection => {
  const immutable = isUnchanging(path) ? '&immutable=1' : ''
  const opened = connection(new Database(`${pathToFileURL(path).href}?mode=ro${immutable}`))
  opened.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}; PRAGMA cache_size = -16384`)
  return opened
}

/** How long one connection waits for another, of a backup or of an operator's shell, before it gives up. */
export const BUSY_TIMEOUT_MS = 5000

/** How long the writer waits for readers that hold an old snapshot; nobody is answered meanwhile. */
const READERS_TIMEOUT_MS = 250

/**
 * Moves everything out of the write-ahead log into the file, and leaves the log empty.
 *
 * @returns why it could not; `SQLITE_BUSY` while another process reads from the log
 */
export const emptyLog = (db: Connection): Reason | undefined => {
  try {
    db.exec(`PRAGMA busy_timeout = ${READERS_TIMEOUT_MS}`)
    return db.pragma('wal_checkpoint(TRUNCATE)') === 0n ? undefined : 'SQLITE_BUSY'
  } catch (error) {
    return reasonOf(error)
  } finally {
    db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
  }
}

const connection = (database: Database.Database): Connection => {
  const query = (sql: string) => statement(database.prepare(sql).raw(true).safeIntegers(true))
  return {
    exec: (sql) => void database.exec(sql),
    query,
    command: (sql) => statement(database.prepare(sql)),
    pragma: (name) => query(`PRAGMA ${name}`).get([])?.[0] ?? null,
    isInTransaction: () => database.inTransaction,
    close: () => void database.close(),
  }
}

/** libsql's own types do not say what comes out; it is `raw` and `safeIntegers` that make it so. */
const statement = (prepared: Database.Statement): Statement => ({
  run: (values) => void prepared.run(values),
  get: (values) => prepared.get(values) as Row | undefined,
  all: (values) => prepared.all(values) as readonly Row[],
})
