/*
 * A real PostgreSQL for tests: the one that COUNTERSIGN_POSTGRES_URL names, or one that this process starts and ends. There is one for each
 * process of the test run; each store of a test has a schema of its own.
 */
import { startServer } from './own-server.ts'
import { serverAt, type PostgresServer } from './server-at.ts'

export type { PostgresServer } from './server-at.ts'

/** Without fsync: these tests end processes, and no machine. */
const QUICK = ['fsync=off']

let started: Promise<PostgresServer | string> | undefined

/** The server, or a line that says why there is none. It is started by the first call. */
export const postgresServer = (): Promise<PostgresServer | string> => (started ??= given() ?? startServer(QUICK))

const given = (): Promise<PostgresServer> | undefined => {
  const url = process.env['COUNTERSIGN_POSTGRES_URL']
  return url === undefined || url === '' ? undefined : Promise.resolve(serverAt(url))
}
