import type { Connection } from './connect.ts'
import type { Asking, Pool } from './pool.ts'
import { refuse } from './failures.ts'
import type { Settings } from './settings.ts'

/** Runs `use` in a transaction: all of it is durable when the promise resolves, or nothing of it is written when it rejects. */
export type Transact = <A>(connection: Asking, use: () => Promise<A>) => Promise<A>

/** What a transaction does that looks first and writes once, in the end. */
export type Steps<F, A> = {
  /** Only reads. */
  readonly look: (connection: Asking) => Promise<F>
  /** Gives the answer, and the statement that writes, which may be under way still; none if there is nothing to be written. */
  readonly write: (connection: Asking, found: F) => Promise<{ readonly answer: A; readonly written?: Promise<unknown> }>
}

/** As `Transact`, in two round trips to the server where the connection is direct. */
export type TransactInSteps = <F, A>(connection: Connection, steps: Steps<F, A>) => Promise<A>

type Bounds = Pick<Settings, 'lockTimeoutMs' | 'statementTimeoutMs' | 'idleTimeoutMs'>

/**
 * The time limits are set inside of each transaction: so they hold behind a pooler, too, and never for anybody else who uses the connection.
 *
 * @param first  a statement that runs before `use`, such as one that takes a lock. It is a statement of its own: in READ COMMITTED, the
 *   statements behind it see all that was committed before it has ended
 */
const beginning = ({ lockTimeoutMs, statementTimeoutMs, idleTimeoutMs }: Bounds, first = ''): string =>
  `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
    SET LOCAL lock_timeout = ${lockTimeoutMs};
    SET LOCAL statement_timeout = ${statementTimeoutMs};
    SET LOCAL idle_in_transaction_session_timeout = ${idleTimeoutMs};
    SET LOCAL synchronous_commit = on;
    ${first}`

export const transactions = (bounds: Bounds, first?: string): Transact => {
  const begin = beginning(bounds, first)
  return async (connection, use) => {
    const answer = await beforeCommit(connection, async () => {
      await connection.query(begin)
      return use()
    })
    await committed(connection.query('COMMIT'))
    return answer
  }
}

/**
 * Where the connection is direct, what looks is sent together with what begins and takes the lock, and COMMIT together with what writes. Nothing
 * is written before the lock is known to be held: if beginning failed, a statement behind it would run outside of any transaction. And if
 * what writes fails, the server answers COMMIT with ROLLBACK.
 */
export const transactionsInSteps = (bounds: Bounds, first?: string): TransactInSteps => {
  const begin = beginning(bounds, first)
  return async (connection, { look, write }) => {
    const isDirect = connection.isDirect()
    const { answer, written } = await beforeCommit(connection, async () => {
      const begun = connection.query(begin)
      if (!isDirect) await begun
      const [, found] = await allSettled([begun, look(connection)])
      const decided = await write(connection, found)
      if (!isDirect) await decided.written
      return decided
    })
    const commit = connection.query('COMMIT')
    await allSettled([written, committed(commit)])
    return answer
  }
}

/** Waits for both, also if one fails: the connection is free then. Throws what failed first. */
const allSettled = async <A, B>([first, second]: readonly [A | Promise<A>, Promise<B>]): Promise<readonly [A, B]> => {
  await Promise.allSettled([first, second])
  return Promise.all([first, second])
}

const committed = async (commit: ReturnType<Asking['query']>): Promise<void> => {
  const { command } = await commit
  if (command !== 'COMMIT') throw refuse('UNAVAILABLE', 'the database ended the transaction: try again')
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
