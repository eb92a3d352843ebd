import type { Clock } from '../../core/ports/clock.ts'
import type { Random } from './random.ts'

/** Everything that is going to happen, and a time that passes only when it is told to. */
export type Scheduler = {
  readonly clock: Clock
  /** Something that happens at a time of the scheduler's choosing. */
  readonly later: (happen: () => void) => void
  /** Lets one of the things that are waiting happen, or time pass; false when there is nothing left. */
  readonly step: () => Promise<boolean>
  /** Sets the clock, forward or back. Timers count in time that passed, not in readings. */
  readonly jump: (ms: number) => void
}

const START_MS = Date.parse('2026-01-01T00:00:00.000Z')

export const scheduler = (random: Random): Scheduler => {
  let elapsedMs = 0
  let offsetMs = START_MS
  const waiting: (() => void)[] = []
  const timers = new Set<{ readonly dueMs: number; readonly wake: () => void }>()

  const fireDue = (): void => {
    for (const timer of [...timers]) {
      if (timer.dueMs > elapsedMs) continue
      timers.delete(timer)
      timer.wake()
    }
  }

  return {
    clock: {
      now: () => offsetMs + Math.floor(elapsedMs),
      after: (delayMs, wake) => {
        const timer = { dueMs: elapsedMs + delayMs, wake }
        timers.add(timer)
        return () => void timers.delete(timer)
      },
    },
    later: (happen) => void waiting.push(happen),
    step: async () => {
      await settle()
      if (waiting.length > 0 && (timers.size === 0 || random.chance(0.95))) {
        elapsedMs += random.below(3)
        waiting.splice(random.below(waiting.length), 1)[0]?.()
      } else if (timers.size > 0) {
        elapsedMs = Math.max(elapsedMs, Math.min(...[...timers].map(({ dueMs }) => dueMs)))
      } else {
        return false
      }
      fireDue()
      await settle()
      return true
    },
    jump: (ms) => {
      offsetMs += ms
    },
  }
}

// The engine's own steps are microtasks: they are over when the next macrotask runs.
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
