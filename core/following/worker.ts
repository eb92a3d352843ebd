import type { Clock } from '../ports/clock.ts'
import { isWithin } from '../ports/is-within.ts'
import { latch } from '../collections/latch.ts'

/** Runs one job at a time, again and again while `hasWork` is true. */
export type Worker = {
  /** Starts the job, unless one is running or there is no work. */
  readonly wake: () => void
  /** Starts the job after a short pause, so that more work gathers for it. */
  readonly wakeSoon: () => void
  /** Lets the worker pause for a while after the present job; default: 200 ms. */
  readonly rest: (forMs?: number) => void
  /** Runs another job. No job may be running. */
  readonly run: (job: () => Promise<unknown>) => void
  readonly isIdle: () => boolean
  /** Resolves when no job is running, or the worker is closed. */
  readonly idle: () => Promise<void>
  readonly isClosed: () => boolean
  /** The value of the promise; `undefined` if the worker is closed first. */
  readonly unlessClosed: <A>(promise: Promise<A>) => Promise<A | undefined>
  /** Starts no job any more. Says whether the running job ends within the time. */
  readonly close: (withinMs: number) => Promise<boolean>
}

export type WorkerOptions = {
  readonly clock: Clock
  readonly hasWork: () => boolean
  readonly job: () => Promise<void>
  /** Called if a job throws, which is a bug. */
  readonly onThrown: (thrown: unknown) => void
}

const REST_MS = 200
const SOON_MS = 25

export const worker = ({ clock, hasWork, job, onThrown }: WorkerOptions): Worker => {
  const closed = latch()
  let underWay: Promise<void> | undefined
  let isSoon = false
  let isResting = false

  const wake = (): void => {
    if (closed.isPast() || !hasWork()) return
    isResting = false // also where the job that wants to rest has not quite ended
    if (underWay === undefined) run(job)
  }

  const run = (other: () => Promise<unknown>): void => {
    underWay = ended(other)
  }

  const ended = async (other: () => Promise<unknown>): Promise<void> => {
    try {
      await other()
    } catch (thrown) {
      onThrown(thrown)
    }
    underWay = undefined
    if (!isResting) wake()
  }

  return {
    wake,
    wakeSoon: () => {
      if (isSoon) return
      isSoon = true
      clock.after(SOON_MS, () => {
        isSoon = false
        wake()
      })
    },
    rest: (forMs = REST_MS) => {
      isResting = true
      clock.after(forMs, () => {
        isResting = false // if another job is running now, the worker goes on after it
        wake()
      })
    },
    run,
    isIdle: () => underWay === undefined,
    idle: async () => {
      for (let current = underWay; current !== undefined && !closed.isPast(); current = underWay)
        await closed.unlessPast(current)
    },
    isClosed: closed.isPast,
    unlessClosed: closed.unlessPast,
    close: async (withinMs) => {
      const last = underWay ?? Promise.resolve()
      closed.pass()
      return isWithin(clock, withinMs, last)
    },
  }
}
