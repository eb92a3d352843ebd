import { CLOCK_LAG_MAX_MS } from '../deciding/times.ts'
import { failure, type Failure } from '../failure.ts'
import type { Cell } from '../writing/cell.ts'
import type { CommandPorts } from './bus.ts'

/**
 * Refuses to decide where the clock is too far behind the log, and tells the operator: approvals would not lapse and keys would not expire, and
 * the log would not show how old requests are.
 *
 * @returns undefined where the clock is near enough
 */
export const clockIsBehind = (
  { accidents, rules: { clockLagMaxMs = CLOCK_LAG_MAX_MS } }: Pick<CommandPorts, 'accidents' | 'rules'>,
  { organizationId }: Pick<Cell, 'organizationId'>,
  lagMs: number,
): Failure | undefined => {
  if (lagMs <= clockLagMaxMs) return undefined
  const message =
    'the clock is too far behind the log of an organization, which takes no commands until it is set right'
  accidents.note(`${organizationId} ${message}`, () => ({
    level: 'error',
    message,
    context: { organizationId, lagMs },
  }))
  return failure(
    'UNAVAILABLE',
    `the clock of the server is ${Math.round(lagMs / 1000)} s behind the log of the organization`,
  )
}
