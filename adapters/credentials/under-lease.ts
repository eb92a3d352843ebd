import { leasing } from '../../core/leasing/leasing.ts'
import { CountersignError, run } from '../../core/countersign-error.ts'
import { failure } from '../../core/failure.ts'
import type { Leases } from '../../core/ports/leases.ts'

const LOOK_AGAIN_MS = 200
/** How often to look again: for a minute. */
const LOOKS_MAX = 300

/** Timers that do not keep the process alive. */
const timers = {
  now: Date.now,
  after: (delayMs: number, wake: () => void): (() => void) => {
    const timer = setTimeout(wake, delayMs).unref()
    return () => clearTimeout(timer)
  },
}

/**
 * Does a job that only one of all processes on a store may do at a time: waits for the others first.
 *
 * @param doing  what it does, for the message that another process does not end
 */
export const underLease = async <A>(
  leases: Leases | undefined,
  name: string,
  job: () => Promise<A>,
  doing = 'beginning an organization',
): Promise<A> => {
  const { hold } = leasing({ leases, clock: timers })
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    const held = await run(() => hold(name))
    if (held === undefined) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
      continue
    }
    try {
      return await job()
    } finally {
      await held.giveUp()
    }
  }
  throw new CountersignError(failure('UNAVAILABLE', `another process on this store has been ${doing} for a minute`))
}
