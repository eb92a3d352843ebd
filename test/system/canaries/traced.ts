import type { Logger } from 'pino'
import type { Telemetry } from '../../../core/ports/telemetry.ts'

/** Telemetry that also writes everything that a tracer would see into the log. */
export const traced = (telemetry: Telemetry, log: Pick<Logger, 'trace'>): Telemetry => ({
  ...telemetry,
  span: async (name, attributes, work, outcome) => {
    const result = await work()
    log.trace({ attributes, outcome: outcome(result) }, name)
    return result
  },
  spanSync: (name, attributes, work, outcome) => {
    const result = work()
    log.trace({ attributes, outcome: outcome(result) }, name)
    return result
  },
})
