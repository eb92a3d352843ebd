import { refuse } from '../definition/refuse.ts'
import { parentOf } from '../organization/profile.ts'
import type { Organization } from '../organization/state.ts'

/** Refuses what an organization below another one leaves to that one. */
export const onlyOnTop = (organization: Organization): void => {
  if (parentOf(organization) !== undefined)
    throw refuse('INVALID_ACTIVITY_CALLER', 'expected an organization that is not below another one')
}
