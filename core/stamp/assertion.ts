import { concat, equal } from '../bytes.ts'
import type { Signatures } from '../ports/signatures.ts'
import { decodeAuthenticatorData } from './authenticator-data.ts'
import { decodeClientData, isChallenge } from './client-data.ts'
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
}

/**
 * Whether the assertion is what is expected: its client data, its relying party, a person who was present, and the signature. Where it may
 * come from, `isFromOrigins` says. User verification is not asked for, extensions are ignored, and the counter is not kept.
 *
 * @see https://www.w3.org/TR/webauthn-3/#sctn-verifying-assertion
 */
export const verifyAssertion =
  (signatures: Pick<Signatures, 'verify' | 'verifyRsa' | 'sha256'>) =>
  async ({ authenticatorData, clientData, signature }: Assertion, expected: Expected): Promise<boolean> => {
    const client = decodeClientData(clientData)
    const authenticator = decodeAuthenticatorData(authenticatorData)
    if (client === undefined || authenticator === undefined) return false
    if (client.type !== 'webauthn.get' || !isChallenge(client, expected.challenge)) return false
    if (!equal(authenticator.rpIdHash, expected.rpIdHash) || !authenticator.isUserPresent) return false
    const message = concat([authenticatorData, signatures.sha256(clientData)])
    const { publicKey } = expected
    return publicKey.algorithm === 'ES256'
      ? signatures.verify({ scheme: 'SIGNATURE_SCHEME_TK_API_P256', publicKey: publicKey.point, signature, message })
      : signatures.verifyRsa({ ...publicKey, signature, message })
  }
