import { refuse } from '../../core/ports/refusal.ts'
import type { Connect, Connection } from './connect.ts'
import { ask, listen, type LentClient, type PostgresPool } from './driver.ts'
import { isAnswer } from './failures.ts'

/** The part of a connection that statements need. */
export type Asking = Pick<Connection, 'query' | 'prepared'>

/** Lends connections for reading and for read models. */
export type Pool = {
  /** Calls `use` with a connection that nobody else has meanwhile. Whoever holds one must not ask for another. */
  readonly lend: <A>(use: (connection: Asking) => Promise<A>) => Promise<A>
  /** Waits for those who hold a connection, then closes all of them. */
  readonly close: () => Promise<void>
}

/** How long a connection stays without work. */
const IDLE_MS = 30_000

/** @param connectionsMax  others wait in a row */
export const ownPool = (connect: Connect, connectionsMax: number): Pool => {
  const idle: Connection[] = []
  const waiting: (() => void)[] = []
  const loans = loansOf()
  let lent = 0
  let timer: NodeJS.Timeout | undefined

  const forget = (connection: Connection): void => void loans.with(connection.close)

  const rest = (connection: Connection): void => {
    if (loans.isClosed() || connection.isBroken()) return forget(connection)
    idle.push(connection)
    clearTimeout(timer)
    timer = setTimeout(() => idle.splice(0).forEach(forget), IDLE_MS)
    timer.unref()
  }

  const taken = async (): Promise<Connection> => {
    for (let found = idle.pop(); found !== undefined; found = idle.pop()) {
      if (!found.isBroken()) return found
      forget(found)
    }
    return connect()
  }

  const withConnection = async <A>(use: (connection: Asking) => Promise<A>): Promise<A> => {
    const connection = await taken()
    try {
      return await use(connection)
    } finally {
      rest(connection)
    }
  }

  /** Whoever gives a place back passes it on to the first who waits. */
  const inPlace = async <A>(run: () => Promise<A>): Promise<A> => {
    if (lent < connectionsMax) lent++
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await run()
    } finally {
      const next = waiting.shift()
      if (next === undefined) lent--
      else next()
    }
  }

  return {
    lend: (use) => loans.lend(() => inPlace(() => withConnection(use))),
    close: async () => {
      await loans.close()
      clearTimeout(timer)
      idle.splice(0).forEach(forget)
      await loans.close()
    },
  }
}

/** Borrows from the pool of a host, and changes no setting of its connections. */
export const borrowedPool = (pool: PostgresPool): Pool => {
  const loans = loansOf()
  return {
    lend: (use) => loans.lend(async () => withClient(await pool.connect(), use)),
    close: loans.close,
  }
}

/** Counts who is under way, so that closing can wait for them. */
const loansOf = () => {
  const underWay = new Set<Promise<unknown>>()
  let isClosed = false

  const counted = <A>(run: () => Promise<A>): Promise<A> => {
    const running = run()
    const settled = running.catch(() => undefined).finally(() => underWay.delete(settled))
    underWay.add(settled)
    return running
  }

  return {
    isClosed: () => isClosed,
    with: counted,
    lend: <A>(run: () => Promise<A>): Promise<A> =>
      isClosed ? Promise.reject(refuse('UNAVAILABLE', 'the store is closed')) : counted(run),
    close: async () => {
      isClosed = true
      await Promise.all(underWay)
    },
  }
}

const withClient = async <A>(client: LentClient, use: (connection: Asking) => Promise<A>): Promise<A> => {
  let isBroken = false
  // The pool listens to its clients only while they are at home.
  const ignore = listen(client, 'error', () => (isBroken = true))
  const query: Asking['query'] = async (text, values, timeoutMs) => {
    try {
      return await ask(client, text, values, { timeoutMs })
    } catch (error) {
      if (!isAnswer(error)) isBroken = true
      throw error
    }
  }
  try {
    // What is behind the pool is not known, and its connections are not ours: nothing is prepared on them.
    return await use({ query, prepared: (_, text, values) => query(text, values) })
  } finally {
    ignore()
    client.release(isBroken)
  }
}
