import type { Value } from './connection.ts'

/** Those who want to hear of new events. */
export type Watchers = {
  readonly add: (onAppended: () => void) => () => void
  readonly notify: () => void
  readonly close: () => void
}

/** @param poll  tells whether another process has committed, and how often to ask; without it only `notify` is heard */
export const watchers = (poll?: { readonly dataVersion: () => Value; readonly intervalMs: number }): Watchers => {
  const all = new Set<() => void>()
  let timer: ReturnType<typeof setInterval> | undefined
  let known = poll?.dataVersion()

  /** Each in a turn of its own: what one throws is its own bug, and nobody else's. */
  const notify = (): void => all.forEach((onAppended) => queueMicrotask(onAppended))

  const look = (): void => {
    const current = poll?.dataVersion()
    if (current !== known) notify()
    known = current
  }

  const start = (): void => {
    if (poll === undefined) return
    timer ??= setInterval(look, poll.intervalMs)
    timer.unref()
  }

  const stop = (): void => {
    clearInterval(timer)
    timer = undefined
  }

  return {
    add: (onAppended) => {
      const own = () => onAppended() // one entry per call, even for the same function
      all.add(own)
      start()
      return () => {
        all.delete(own)
        if (all.size === 0) stop()
      }
    },
    notify,
    close: () => {
      all.clear()
      stop()
    },
  }
}
