import { quorum } from '../organization/quorum.ts'
import { createOrganization } from '../resources/organization/create-organization.ts'
import type { Auditor, Where } from './audited-log.ts'
import { checkSender } from './check-sender.ts'
import { deciderIn } from './decider-in.ts'

/** Whether an event is one with which a log may begin. */
export const isBeginning = ({ type, data }: Where['logged']['event']): boolean =>
  type === 'ActivityCreated' && 'requester' in data && data.type === createOrganization.type

/** Checks the stamp of the first activity: its key has to be a key of a root user that the activity registers. */
export const checkBeginning = (
  auditor: Auditor,
  { log }: Where,
  { where, request }: NonNullable<Where['log']['beginning']>,
): void => {
  const { event } = where.logged
  if (event.type !== 'ActivityCreated') return
  const { requester } = event.data
  checkSender(auditor, where, request, deciderIn(where, undefined))
  if (log.isStateKnown && !quorum.of(log.draft).userIds.includes(requester)) {
    where.complain('GENESIS_INVALID', 'the organization was begun by none of its root users')
  }
}
