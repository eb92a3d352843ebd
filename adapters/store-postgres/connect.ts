import { refuse } from '../../core/ports/refusal.ts'
import {
  ask,
  listen,
  type ClientClass,
  type DriverClient,
  type Manner,
  type PostgresPool,
  type Result,
  type Value,
} from './driver.ts'
import { failureOf, isAnswer } from './failures.ts'
import type { Settings } from './settings.ts'

/** A connection that belongs to whoever holds it. */
export type Connection = {
  /** Runs one statement. `timeoutMs` replaces the time limit of the connection. */
  readonly query: (text: string, values?: readonly Value[], timeoutMs?: number) => Promise<Result>
  /** The same, for a statement that is run often: a direct connection keeps its plan under this name. */
  readonly prepared: (name: string, text: string, values: readonly Value[]) => Promise<Result>
  /**
   * Whether there is no pooler in between. Then plans can be kept, and a statement can be sent before the one ahead of it was answered: the
   * server runs them in their order.
   */
  readonly isDirect: () => boolean
  /** What `send` sends goes in one piece. */
  readonly together: <A>(send: () => A) => A
  /** Whether it can be used no more. */
  readonly isBroken: () => boolean
  /** Calls back when the connection ends by itself. */
  readonly onEnd: (ended: () => void) => void
  /** Hears notifications. */
  readonly onNotification: (heard: (payload: string) => void) => void
  readonly close: () => Promise<void>
}

export type Connect = () => Promise<Connection>

/** Opens connections of our own: to the host that takes writes, or to any of them for reading only. */
export const connector = async (settings: Settings): Promise<Connect> => {
  const Client = await clientClass(settings.pool)
  const { target, readOnly, connectTimeoutMs, statementTimeoutMs } = settings
  const bounds = {
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: statementTimeoutMs + ANSWER_MS,
    keepAlive: true,
    pipeline: true,
  }
  let hosts = target.hosts
  return async () => {
    let reason: unknown
    for (const host of hosts) {
      try {
        const found = await connected(new Client({ ...host, ...bounds }), !readOnly)
        // The next one begins here: a machine that is gone says nothing, and each connection would wait for it first.
        hosts = [host, ...target.hosts.filter((other) => other !== host)]
        return found
      } catch (error) {
        // A host that refuses us says more than one that is not there.
        if (reason === undefined || failureOf(error).code !== 'UNAVAILABLE') reason = error
      }
    }
    throw reason
  }
}

/** The server ends a statement that takes too long; only if it says nothing at all, we end the connection. */
const ANSWER_MS = 5_000

/** `pg` is an optional peer, so it is loaded only here. A pool knows the class that it makes its clients of. */
const clientClass = async (pool: PostgresPool | undefined): Promise<ClientClass> => {
  const own = pool !== undefined && 'Client' in pool ? pool.Client : undefined
  if (typeof own === 'function') return own as ClientClass // the pool calls it in the same way
  try {
    const driver: unknown = await import('pg')
    const { Client } = driver as { readonly Client: ClientClass } // our own, smaller type
    return Client
  } catch {
    throw refuse('CONFIGURATION_INVALID', 'the package pg is missing, which this store needs: npm install pg@8')
  }
}

const connected = async (client: DriverClient, forWriting: boolean): Promise<Connection> => {
  const opened = connectionOf(client)
  try {
    await client.connect()
    const [row] = (await opened.query(SERVER)).rows
    const [version, encoding, isStandby, isReadOnly, pid] = row ?? []
    if (Number(version) < OLDEST)
      throw refuse('CONFIGURATION_INVALID', 'the server is too old: PostgreSQL 14 or newer is needed')
    if (encoding !== 'UTF8')
      throw refuse('CONFIGURATION_INVALID', 'the encoding of the database is not UTF8: make one that has it')
    if (forWriting && (isStandby === true || isReadOnly === 'on'))
      throw refuse('UNAVAILABLE', 'the database takes no writes: it is a standby, or set to read only')
    // A pooler gives each client a number of its own in place of that of the server's process, because it passes on cancellations.
    if (typeof client.processID === 'number' && client.processID === pid) {
      await opened.query(INDEXES_ONLY)
      opened.trust()
    }
    return opened
  } catch (error) {
    await opened.close()
    throw error
  }
}

const OLDEST = 140_000
const SERVER = `SELECT current_setting('server_version_num'), current_setting('server_encoding'), pg_is_in_recovery(),
  current_setting('default_transaction_read_only'), pg_backend_pid()`
/**
 * A plan that is kept may be older than the rows: made when the tables were empty, it would read them whole, until the server counts them the
 * next time. Each of our statements has its index.
 */
const INDEXES_ONLY = 'SET enable_seqscan = off'

/**
 * The only thing that a server warns of at a COMMIT: somebody has ended its waiting for the synchronous standby. It has committed, but a
 * failover would lose that.
 */
const WARNING = '01000'
const UNCONFIRMED = 'the database has committed without its standby: try again'

/** `trust` says that the connection is direct. */
const connectionOf = (client: DriverClient): Connection & { readonly trust: () => void } => {
  let isBroken = false
  let isDirect = false
  /** Whether the server has warned since the connection was last idle: behind statements that were sent together, COMMIT may be the last. */
  let isWarned = false
  let closing: Promise<void> | undefined
  let underWay = 0
  const ends: (() => void)[] = []
  const end = (): void => {
    if (isBroken) return
    isBroken = true
    for (const ended of ends) ended()
  }
  // Without a listener, `pg` would end the process when a server goes away.
  listen(client, 'error', end)
  listen(client, 'end', end)
  listen(client, 'notice', (of) => {
    if (typeof of === 'object' && of !== null && 'code' in of && of.code === WARNING) isWarned = true
  })

  const run = async (text: string, values?: readonly Value[], manner?: Manner): Promise<Result> => {
    if (++underWay === 1) {
      client.ref() // the process must not end while a statement is under way
      isWarned = false
    }
    try {
      const result = await ask(client, text, values, manner)
      if (isWarned && result.command === 'COMMIT') throw refuse('UNAVAILABLE', UNCONFIRMED)
      return result
    } catch (error) {
      if (!isAnswer(error)) end()
      throw error
    } finally {
      if (--underWay === 0) client.unref()
    }
  }

  return {
    query: (text, values, timeoutMs) => run(text, values, { timeoutMs }),
    prepared: (name, text, values) => run(text, values, isDirect ? { name } : undefined),
    isDirect: () => isDirect,
    trust: () => void (isDirect = true),
    together: (send) => {
      const stream = client.connection?.stream
      stream?.cork()
      try {
        return send()
      } finally {
        stream?.uncork()
      }
    },
    isBroken: () => isBroken,
    onEnd: (ended) => void ends.push(ended),
    onNotification: (heard) => {
      listen(client, 'notification', (of) => {
        if (typeof of === 'object' && of !== null && 'payload' in of) heard(String(of.payload))
      })
    },
    close: () => {
      isBroken = true
      client.ref()
      return (closing ??= client.end().catch(() => undefined))
    },
  }
}
