import type { Clock } from '../../../core/ports/clock.ts'

/** A clock that is moved by hand. Who only makes a pause is woken soon, others when they are told. */
export type ManualClock = Clock & {
  readonly set: (atMs: number) => void
  /** Wakes all who are due. */
  readonly wake: () => void
  /** When the next is due; `undefined` if nobody waits. */
  readonly nextMs: () => number | undefined
  /** Wakes nobody any more. */
  readonly stop: () => void
}

export const manualClock = (startMs: number): ManualClock => {
  let nowMs = startMs
  let isStopped = false
  const timers = new Set<{ readonly dueMs: number; readonly wake: () => void }>()
  return {
    now: () => nowMs,
    after: (delayMs, wake) => {
      const timer = { dueMs: nowMs + delayMs, wake }
      if (isStopped) return () => undefined
      if (delayMs < PAUSE_MS) setImmediate(() => (isStopped ? undefined : wake()))
      else timers.add(timer)
      return () => void timers.delete(timer)
    },
    set: (atMs) => void (nowMs = atMs),
    wake: () => {
      for (const timer of [...timers]) if (timer.dueMs <= nowMs && timers.delete(timer)) timer.wake()
    },
    stop: () => {
      isStopped = true
      timers.clear()
    },
    nextMs: () => (timers.size === 0 ? undefined : Math.min(...[...timers].map(({ dueMs }) => dueMs))),
  }
}

const PAUSE_MS = 1000
