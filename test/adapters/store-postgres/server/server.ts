/*
 * A real PostgreSQL for tests: the one that COUNTERSIGN_POSTGRES_URL names, or one that this process starts and ends. There is one for each
 * process of the test run; each store of a test has a schema of its own.
 */
import { startServer } from './own-server.ts'
import { serverAt, type PostgresServer } from './server-at.ts'

export type { PostgresServer } from './server-at.ts'

/** Without fsync: these tests end processes, and no machine. */
const QUICK = ['fsync=off', 'shared_buffers=64MB']
/** The server's own defaults. */
const DURABLE = ['fsync=on', 'synchronous_commit=on']

let started: Promise<PostgresServer | string> | undefined
let durable: Promise<PostgresServer | string> | undefined

/** The server, or a line that says why there is none. It is started by the first call. */
export const postgresServer = (): Promise<PostgresServer | string> => (started ??= given() ?? startServer(QUICK))

/** The same, but a server of ours syncs its files, as those of users do: for measurements. */
export const durableServer = (): Promise<PostgresServer | string> => (durable ??= given() ?? startServer(DURABLE))

const given = (): Promise<PostgresServer> | undefined => {
  const url = process.env['COUNTERSIGN_POSTGRES_URL']
  return url === undefined || url === '' ? undefined : Promise.resolve(serverAt(url))
}
