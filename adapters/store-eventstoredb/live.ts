import { troubleOf } from './failures.ts'
import type { Following, LogClient } from './log-client.ts'
import type { LogReader } from './log-reader.ts'
import type { StreamNames } from './names.ts'

/** Those who wait for new events, of this process and of others. */
export type Live = {
  readonly watch: (onAppended: () => void) => () => void
  /** This process has appended up to this position. */
  readonly told: (position: bigint) => void
  readonly close: () => Promise<void>
}

const REOPEN_MS = 200
const REOPEN_MAX_MS = 5_000

/**
 * While somebody watches, the server is followed from the last position on that is known here; when that drops, it is followed again from there.
 *
 * @param from  the last position when the store was opened
 */
export const live = (
  client: LogClient,
  names: StreamNames,
  reader: Pick<LogReader, 'lastPosition'>,
  from: bigint,
): Live => {
  const listeners = new Set<() => void>()
  let known = from
  let following: Following | undefined
  let timer: NodeJS.Timeout | undefined
  let failures = 0
  let isClosed = false

  const notify = (): void => listeners.forEach((listener) => queueMicrotask(listener))
  const reached = (position: bigint): void => {
    if (position <= known) return
    known = position
    notify()
  }

  const begin = (): void => {
    if (isClosed || listeners.size === 0 || following !== undefined) return
    const own = client.follow(
      { prefixes: [names.organizations], after: known === 0n ? 'start' : known, withoutData: true },
      {
        onEvents: (events) => {
          failures = 0
          const last = events.at(-1)
          if (last !== undefined) reached(last.position)
        },
        onCaughtUp: () => (failures = 0),
        onDropped: (error) => {
          if (following !== own) return
          following = undefined
          again(troubleOf(error)?._tag === 'unusable')
        },
      },
    )
    following = own
  }

  /** @param isLost  whether the server does not know the position any more, because it was restored from a backup */
  const again = (isLost: boolean): void => {
    if (isClosed || timer !== undefined) return
    timer = setTimeout(
      () => {
        timer = undefined
        void (isLost ? rewind() : Promise.resolve()).then(begin)
      },
      Math.min(REOPEN_MAX_MS, REOPEN_MS * 2 ** failures),
    )
    timer.unref()
    failures += 1
  }

  const rewind = async (): Promise<void> => {
    try {
      known = await reader.lastPosition()
      notify()
    } catch {
      again(true)
    }
  }

  const stop = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    const own = following
    following = undefined
    await own?.stop()
  }

  return {
    watch: (onAppended) => {
      const one = (): void => onAppended() // one entry per call, even for the same function
      listeners.add(one)
      begin()
      return () => {
        listeners.delete(one)
        if (listeners.size === 0) void stop()
      }
    },
    told: (position) => {
      if (position === known) return
      // A lower one was overtaken by another process; or the server was restored from a backup, and everything begins again from there.
      known = position
      notify()
    },
    close: async () => {
      isClosed = true
      listeners.clear()
      await stop()
    },
  }
}
