import { refuse } from '../../core/ports/refusal.ts'
import { randomUUID } from 'node:crypto'
import { crashPoint } from '../crash-point.ts'
import type { Connect, Connection } from './connect.ts'
import type { Pool } from './pool.ts'
import { isPooled } from './pooling.ts'
import { readLastPosition } from './read-log.ts'
import type { Tables } from './tables.ts'

/** Those who wait for new events, here and in other processes. */
export type Live = {
  readonly watch: (onAppended: () => void) => () => void
  /** Tells everybody that the log goes up to this position now. */
  readonly told: (position: bigint) => void
  /** Hears of moved checkpoints, where notifications come. */
  readonly watchMoves: (onMoved: () => void) => () => void
  /** Tells everybody that a checkpoint was moved. */
  readonly toldOfMove: () => void
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

/** In place of a position: a checkpoint was moved. */
const MOVED = 'moved'
const TELL = 'SELECT pg_notify($1, $2)'
/** How long others wait for the next notification at least: many groups are told by one, which is a transaction of its own. */
const TELL_AGAIN_MS = 5

/** While notifications come, a look is only for one that was lost. */
const SELDOM = 20

/**
 * Notifications are sent behind the commit, in a statement of their own: inside a transaction, they would take a lock of the whole database.
 * They only make waiting shorter. Somebody who is watched for looks at the last position, too: often, until notifications have proven
 * to come, and again if one did not come. Behind a pooler in transaction mode none comes, so that there is nothing but looking.
 */
export const live = ({ connect, pool, tables, pollIntervalMs, from }: LiveOptions): Live => {
  const own = randomUUID()
  const all = new Set<() => void>()
  const moves = new Set<() => void>()
  let connection: Promise<Connection | undefined> | undefined
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined
  let telling: Promise<void> | undefined
  let toTell: bigint | undefined
  let hasToTellOfMove = false
  let known = from
  let isHearing = false
  let turns = 0
  let restTurns = 0
  let isClosed = false

  const notify = (listeners = all): void => listeners.forEach((listener) => queueMicrotask(listener))

  /** Takes notice of a position, and says whether it is news. */
  const reached = (position: bigint): boolean => {
    if (position <= known) return false
    known = position
    return true
  }

  const heard = (payload: string): void => {
    const [from, position = ''] = payload.split(' ')
    if (from === own) return
    if (position === MOVED) return notify(moves)
    if (!/^[0-9]{1,19}$/.test(position)) return
    isHearing = true
    if (reached(BigInt(position))) notify()
  }

  const opened = async (): Promise<Connection | undefined> => {
    let found: Connection | undefined
    try {
      found = await connect()
      found.onNotification(heard)
      found.onEnd(lost)
      if (await isBehindPooler(found)) throw refuse('UNAVAILABLE', 'a pooler swallows notifications')
      await found.query(`LISTEN ${tables.channel}`)
      return found
    } catch {
      await found?.close() // a standby cannot listen, either
      lost()
      return undefined
    }
  }

  /**
   * A pooler in transaction mode would keep the listening for whoever gets that connection of the server next: each notification would
   * be a warning in its log, and reach nobody or a stranger.
   */
  const isBehindPooler = (own: Connection): Promise<boolean> => pool.lend((other) => isPooled(own, other))

  /** Listening is tried again after a while, and not at each look: a server that cannot do it would be asked all the time. */
  const lost = (): void => {
    isHearing = false
    connection = undefined
    restTurns = SELDOM
  }

  const look = async (): Promise<void> => {
    if (restTurns > 0) restTurns--
    else await (connection ??= opened())
    const before = known
    try {
      const position = await pool.lend((on) => readLastPosition(on, tables))
      if (position < before) {
        known = position // the database has lost its end, and grows again from there
        notify()
      } else if (reached(position)) {
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
    for (;;) {
      const news = toTell ?? (hasToTellOfMove ? MOVED : undefined)
      if (news === undefined) break
      if (news === MOVED) hasToTellOfMove = false
      else toTell = undefined
      const text = `${own} ${news}`
      crashPoint('before-notify')
      await pool.lend((on) => on.prepared('tell', TELL, [tables.channel, text])).catch(() => undefined)
      crashPoint('after-notify')
      if (!isClosed) await new Promise((resolve) => setTimeout(resolve, TELL_AGAIN_MS))
    }
    telling = undefined // in the turn of the last look: whatever comes now begins again
  }

  const goOnTelling = (): void => {
    if (!isClosed) telling ??= tell()
  }

  const stop = (): void => {
    clearInterval(timer)
    timer = undefined
  }

  const listenIn = (listeners: Set<() => void>, listener: () => void): (() => void) => {
    const one = (): void => listener() // one entry per call, even for the same function
    listeners.add(one)
    start()
    return () => {
      listeners.delete(one)
      if (all.size + moves.size === 0) stop()
    }
  }

  return {
    watch: (onAppended) => listenIn(all, onAppended),
    told: (position) => {
      reached(position)
      notify()
      toTell = position
      goOnTelling()
    },
    watchMoves: (onMoved) => listenIn(moves, onMoved),
    toldOfMove: () => {
      notify(moves)
      hasToTellOfMove = true
      goOnTelling()
    },
    close: async () => {
      isClosed = true
      all.clear()
      moves.clear()
      stop()
      await looking
      await telling
      await (await connection)?.close()
    },
  }
}
