import type { Basis } from '../log/decision.ts'
import { isBoundByAddress } from '../organization/credential.ts'
import { allowsAddress } from '../organization/ip-allowlists.ts'
import type { Organization } from '../organization/state.ts'
import { users } from '../organization/users.ts'
import type { StampedRequest } from '../log/request-part.ts'
import type { Auditor, Where } from './audited-log.ts'
import { addressOf, makerOf } from './check-parts.ts'
import { checkStamp } from './check-request.ts'

/**
 * Checks who sent the request of an event, and from where.
 *
 * @param request  undefined if it is gone: the address is checked all the same
 * @param home  the state of the organization that has the user, at that time; undefined if it is not known
 */
export const checkSender = (
  auditor: Auditor,
  where: Where,
  request: StampedRequest | undefined,
  home: Organization | undefined,
): void => {
  const { event } = where.logged
  const userId = makerOf(event)
  if (userId === undefined || !('decision' in event.data)) return
  const { basis } = event.data.decision
  if (home !== undefined) checkAddressAllowed(where, home, userId, basis)
  if (request !== undefined) checkStamp(auditor, where, request, { userId, basis }, home)
}

/** Checks that the organization let in requests from the address. The basis names the credential. An erased address cannot be checked. */
const checkAddressAllowed = (
  { log, logged, complain }: Where,
  home: Organization,
  userId: string,
  basis: Basis,
): void => {
  const address = addressOf(logged)
  if (address === undefined) return
  const credential = users.of(home).get(userId)?.credentials.get(basis.credential)
  if (credential !== undefined && !isBoundByAddress(credential)) return
  if (log.isStateKnown && !allowsAddress(log.draft, { publicKey: credential?.publicKey, address }))
    complain('ADDRESS_REFUSED', 'the request came from an address that was not allowed then')
}
