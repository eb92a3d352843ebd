import type { Clock } from '../ports/clock.ts'
import { isWithin } from '../ports/is-within.ts'

/** How long the code of a host may take with one event, where the auditor has a clock. */
export const HOST_WITHIN_MS = 10_000

/**
 * What the code of a host gives; `undefined` where it throws, rejects, or does not end in time. Then the audit cannot tell whether the log
 * is wrong, so that is no finding against the log.
 */
export const givenBy = async <A>(
  clock: Clock | undefined,
  ask: () => Promise<A>,
): Promise<{ given: A } | undefined> => {
  const answering = (async () => ({ given: await ask() }))()
  const unless = answering.catch(() => undefined)
  return clock === undefined || (await isWithin(clock, HOST_WITHIN_MS, unless)) ? unless : undefined
}
