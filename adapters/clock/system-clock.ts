import type { Clock } from '../../core/ports/clock.ts'

/** The clock of the machine. Its timers keep the process alive only if a caller waits for them. */
export const systemClock = (): Clock => ({
  now: () => Date.now(),
  after: (delayMs, wake, isAwaited = false) => {
    let timer: NodeJS.Timeout | undefined
    // A timer of more than 31 bits of milliseconds would fire at once, so a long delay is split into several timers.
    const wait = (leftMs: number): void => {
      const stepMs = Math.min(leftMs, TIMER_MS_MAX)
      timer = setTimeout(() => (leftMs > stepMs ? wait(leftMs - stepMs) : wake()), stepMs)
      if (!isAwaited) timer.unref()
    }
    wait(Math.max(0, delayMs))
    return () => clearTimeout(timer)
  },
})

const TIMER_MS_MAX = 2 ** 31 - 1
