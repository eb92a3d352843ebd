import * as t from '../../codec/t.ts'
import { port } from '../../definition/port.ts'
import { VERIFICATION_KEYS, type VerificationKeys } from '../../definition/verification-keys.ts'
import type { OnceToken } from '../../definition/operation.ts'
import { refuse, valueOf } from '../../definition/refuse.ts'
import { parentOf } from '../../organization/profile.ts'
import type { Organization } from '../../organization/state.ts'
import type { DaySecrets } from '../deployment-key/day-secrets.ts'
import { claimsIn, isSignedBy, type TokenKind } from '../deployment-key/token.ts'
import { OtpType } from './contact.ts'

/*
 * Tokens of what was verified: that somebody has received a code at a contact. The deployment's key `verification` signs them. Whoever has one may use
 * it; where it names a key, only together with a signature by that key.
 */

export const VerificationClaims = t.fields(
  {
    /** In milliseconds, as all claims a text. */
    exp: t.string,
    /** The activity that gave the token. */
    id: t.string,
    /** Where it holds: there, and in the organizations below. */
    organization_id: t.string,
    verification_type: OtpType,
    contact: t.string,
  },
  {
    /** Whose key has to sign what the token is used for: of P-256, compressed, in lower-case hex. */
    public_key: t.string,
    /** `1` for a token whose code came in plain. */
    generation: t.string,
  },
)
export type VerificationClaims = t.TypeOf<typeof VerificationClaims>

export const verificationToken: TokenKind<VerificationClaims> = {
  purpose: 'verification',
  header: '{"typ":"JWT","alg":"ES256"}',
  claims: VerificationClaims,
  signedBytes: (bytes) => bytes,
}

export const needsVerificationKeys = { [VERIFICATION_KEYS]: port<VerificationKeys>() }

const invalid = (): Error => refuse('REQUEST_INVALID', 'invalid verification token')

/** The claims of a token that this deployment has signed. */
export const claimsOf = (token: string, keys: VerificationKeys): VerificationClaims => {
  const claims = claimsIn(verificationToken, token)
  if (claims === undefined || !isSignedBy(verificationToken, token, keys.publicKeys())) throw invalid()
  return claims
}

/** Refuses a token that is over, or that does not hold in the organization. */
export const checkToken = (
  { exp, organization_id: id }: VerificationClaims,
  { organization, atMs }: { readonly organization: Organization; readonly atMs: number },
): void => {
  if (id !== organization.organizationId && id !== parentOf(organization)) throw invalid()
  if (!(atMs < Number(exp))) throw refuse('REQUEST_INVALID', 'the verification token has expired')
}

/** What a token can be used for, each once. */
const USES = { login: 'sign in', 'sign-up': 'sign up' } as const

/** Takes the one use of this kind that a token has, for an activity. */
export const takeUse = async (
  secrets: DaySecrets,
  use: keyof typeof USES,
  { tokenId, untilMs }: OnceToken,
  activityId: string,
): Promise<void> => {
  const taking = { name: `${use} by ${tokenId}`, owner: activityId, max: 1 }
  if (!valueOf(await secrets.take(taking, untilMs)()))
    throw refuse('REQUEST_INVALID', `the verification token has been used to ${USES[use]}`)
}
