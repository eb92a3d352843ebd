import * as t from '../../codec/t.ts'
import { ERASE_USER_TYPE, type ErasedRequests } from '../../activity/erasure.ts'
import { operation } from '../../definition/operation.ts'
import { port } from '../../definition/port.ts'
import { refusal, valueOf, type Refusal } from '../../definition/refuse.ts'
import { invalidAt } from '../../codec/codec.ts'
import { deletedUsers } from '../../organization/deleted-users.ts'
import { hasEnded } from '../../organization/ended.ts'
import { providerIdsOf } from '../../organization/oauth-providers.ts'
import { parentOf, profile } from '../../organization/profile.ts'
import type { Organization } from '../../organization/state.ts'
import { users } from '../../organization/users.ts'
import { untilDone } from '../until-done.ts'
import { Erased, ErasureChange, ERASING, Head, Requests, type Erasing } from './erasing.ts'
import { readRanges } from './sequences.ts'

const MINUTE_MS = 60_000

/**
 * Erases what the log has of a user who was deleted, or whose organization was. In an organization below another one, the parent may
 * decide it; it is the one command that a deleted one takes. With `subOrganizationId`, it erases what *this* log has of a user of the
 * organization below: the request that created it.
 */
export const eraseUser = operation({
  type: ERASE_USER_TYPE,
  path: 'erase_user',
  summary: 'Erases the personal data of a deleted user: names, contacts, addresses, and the requests that hold them.',
  resource: 'USER',
  action: 'ERASE',
  callers: 'own-or-parent',
  intent: t.fields({ userId: t.Uuid }, { requests: Requests, head: Head, subOrganizationId: t.Uuid }),
  result: t.fields({
    userId: t.string,
    /** How many parts of events are erased. */
    erasedParts: t.number,
  }),
  change: ErasureChange,
  paramNames: ['user_id', 'requests'],
  params: ({ userId, requests = 'NAMING' }) => ({ user_id: userId, requests }),
  reads: ({ subOrganizationId }) => (subOrganizationId === undefined ? [] : [subOrganizationId]),

  check: ({ userId, requests = 'NAMING', head, subOrganizationId }, { organization, others, attempt }) => {
    const { organizationId } = organization
    const isFirst = attempt === 1
    if (isFirst) {
      if (subOrganizationId === undefined) refuseErasure(userId, organization)
      else refuseBelow(userId, organizationId, others.get(subOrganizationId))
    }
    if (head === undefined) throw refuseAt('head', 'missing field; expected a head of the log')
    if (isFirst) refuseEarlier(head, userId, organization, subOrganizationId !== undefined)
    return { organizationId, userId, requests: requests satisfies ErasedRequests, head }
  },

  perform: {
    ...untilDone(MINUTE_MS),
    needs: { [ERASING]: port<Erasing>() },
    performed: Erased,
    run: async (toErase, { ports, signal }) => valueOf(await ports[ERASING].erase(toErase, signal)()),
  },

  execute: ({ userId, requests = 'NAMING', subOrganizationId }, { performed, organization }) => ({
    result: { userId, erasedParts: countOf(performed) },
    change: {
      userId,
      requests,
      ...performed,
      subOrganizationId,
      providerIds: subOrganizationId === undefined ? providerIdsOf(organization, [userId]) : undefined,
    },
  }),

  evolve: (draft, { userId, subOrganizationId }, { sequence }) => {
    if (subOrganizationId !== undefined) return // a user of the organization below: this one has no such user
    const deleted = deletedUsers.of(draft).get(userId) ?? { sequence: String(sequence) }
    deletedUsers.in(draft).set(userId, { ...deleted, isErased: true })
  },
})

const refuseAt = (field: string, description: string): Refusal =>
  refusal(invalidAt('parameters', [{ field, description }]))

const refuseErasure = (userId: string, organization: Organization): void => {
  const deleted = deletedUsers.of(organization).get(userId)
  const isThere = users.of(organization).has(userId) && deleted === undefined
  if (isThere && hasEnded(organization)) return
  if (isThere) throw refuseAt('userId', 'the user is still there; delete the user first')
  if (deleted === undefined) throw refuseAt('userId', 'expected the id of a user who was deleted')
  if (deleted.isErased) throw refuseAt('userId', 'the data of this user is erased already')
}

/** An audit keeps the hashes of the lines from there on. */
const refuseEarlier = (head: Head, userId: string, organization: Organization, isOfChild: boolean): void => {
  const { endedAt = '0', firstChildAt = '0' } = profile.of(organization)
  const deletedAt = deletedUsers.of(organization).get(userId)?.sequence ?? endedAt
  if (isOfChild && BigInt(head.sequence) < BigInt(firstChildAt))
    throw refuseAt('head', 'expected a head at or behind the creation of the organization below')
  if (!isOfChild && BigInt(head.sequence) < BigInt(deletedAt))
    throw refuseAt('head', 'expected a head at or behind the deletion of the user, or of the organization')
}

const refuseBelow = (userId: string, organizationId: string, child: Organization | undefined): void => {
  if (child === undefined || parentOf(child) !== organizationId)
    throw refuseAt('subOrganizationId', 'expected the id of an organization below this one')
  const isGone = deletedUsers.of(child).has(userId) || (hasEnded(child) && users.of(child).has(userId))
  if (!isGone) throw refuseAt('userId', 'expected the id of a user who was deleted there, or whose organization was')
}

const countOf = ({ erased }: Erased): number => {
  let count = 0n
  for (const { sequences } of erased) for (const { from, to } of readRanges(sequences) ?? []) count += to - from + 1n
  return Number(count)
}
