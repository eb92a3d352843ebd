import type { Context, uvu } from 'uvu'
import { postgresServer, type PostgresServer } from './server.ts'

/** Registers tests that need a server. Where there is none, one line says so, and the suite counts as skipped. */
export const onPostgres = async <T = Context>(
  it: uvu.Test<T>,
  register: (server: PostgresServer) => void,
): Promise<void> => {
  const found = await postgresServer()
  if (typeof found !== 'string') return register(found)
  it.skip(found, () => {})
  console.log(`Tests on PostgreSQL are left out: ${found}`)
}
