import * as t from '../../codec/t.ts'
import type { ExecuteContext, InspectContext } from '../../definition/operation.ts'
import { refuse } from '../../definition/refuse.ts'
import { VERIFICATION_KEYS } from '../../definition/verification-keys.ts'
import { normalContact, type Contact } from '../verification/contact.ts'
import {
  checkToken,
  claimsOf,
  type needsVerificationKeys,
  type VerificationClaims,
} from '../verification/verification-token.ts'

/** Says that somebody has proved to receive what is sent to a contact. The empty text counts as left out. */
export const VerificationToken = t.TextOrEmpty

/** What a token says, if the request has one. */
export type VerifiedBy = { readonly claims?: VerificationClaims }

export const verifiedIn = (
  { verificationToken: token }: { readonly verificationToken?: string | undefined },
  { ports }: InspectContext<typeof needsVerificationKeys>,
): VerifiedBy => (token ? { claims: claimsOf(token, ports[VERIFICATION_KEYS]) } : {})

/** Whether the request has a token for the contact. One for another contact is refused. */
export const isVerifiedBy = (
  contact: Contact,
  context: Pick<ExecuteContext<unknown, VerifiedBy>, 'organization' | 'atMs' | 'inspected'>,
): boolean => {
  const { claims } = context.inspected
  if (claims === undefined) return false
  checkToken(claims, context)
  if (!isAbout(claims, contact)) throw refuse.field('verificationToken', 'a token for this contact')
  return true
}

/** Whether a token is about a contact. */
export const isAbout = (
  { verification_type: otpType, contact: verified }: VerificationClaims,
  contact: Contact,
): boolean => otpType === contact.otpType && normalContact({ otpType, contact: verified }) === normalContact(contact)
