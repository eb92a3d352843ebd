import type { Asking, Pool } from './pool.ts'
import { refuse } from './failures.ts'
import type { Settings } from './settings.ts'
import type { Tables } from './tables.ts'

/** Runs `use` in a transaction: all of it is durable when the promise resolves, or nothing of it is written when it rejects. */
export type Transact = <A>(connection: Asking, use: () => Promise<A>) => Promise<A>

/** Takes the lock of the store: what stands behind it sees all that writers before have committed. */
export const lockSql = ({ lock }: Pick<Tables, 'lock'>): string => `SELECT pg_advisory_xact_lock(${lock})`

type Bounds = Pick<Settings, 'lockTimeoutMs' | 'statementTimeoutMs' | 'idleTimeoutMs'>

/**
 * The time limits are set inside of each transaction: so they hold behind a pooler, too, and never for anybody else who uses the connection.
 *
 * @param first  a statement that runs before `use`, such as one that takes a lock. It is a statement of its own: in READ COMMITTED, the
 *   statements behind it see all that was committed before it has ended
 */
export const transactions = ({ lockTimeoutMs, statementTimeoutMs, idleTimeoutMs }: Bounds, first = ''): Transact => {
  const begin = `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
    SET LOCAL lock_timeout = ${lockTimeoutMs};
    SET LOCAL statement_timeout = ${statementTimeoutMs};
    SET LOCAL idle_in_transaction_session_timeout = ${idleTimeoutMs};
    SET LOCAL synchronous_commit = on;
    ${first}`

  return async (connection, use) => {
    const answer = await beforeCommit(connection, async () => {
      await connection.query(begin)
      return use()
    })
    const { command } = await connection.query('COMMIT')
    if (command !== 'COMMIT') throw refuse('UNAVAILABLE', 'the database ended the transaction: try again')
    return answer
  }
}

/** Runs work in a transaction of its own, on a connection of the pool. */
export const inTransaction = (pool: Pool, bounds: Bounds): (<A>(work: (on: Asking) => Promise<A>) => Promise<A>) => {
  const transact = transactions(bounds)
  return (work) => pool.lend((on) => transact(on, () => work(on)))
}

const beforeCommit = async <A>(connection: Asking, use: () => Promise<A>): Promise<A> => {
  try {
    return await use()
  } catch (error) {
    await connection.query('ROLLBACK').catch(() => undefined) // where that fails, the connection has ended, and the transaction with it
    throw error
  }
}
