import { ERASE_USER_TYPE } from '../activity/erasure.ts'
import { failure, type Failure } from '../failure.ts'
import { organizationNotFound } from '../organization/ended.ts'
import { profile } from '../organization/profile.ts'
import { refused, type Turn, type Turned } from './answer.ts'
import type { Command } from './command.ts'

/**
 * Refuses what the caller may not ask in the organization, whatever its rules say; `undefined` if that is for the rules to say. One that
 * has ended takes, of its requester, the body once more that ended it; and of its parent's users `erase_user`, and votes on it.
 */
export const barredFrom = (turn: Turn, command: Command): Turned | undefined => {
  const { cell, home, caller, live } = turn
  const { endedBy } = profile.of(cell.state)
  const isVisitor = home !== cell
  const isErasure = isVisitor && isForVisitors(turn, command) && typeOf(turn, command) === ERASE_USER_TYPE
  if (endedBy === undefined || isErasure)
    return isVisitor && !isForVisitors(turn, command) ? refused(mismatch(turn)) : undefined
  if (!isVisitor && command.asks._tag === 'activity' && command.activityId === endedBy) {
    if (live === undefined && !turn.isLookedUp) return { _tag: 'look-up' }
    if (live?.activity.requester === caller.userId) return undefined
  }
  return refused(organizationNotFound(cell.organizationId))
}

/** Whether users of the parent may ask it, or vote on it. */
const isForVisitors = ({ live, home }: Turn, { asks }: Command): boolean =>
  live === undefined
    ? asks._tag === 'activity' && asks.operation.callers === 'own-or-parent'
    : live.activity.home === home.organizationId

const typeOf = ({ live }: Turn, { asks }: Command): string | undefined =>
  live?.activity.type ?? (asks._tag === 'activity' ? asks.version.type : undefined)

// It names both, because a user of the parent may read the organization. Nobody else is told that another organization has a key.
const mismatch = ({ cell, home }: Turn): Failure =>
  failure(
    'ORGANIZATION_MISMATCH',
    `organization mismatch: request is targeting organization ("${cell.organizationId}"), but voters are in organization ("${home.organizationId}")`,
  )
