import type { Target } from './url.ts'
import type { PostgresPool } from './driver.ts'

export type PostgresStoreOptions = {
  /**
   * The database, as `postgres://user@host:5432/database`. Several hosts stand with commas between them; the store uses the one that
   * takes writes. A password is better in `PGPASSWORD` or in a password file. Either this or `pool` is needed.
   */
  readonly url?: string
  /** A pool of `pg` that the host has. The store borrows its clients for reading, and never closes it. */
  readonly pool?: PostgresPool
  /** The schema that has the tables of the store, and no others. It is made if it is missing. Default: `countersign`. */
  readonly schema?: string
  /** Opens an existing store without making anything; a standby is enough. Default: false. */
  readonly readOnly?: boolean
  /** The most connections for reading and for read models; one more is for writing, and one for listening. Default: 4. Not for `pool`. */
  readonly connectionsMax?: number
  /** How long to wait for a connection, in ms. Default: 10,000. */
  readonly connectTimeoutMs?: number
  /** How long a write waits for a lock, in ms: the longest that another writer can hold this one up. Default: 10,000. */
  readonly lockTimeoutMs?: number
  /** How long one statement may take, in ms. Default: 30,000. */
  readonly statementTimeoutMs?: number
  /** After this time the server ends a transaction whose process has stopped in it, in ms. Default: 10,000. */
  readonly idleTimeoutMs?: number
  /** How often to look for commits of other processes where no notification comes, in ms. Default: 500. */
  readonly pollIntervalMs?: number
  /**
   * What erasure does behind the removal of rows: `vacuum` lets the server use their space again; `rewrite` also writes the table anew, so
   * that its files have the bytes no longer, and keeps all writers waiting meanwhile. Default: `vacuum`.
   */
  readonly erasure?: 'vacuum' | 'rewrite'
  /** The most bytes that one commit may have, lines and parts together. Default: 16 MiB. */
  readonly commitBytesMax?: number
  /** The position of the first event of the store; for tests of large numbers. Default: 1. */
  readonly firstPosition?: bigint
  /** The sequence of the first event of each log; for tests of large numbers. Default: 1. */
  readonly firstSequence?: bigint
}

export const defaults = {
  readOnly: false,
  connectionsMax: 4,
  connectTimeoutMs: 10_000,
  lockTimeoutMs: 10_000,
  statementTimeoutMs: 30_000,
  idleTimeoutMs: 10_000,
  pollIntervalMs: 500,
  erasure: 'vacuum',
  commitBytesMax: 16 * 1024 * 1024,
  firstPosition: 1n,
  firstSequence: 1n,
} as const

/** The options with their defaults, and the target that the URL or the pool names. */
export type Settings = Required<Omit<PostgresStoreOptions, 'url' | 'pool'>> & {
  readonly pool: PostgresPool | undefined
  readonly target: Target
}
