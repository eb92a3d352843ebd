import type { Operation } from '../definition/operation.ts'
import type { EventOf } from '../log/event.ts'
import { parentOf } from '../organization/profile.ts'
import type { Organization } from '../organization/state.ts'
import type { Where } from './audited-log.ts'

/**
 * The state of the organization whose users decide on the activity of an event; `undefined` where it is not known.
 *
 * @param home  the id of the parent, if its users decide
 */
export const deciderIn = ({ log, others }: Where, home: string | undefined): Organization | undefined => {
  if (home !== undefined) return others?.get(home)?.state
  return log.isStateKnown ? log.draft : undefined
}

/** Checks that the users of the parent decide only where the operation lets them, and only those of the parent. */
export const checkHome = (
  { log, complain }: Where,
  { data: { home } }: EventOf<'ActivityCreated'>,
  form: Operation | undefined,
): void => {
  if (home === undefined) return
  if (form !== undefined && form.callers !== 'own-or-parent')
    complain('BASIS_DIFFERS', 'the operation is for users of its own organization alone, and another one decided')
  if (log.isStateKnown && parentOf(log.draft) !== home)
    complain('BASIS_DIFFERS', 'an organization decided that is not the parent')
}
