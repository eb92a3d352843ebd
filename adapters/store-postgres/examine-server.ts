import type { Asking } from './pool.ts'
import { transactions } from './transaction.ts'
import { defaults } from './settings.ts'

export type ExaminedServer = {
  /** Such as `15.18`. */
  readonly version: string
  readonly versionNumber: number
  readonly encoding: string
  /** Settings by name, as they hold for this user in this database. */
  readonly settings: { readonly [name: string]: string }
  /** What holds inside a transaction of the store. */
  readonly inTransaction: { readonly [name: string]: string }
  /** How far the clock of the server is ahead of ours, in ms; and by how much that may be wrong. */
  readonly aheadMs: number
  readonly uncertainMs: number
  /** How many connections there may be for this user, and how many there are. */
  readonly connectionsMax: number
  readonly connections: number
  /** How many standbys read from this server now. */
  readonly standbys: number
}

/** In whose values a promise of the store may be lost, or time. */
const READ = [
  'fsync',
  'full_page_writes',
  'synchronous_commit',
  'synchronous_standby_names',
  'ignore_checksum_failure',
  'zero_damaged_pages',
  'statement_timeout',
  'transaction_timeout',
]
const SET = ['synchronous_commit', 'lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout']

export const examineServer = async (on: Asking): Promise<ExaminedServer> => {
  const begun = Date.now()
  const clock = await on.query('SELECT (extract(epoch FROM clock_timestamp()) * 1000)::int8')
  const uncertainMs = (Date.now() - begun) / 2
  const { rows } = await on.query(
    `SELECT current_setting('server_version'), current_setting('server_version_num'), current_setting('server_encoding'),
      least(
        current_setting('max_connections')::int4 - current_setting('superuser_reserved_connections')::int4,
        (SELECT CASE WHEN rolconnlimit < 0 THEN NULL ELSE rolconnlimit END FROM pg_roles WHERE rolname = current_user),
        (SELECT CASE WHEN datconnlimit < 0 THEN NULL ELSE datconnlimit END FROM pg_database WHERE datname = current_database())
      )::int4,
      (SELECT sum(numbackends) FROM pg_stat_database)::int4,
      (SELECT count(*) FROM pg_stat_replication)::int4`,
  )
  const [version, number, encoding, max, used, standbys] = rows[0] ?? []
  const serverMs = Number(clock.rows[0]?.[0])
  return {
    version: String(version).split(' ', 1).join(''),
    versionNumber: Number(number),
    encoding: String(encoding),
    settings: await settingsOf(on, READ),
    inTransaction: await transactions(defaults)(on, () => settingsOf(on, SET)),
    aheadMs: Math.round(serverMs - (begun + uncertainMs)),
    uncertainMs: Math.ceil(uncertainMs),
    connectionsMax: Number(max),
    connections: Number(used),
    standbys: Number(standbys),
  }
}

const settingsOf = async (on: Asking, names: readonly string[]): Promise<{ readonly [name: string]: string }> => {
  const { rows } = await on.query('SELECT name, setting FROM pg_settings WHERE name = ANY ($1)', [names])
  return Object.fromEntries(rows.map(([name, setting]) => [String(name), String(setting)]))
}
