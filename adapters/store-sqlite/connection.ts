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
  /** A statement that returns rows, as arrays. */
  readonly query: (sql: string) => Statement
  /** A statement that returns no rows. */
  readonly command: (sql: string) => Statement
  readonly pragma: (name: string) => Value
  readonly isInTransaction: () => boolean
  readonly close: () => void
}

/** Opens an existing file for writing. It makes no file, because SQLite would make one that others can read; see `makePrivate`. */
export const openForWriting = (path: string): Connection =>
  connection(new Database(`${pathToFileURL(path).href}?mode=rw`))

/**
 * Throws `SQLITE_READONLY` if the file cannot be written. SQLite opens such a file for reading without an error, and accepts even an
 * exclusive transaction: it fails only at the first write.
 */
export const mustBeWritable = (db: Connection): void =>
  db.exec(`PRAGMA user_version = ${Number(db.pragma('user_version'))}`) // writes the present value again

/**
 * Opens for reading only. libsql ignores its own `readonly` and `fileMustExist`; SQLite's URI parameters work. Even for reading, SQLite
 * makes files beside the store. On a read-only file system it cannot, so there it is told that the file never changes.
 */
export const openForReading = (path: string): Connection => {
  const immutable = isUnchanging(path) ? '&immutable=1' : ''
  const opened = connection(new Database(`${pathToFileURL(path).href}?mode=ro${immutable}`))
  opened.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}; PRAGMA cache_size = -16384`)
  return opened
}

/** How long a connection waits for another one, for example of a backup or of an operator's shell. */
export const BUSY_TIMEOUT_MS = 5000

/** How long the writer waits for readers of an old snapshot; no request is answered meanwhile. */
const READERS_TIMEOUT_MS = 250

/**
 * Moves everything from the write-ahead log into the file, and leaves the log empty.
 *
 * @returns the reason if it could not; `SQLITE_BUSY` while another process reads from the log
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

/** libsql's own types do not describe the rows: `raw` makes them arrays, and `safeIntegers` makes integers bigints. */
const statement = (prepared: Database.Statement): Statement => ({
  run: (values) => void prepared.run(values),
  get: (values) => prepared.get(values) as Row | undefined,
  all: (values) => prepared.all(values) as readonly Row[],
})
