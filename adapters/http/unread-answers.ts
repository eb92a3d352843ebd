import type { Exchange } from './exchange.ts'
import type { HandlerSettings } from './options.ts'
import { room } from './room.ts'

/** Answers that are being sent: their bytes stay in memory until the caller has read them. */
export type UnreadAnswers = {
  /** Whether there is room for an answer of so many bytes; it is taken until the caller has read them. */
  readonly take: (exchange: Exchange, bytes: number) => boolean
  /** Waits until there is room, and keeps it for the exchange. False if the caller is gone before that. */
  readonly wait: (exchange: Exchange, caller: string, bytes: number) => Promise<boolean>
}

type Unread = { readonly bytes: number; readonly sinceMs: number; readonly release: () => void }

/**
 * Bounds the bytes of the answers that wait to be read. If there is no room for an answer, its caller waits. Meanwhile the
 * server closes the connections of callers who have not read an answer within `requestTimeoutMs`, the slowest first.
 */
export const unreadAnswers = ({
  answerBytesHeldMax,
  requestTimeoutMs,
}: Pick<HandlerSettings, 'answerBytesHeldMax' | 'requestTimeoutMs'>): UnreadAnswers => {
  const space = room(answerBytesHeldMax)
  const unread = new Map<Exchange, Unread>() // in the order in which they began
  let timer: ReturnType<typeof setTimeout> | undefined

  const keep = (exchange: Exchange, bytes: number): void => {
    const takeBack = exchange.whenOver(() => unread.get(exchange)?.release())
    const release = (): void => {
      takeBack()
      unread.delete(exchange)
      space.leave(bytes)
    }
    unread.set(exchange, { bytes, sinceMs: performance.now(), release })
  }

  /** Closes the slowest connection when its time is over, as long as somebody waits for room. */
  const watch = (): void => {
    clearTimeout(timer)
    if (!space.isWaitedFor()) return
    const slowest = [...unread].find(([exchange]) => exchange.isBeingSent())
    const [exchange, { sinceMs }] = slowest ?? [undefined, { sinceMs: performance.now() }]
    const leftMs = sinceMs + requestTimeoutMs - performance.now()
    if (leftMs <= 0) exchange?.cutOff()
    timer = setTimeout(watch, Math.max(leftMs, 1))
    keepNothingAlive(timer)
  }

  return {
    take: (exchange, bytes) => {
      const kept = unread.get(exchange)
      if (exchange.isOver() || (kept !== undefined && kept.bytes >= bytes)) return true
      kept?.release()
      if (!space.take(bytes)) return false
      keep(exchange, bytes)
      return true
    },
    wait: async (exchange, caller, bytes) => {
      const entered = space.enter(caller, bytes, exchange)
      watch()
      if (!(await entered)) return false
      if (exchange.isOver()) space.leave(bytes)
      else keep(exchange, bytes)
      return !exchange.isOver()
    },
  }
}

/** Lets the process end before the timer. On other platforms than Node a timer can be a number, and nothing waits for it. */
const keepNothingAlive = (timer: ReturnType<typeof setTimeout> | number): void => {
  if (typeof timer === 'object') timer.unref()
}
