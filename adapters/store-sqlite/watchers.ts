import type { Value } from './connection.ts'

/** The callbacks that are called after new events. */
export type Watchers = {
  readonly add: (onAppended: () => void) => () => void
  readonly notify: () => void
  readonly close: () => void
}

/** @param poll  for commits of another process: what to compare, and how often. Without it only `notify` calls the callbacks */
export const watchers = (poll?: { readonly dataVersion: () => Value; readonly intervalMs: number }): Watchers => {
  const all = new Set<() => void>()
  let timer: ReturnType<typeof setInterval> | undefined
  let known = poll?.dataVersion()

  /** Each callback runs in a microtask of its own, so that one that throws does not affect the others. */
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
