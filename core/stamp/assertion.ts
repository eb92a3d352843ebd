import { concat, equal } from '../bytes.ts'
import type { Signatures } from '../ports/signatures.ts'
import { decodeAuthenticatorData } from './authenticator-data.ts'
import { decodeClientData, isChallenge, type ClientData } from './client-data.ts'
import type { CoseKey } from './cose-key.ts'

/** A signature by a passkey, with what it was made over. */
export type Assertion = {
  readonly authenticatorData: Uint8Array
  readonly clientData: Uint8Array
  /** DER for ES256, which may have a high `s`; as long as the modulus for RS256. */
  readonly signature: Uint8Array
}

/** What an assertion has to be. */
export type Expected = {
  /** The bytes of the challenge: see `isChallenge`. */
  readonly challenge: Uint8Array
  readonly publicKey: CoseKey
  /** The hash that the passkey was registered with. */
  readonly rpIdHash: Uint8Array
  /** Whether pages of this origin may ask for a signature. */
  readonly isOrigin: (origin: string) => boolean
  /** Whether origins are restricted at all: then a frame of another origin must say in which page it stood. */
  readonly hasOrigins: boolean
}

/**
 * Whether the assertion is what is expected: its client data, its origin, its relying party, a person who was present, and the signature.
 * User verification is not asked for, extensions are ignored, and the counter is not kept.
 *
 * @see https://www.w3.org/TR/webauthn-3/#sctn-verifying-assertion
 */
export const verifyAssertion =
  (signatures: Pick<Signatures, 'verify' | 'verifyRsa' | 'sha256'>) =>
  async ({ authenticatorData, clientData, signature }: Assertion, expected: Expected): Promise<boolean> => {
    const client = decodeClientData(clientData)
    const authenticator = decodeAuthenticatorData(authenticatorData)
    if (client === undefined || authenticator === undefined) return false
    if (client.type !== 'webauthn.get' || !isChallenge(client, expected.challenge) || !isFrom(client, expected))
      return false
    if (!equal(authenticator.rpIdHash, expected.rpIdHash) || !authenticator.isUserPresent) return false
    const message = concat([authenticatorData, signatures.sha256(clientData)])
    const { publicKey } = expected
    return publicKey.algorithm === 'ES256'
      ? signatures.verify({ scheme: 'SIGNATURE_SCHEME_TK_API_P256', publicKey: publicKey.point, signature, message })
      : signatures.verifyRsa({ ...publicKey, signature, message })
  }

const isFrom = ({ origin, crossOrigin, topOrigin }: ClientData, { isOrigin, hasOrigins }: Expected): boolean => {
  if (!isOrigin(origin)) return false
  if (topOrigin !== undefined) return isOrigin(topOrigin)
  return !crossOrigin || !hasOrigins
}
