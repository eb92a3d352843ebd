import { VERIFICATION_KEYS, type VerificationKeys } from '../definition/verification-keys.ts'
import { isRefusal } from '../definition/refuse.ts'
import { isSignedByKey } from '../identity/signed-by-key.ts'
import { p256KeyOf } from '../identity/signing-key.ts'
import type { Basis } from '../log/decision.ts'
import { millis } from '../log/event.ts'
import type { Organization } from '../organization/state.ts'
import { attestationOf, attestedIn, isInForce, kindOfAttestation } from '../resources/verification/attestation.ts'
import type { AttestedStamp } from '../stamp/attested-stamp.ts'
import type { Auditor, Where } from './audited-log.ts'
import { believe } from './check-revision.ts'
import { watched } from './erased-reads.ts'
import { isSame } from './same-json.ts'

/** Whose the stamp is that brought a token, and who vouches for its key. */
export type StampedWith = { readonly userId: string; readonly basis: Basis }

/**
 * Says what is wrong with a stamp that brought a token: the token cannot be read, is for another key, had expired, or does not mean the user.
 *
 * @param organization  the state at that time; `undefined` if it is not known
 */
export const attestedProblem = (
  auditor: Auditor,
  stamp: AttestedStamp,
  { userId, basis }: StampedWith,
  organization: Organization | undefined,
): string | undefined => {
  const attestation = attestationOf(stamp)
  if (attestation === undefined) return 'the token of the stamp is none for its key'
  if (stamp.scheme !== basis.scheme) return 'the scheme of the stamp is not the scheme of the basis'
  const { attested } = basis
  const issuer = attestation._tag === 'identity' ? attestation.token.issuer : undefined
  if (attested?.kind !== kindOfAttestation(attestation) || attested.issuer !== issuer)
    return 'the basis does not say what the token of the stamp says'
  if (!isInForce(attestation, millis(basis.at))) return 'the token of the stamp had expired'
  if (organization === undefined) return undefined
  const { given: meant, hasRead } = watched(auditor.erasedReads, () => attestedIn(attestation, stamp, organization))
  if (hasRead) return undefined // the one who is meant may have been erased
  return meant?.userId === userId && meant.credentialId === basis.credential
    ? undefined
    : 'the token of the stamp did not mean this user'
}

/** Whether the key that the basis names has signed the token. Whose key it is, an audit takes on trust, but for those of the deployment. */
export const isVouchedFor = async (
  { services, counts, believedMax }: Auditor,
  where: Where,
  { token, proof }: AttestedStamp,
  { attested }: Basis,
): Promise<boolean> => {
  if (attested === undefined || !(await isSignedByKey(token, attested.key))) return false
  if (proof === 'identity') {
    counts.providerKeys += 1
    return true
  }
  const known = keysIn(services)
  if (known !== undefined) return known.some((hex) => isSame(p256KeyOf(hex), attested.key))
  believe({ counts, believedMax }, where, 'AUDIT_IMPOSSIBLE', 'the keys that sign verification tokens')
  return true
}

const keysIn = (services: Auditor['services']): readonly string[] | undefined => {
  const keys = services[VERIFICATION_KEYS] as VerificationKeys | undefined // the audit has put it there
  try {
    return keys?.publicKeys()
  } catch (thrown) {
    if (isRefusal(thrown)) return undefined
    throw thrown
  }
}
