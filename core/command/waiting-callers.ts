import { tally } from '../collections/tally.ts'

/** Counts the waiting callers of each organization, up to a bound. */
export const waitingCallers = (max: number) => {
  const { of, up, down } = tally()
  return {
    /** Whether there is room for one more; then it is counted. */
    enter: (organizationId: string): boolean => {
      const hasRoom = of(organizationId) < max
      if (hasRoom) up(organizationId)
      return hasRoom
    },
    leave: down,
  }
}
