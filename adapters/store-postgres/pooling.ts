import type { Asking } from './pool.ts'

/**
 * Whether a pooler stands between, and lends its connections for a transaction or a statement at a time: then two connections of ours have
 * been one of the server's, or one of ours has been two of them. On a busy pooler, chance may hide it once, and so it is tried some times.
 */
export const isPooled = async (one: Asking, two: Asking): Promise<boolean> => {
  const [first, second] = [await processOf(one), await processOf(two)]
  for (let tries = 0; tries < TRIES; tries++) {
    if (first === second) return true
    if ((await processOf(one)) !== first || (await processOf(two)) !== second) return true
  }
  return false
}

const TRIES = 4

/** The process of the server that runs the statement. No two have the same number at one time. */
const processOf = async (connection: Asking): Promise<unknown> =>
  (await connection.query('SELECT pg_backend_pid()')).rows[0]?.[0]
