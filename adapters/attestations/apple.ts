import { isFor } from './certificate.ts'
import { isExactly, leafOf, NO_CERTIFICATE, OTHER_KEY, signedBy, type CheckStatement } from './statement.ts'

/**
 * A certificate that Apple made for this one passkey, with the hash of the ceremony in it. There is no other signature.
 *
 * @see https://www.w3.org/TR/webauthn-3/#sctn-apple-anonymous-attestation
 */
export const checkApple: CheckStatement = async (library, statement) => {
  const certificate = leafOf(library, statement.members)
  if (certificate === undefined) return NO_CERTIFICATE
  const nonce = certificate.extension(NONCE)
  if (nonce === undefined || !isExactly(nonce, NONCE_HEAD, await library.hash(SHA_256, signedBy(statement))))
    return 'has a certificate for another ceremony'
  return isFor(certificate, statement.key) ? undefined : OTHER_KEY
}

const NONCE = '1.2.840.113635.100.8.2'
/** A sequence, in it member 1, in it an octet string of 32 bytes. */
const NONCE_HEAD = [0x30, 0x24, 0xa1, 0x22, 0x04, 0x20]
const SHA_256 = -7
