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
  /** Gives the answer, and sends the statement that writes; none if there is nothing to be written. */
  readonly write: (
    connection: Asking,
    found: F,
  ) => Promise<{ readonly answer: A; readonly write?: () => Promise<unknown> }>
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

/** Plans are not weighed against new ones: they are good for any values, and planning takes longer than most groups. */
const KEPT_PLANS = 'SET LOCAL plan_cache_mode = force_generic_plan;'

export const transactions = (bounds: Bounds, first?: string): Transact => {
  const begin = beginning(bounds, first)
  return (connection, use) => transact(connection, begin, use)
}

const transact = async <A>(connection: Asking, begin: string, use: () => Promise<A>): Promise<A> => {
  const answer = await beforeCommit(connection, async () => {
    await connection.query(begin)
    return use()
  })
  await committed(connection.query('COMMIT'))
  return answer
}

/**
 * Where the connection is direct, what looks is sent together with what begins and takes the lock, and COMMIT together with what writes. Nothing
 * is written before the lock is known to be held: if beginning failed, a statement behind it would run outside of any transaction. And if
 * what writes fails, the server answers COMMIT with ROLLBACK.
 */
export const transactionsInSteps = (bounds: Bounds, first = ''): TransactInSteps => {
  const [begin, beginWithPlans] = [beginning(bounds, first), beginning(bounds, KEPT_PLANS + first)]

  const ahead = async <F, A>(connection: Connection, { look, write }: Steps<F, A>): Promise<A> => {
    const { answer, commit } = await beforeCommit(connection, async () => {
      const begun = connection.together(() => [connection.query(beginWithPlans), look(connection)] as const)
      const [, found] = await allSettled(begun)
      const { answer, write: send } = await write(connection, found)
      return { answer, commit: () => connection.together(() => [send?.(), connection.query('COMMIT')] as const) }
    })
    const [written, committing] = commit()
    await allSettled([written, committed(committing)])
    return answer
  }

  return async (connection, { look, write }) => {
    if (connection.isDirect()) return ahead(connection, { look, write })
    return transact(connection, begin, async () => {
      const { answer, write: send } = await write(connection, await look(connection))
      await send?.()
      return answer
    })
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
