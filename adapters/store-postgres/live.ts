import { randomUUID } from 'node:crypto'
import { crashPoint } from '../crash-point.ts'
import type { Connect, Connection } from './connect.ts'
import type { Pool } from './pool.ts'
import { readLastPosition } from './read-log.ts'
import type { Tables } from './tables.ts'

/** Those who wait for new events, here and in other processes. */
export type Live = {
  readonly watch: (onAppended: () => void) => () => void
  /** Tells everybody that the log goes up to this position now. */
  readonly told: (position: bigint) => void
  readonly close: () => Promise<void>
}

export type LiveOptions = {
  readonly connect: Connect
  readonly pool: Pool
  readonly tables: Tables
  readonly pollIntervalMs: number
  /** The last position when the store was opened: whatever comes behind it is news. */
  readonly from: bigint
}

/** While notifications come, a look is only for one that was lost. */
const SELDOM = 20

/**
 * Notifications are sent behind the commit, in a statement of their own: inside a transaction, they would take a lock of the whole database.
 * They only make waiting shorter. Somebody who is watched for looks at the last position, too: often, until notifications have proven
 * to come, and again if one did not come, which is what a pooler in transaction mode does to them.
 */
export const live = ({ connect, pool, tables, pollIntervalMs, from }: LiveOptions): Live => {
  const own = randomUUID()
  const all = new Set<() => void>()
  let connection: Promise<Connection | undefined> | undefined
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined
  let telling: Promise<void> | undefined
  let toTell: bigint | undefined
  let known = from
  let isHearing = false
  let turns = 0
  let restTurns = 0
  let isClosed = false

  const notify = (): void => all.forEach((onAppended) => queueMicrotask(onAppended))

  /** Takes notice of a position, and says whether it is news. */
  const reached = (position: bigint): boolean => {
    if (position <= known) return false
    known = position
    return true
  }

  const heard = (payload: string): void => {
    const [from, position = ''] = payload.split(' ')
    if (from === own || !/^[0-9]{1,19}$/.test(position)) return
    isHearing = true
    if (reached(BigInt(position))) notify()
  }

  const opened = async (): Promise<Connection | undefined> => {
    let found: Connection | undefined
    try {
      found = await connect()
      found.onNotification(heard)
      found.onEnd(lost)
      await found.query(`LISTEN ${tables.channel}`)
      return found
    } catch {
      await found?.close() // a standby cannot listen
      lost()
      return undefined
    }
  }

  /** Listening is tried again after a while, and not at each look: a server that cannot do it would be asked all the time. */
  const lost = (): void => {
    isHearing = false
    connection = undefined
    restTurns = SELDOM
  }

  const look = async (): Promise<void> => {
    if (restTurns > 0) restTurns--
    else await (connection ??= opened())
    try {
      if (reached(await pool.lend((on) => readLastPosition(on, tables)))) {
        isHearing = false
        notify()
      }
    } catch {
      // the database is away: the next look will tell
    }
  }

  const start = (): void => {
    if (timer !== undefined || isClosed) return
    const lookOnce = (): void => {
      looking ??= look().finally(() => (looking = undefined))
    }
    lookOnce()
    timer = setInterval(() => {
      turns = (turns + 1) % SELDOM
      if (!isHearing || turns === 0) lookOnce()
    }, pollIntervalMs)
    timer.unref()
  }

  const tell = async (): Promise<void> => {
    while (toTell !== undefined) {
      const position = toTell
      toTell = undefined
      const text = `${own} ${position}`
      crashPoint('before-notify')
      await pool.lend((on) => on.query('SELECT pg_notify($1, $2)', [tables.channel, text])).catch(() => undefined)
      crashPoint('after-notify')
    }
  }

  const stop = (): void => {
    clearInterval(timer)
    timer = undefined
  }

  return {
    watch: (onAppended) => {
      const one = (): void => onAppended() // one entry per call, even for the same function
      all.add(one)
      start()
      return () => {
        all.delete(one)
        if (all.size === 0) stop()
      }
    },
    told: (position) => {
      reached(position)
      notify()
      if (isClosed) return
      toTell = position
      telling ??= tell().finally(() => (telling = undefined))
    },
    close: async () => {
      isClosed = true
      all.clear()
      stop()
      await looking
      await telling
      await (await connection)?.close()
    },
  }
}
