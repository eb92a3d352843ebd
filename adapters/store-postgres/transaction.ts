import { refuse } from '../../core/ports/refusal.ts'
import { stopsIn } from '../crash-point.ts'
import type { Connection } from './connect.ts'
import type { Asking, Pool } from './pool.ts'
import type { Settings } from './settings.ts'
import type { Tables } from './tables.ts'

/** Runs `use` in a transaction: all of it is durable when the promise resolves, or nothing of it is written when it rejects. */
export type Transact = <A>(connection: Asking, use: () => Promise<A>) => Promise<A>

/** Takes the lock of the store: what stands behind it sees all that writers before have committed. */
export const lockSql = ({ lock }: Pick<Tables, 'lock'>): string => `SELECT pg_advisory_xact_lock(${lock})`

/** What a transaction does that looks first and writes once, in the end. */
export type Steps<F, A> = {
  /** Only reads. */
  readonly look: () => Promise<F>
  /** Gives the answer, and sends the statement that writes; none if there is nothing to be written. */
  readonly write: (found: F) => Promise<{ readonly answer: A; readonly write?: () => Promise<unknown> }>
}

/** Points inside of the transaction of a group: they need its steps one by one. */
export const INSIDE = ['after-lock', 'within-group']

/** Transactions that take a lock first, with few round trips where the connection is direct. */
export type LockedTransactions = {
  /** As `Transact`, in two round trips. */
  readonly inSteps: <F, A>(connection: Connection, steps: Steps<F, A>) => Promise<A>
  /** One statement, in one round trip; only on a direct connection. The statement must write nothing unless `HAS_LOCK`. */
  readonly inOnePiece: <A>(connection: Connection, send: () => Promise<A>) => Promise<A>
}

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

/**
 * A condition for statements that are sent before the lock is known to be held: if the server did not begin the transaction, it would run them
 * outside of any.
 */
export const HAS_LOCK = `current_setting('countersign.has_lock', true) = 'yes'`
const TELL_LOCK = `SET LOCAL countersign.has_lock = 'yes'`

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
 * In two round trips, what looks is sent together with what begins and takes the lock, and COMMIT together with what writes. Nothing is written
 * before the lock is known to be held. If what writes fails, the server answers COMMIT with ROLLBACK.
 */
export const lockedTransactions = (bounds: Bounds, lock: string): LockedTransactions => {
  const begin = beginning(bounds, lock)
  const beginInOnePiece = beginning(bounds, `${lock}; ${TELL_LOCK}`)

  return {
    inSteps: async (connection, { look, write }) => {
      if (!connection.isDirect() || stopsIn(...INSIDE))
        return transact(connection, begin, async () => {
          const { answer, write: send } = await write(await look())
          await send?.()
          return answer
        })
      const { answer, write: send } = await beforeCommit(connection, async () => {
        const [, found] = await allSettled(connection.together(() => [connection.query(begin), look()] as const))
        return write(found)
      })
      const [written, commit] = connection.together(() => [send?.(), connection.query('COMMIT')] as const)
      await allSettled([written, committed(commit)])
      return answer
    },

    inOnePiece: async (connection, send) => {
      const [begun, sent, commit] = connection.together(
        () => [connection.query(beginInOnePiece), send(), connection.query('COMMIT')] as const,
      )
      const [[, answer]] = await allSettled([allSettled([begun, sent]), committed(commit)])
      return answer
    },
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
