import { holdsAt, isBoundTo, readIdentityToken, type IdentityToken } from '../../identity/identity-token.ts'
import type { OnceToken } from '../../definition/operation.ts'
import type { AttestedKind } from '../../log/decision.ts'
import type { Attested } from '../../organization/attested.ts'
import { identified } from '../../organization/oauth-providers.ts'
import { parentOf } from '../../organization/profile.ts'
import type { Organization } from '../../organization/state.ts'
import type { User } from '../../organization/users.ts'
import type { AttestedStamp } from '../../stamp/attested-stamp.ts'
import { claimsIn } from '../deployment-key/token.ts'
import { featureOf, hasFeature } from '../otp/contact-features.ts'
import { usersWith } from './contact.ts'
import { verificationToken, type VerificationClaims } from './verification-token.ts'

/* Stamps that bring their own proof: a token that vouches for their key, and says whose it is. */

/** What the token of a stamp says. Nobody has said yet who signed it. */
export type Attestation =
  | { readonly _tag: 'contact'; readonly claims: VerificationClaims }
  | { readonly _tag: 'identity'; readonly token: IdentityToken }

/** Reads the token of a stamp; `undefined` if it is none, or vouches for another key. */
export const attestationOf = ({ proof, token, publicKey, publicKeyText }: AttestedStamp): Attestation | undefined => {
  if (proof === 'contact') {
    const claims = claimsIn(verificationToken, token)
    return claims?.public_key === publicKey ? { _tag: 'contact', claims } : undefined
  }
  const read = readIdentityToken(token)
  return read !== undefined && isBoundTo(read, publicKeyText) ? { _tag: 'identity', token: read } : undefined
}

/** Whether the token holds at a time. */
export const isInForce = (attestation: Attestation, atMs: number): boolean =>
  attestation._tag === 'contact' ? atMs < Number(attestation.claims.exp) : holdsAt(attestation.token, atMs)

export const kindOfAttestation = (attestation: Attestation): AttestedKind => {
  if (attestation._tag === 'identity') return 'OAUTH'
  return attestation.claims.verification_type === 'OTP_TYPE_EMAIL' ? 'EMAIL_OTP' : 'SMS_OTP'
}

/**
 * The user of an organization whom the token means: the oldest one whose contact it is, if that was verified, or the one with the identity. Codes
 * may be off in the organization, and on above, where the token is from.
 */
export const attestedIn = (
  attestation: Attestation,
  { publicKey }: AttestedStamp,
  organization: Organization,
): Attested | undefined => {
  const by = (userId: string, credentialId: string): Attested => ({
    kind: 'attested',
    userId,
    credentialId,
    publicKey,
    attested: kindOfAttestation(attestation),
  })
  if (attestation._tag === 'identity') {
    const found = identified(organization, attestation.token)
    return found && by(found.user.userId, found.provider.providerId)
  }
  const { id, organization_id: issuedIn, verification_type: otpType, contact } = attestation.claims
  if (issuedIn !== organization.organizationId && issuedIn !== parentOf(organization)) return undefined
  if (!hasFeature(organization, featureOf(otpType))) return undefined
  const user = usersWith(organization, { otpType, contact }).find(hasVerified(otpType))
  return user && by(user.userId, id)
}

/** Whether the contact of a user of this type was verified. */
export const hasVerified =
  (otpType: VerificationClaims['verification_type']) =>
  ({ isEmailVerified, isPhoneNumberVerified }: User): boolean =>
    (otpType === 'OTP_TYPE_EMAIL' ? isEmailVerified : isPhoneNumberVerified) === true

/** The use of a token that can be used once: its id, and until when it could be used. An identity token has no id, and is bound to its key. */
export const onceOf = (attestation: Attestation): OnceToken | undefined =>
  attestation._tag === 'contact'
    ? { tokenId: attestation.claims.id, untilMs: Number(attestation.claims.exp) }
    : undefined
