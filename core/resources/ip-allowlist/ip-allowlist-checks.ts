import * as t from '../../codec/t.ts'
import type { AdmitContext } from '../../definition/operation.ts'
import { refuse } from '../../definition/refuse.ts'
import { hasPublicKey } from '../../organization/credentials.ts'
import { allowedBy, ipAllowlists, OWN_LIST, type IpAllowlist } from '../../organization/ip-allowlists.ts'
import type { Organization } from '../../organization/state.ts'

/**
 * The public key whose list is meant, as the API shows it: lower-case hex for API keys, base64url for passkeys. Without it, the list of the
 * organization is meant.
 */
export const PublicKey = t.canonical(t.string, 'a public key, as the API shows it', (text) => {
  if (text.length > LENGTH_MAX) return undefined
  return HEX.test(text) ? text.toLowerCase() : BASE64_URL.test(text) ? text : undefined
})
const HEX = /^[0-9a-f]+$/i
const BASE64_URL = /^[\w-]+$/
/** COSE keys of RSA are the longest. */
const LENGTH_MAX = 2_048

/** Refuses a public key that no credential of the organization has. */
export const checkPublicKey = (organization: Organization, publicKey: string | undefined): void => {
  if (publicKey !== undefined && !hasPublicKey(organization, publicKey))
    throw refuse.notFound('public key', publicKey, organization)
}

/**
 * Refuses a change that would shut out whoever makes it: the requester, and at the vote that completes the activity the voter. An audit does
 * not ask, because addresses may be erased.
 *
 * @param list  undefined where the list is removed
 */
export const admitList = (
  publicKey: string | undefined,
  list: IpAllowlist | undefined,
  { organization, sender }: AdmitContext,
): void => {
  const lists = new Map(ipAllowlists.of(organization))
  if (list === undefined) lists.delete(publicKey ?? OWN_LIST)
  else lists.set(publicKey ?? OWN_LIST, list)
  if (!allowedBy(lists, sender)) throw refuse('REQUEST_INVALID', SHUTS_OUT)
}

const SHUTS_OUT =
  'the list would refuse the very request that sets it: expected one that allows the address and the key of this request'
