import type { ExecuteContext } from '../../definition/operation.ts'
import { refuse } from '../../definition/refuse.ts'

/** Refuses what somebody imports for another user: the target was made for that user alone. */
export const checkOwn = (userId: string, { requester }: Pick<ExecuteContext<unknown>, 'requester'>): void => {
  if (userId !== requester)
    throw refuse('REQUEST_NOT_AUTHORIZED', 'request not authorized: users import for themselves')
}
