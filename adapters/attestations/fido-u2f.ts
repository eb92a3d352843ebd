import { concat } from '../../core/bytes.ts'
import { decodeFlatMap } from '../../core/stamp/cbor.ts'
import { bytesOf, leafOf, NO_CERTIFICATE, NOT_SIGNED, type CheckStatement } from './statement.ts'

/**
 * Signed by a security key older than passkeys. The model is not part of what is signed.
 *
 * @see https://www.w3.org/TR/webauthn-3/#sctn-fido-u2f-attestation
 */
export const checkFidoU2f: CheckStatement = async (library, { members, attested, clientDataHash, key }) => {
  const signature = bytesOf(members, 'sig')
  if (signature === undefined) return 'has no signature'
  const certificate = leafOf(library, members)
  if (certificate === undefined) return NO_CERTIFICATE
  const [x, y] = [X, Y].map((name) => decodeFlatMap(attested.publicKey)?.get(name))
  if (key.algorithm !== 'ES256' || !(x instanceof Uint8Array) || !(y instanceof Uint8Array))
    return 'is about a key that is not on P-256'
  const { rpIdHash, credentialId } = attested
  const data = concat([RESERVED, rpIdHash, clientDataHash, credentialId, UNCOMPRESSED, x, y])
  return (await library.isSigned({ by: certificate, algorithm: ES256, signature, data })) ? undefined : NOT_SIGNED
}

const [X, Y] = [-2, -3]
const ES256 = -7
const RESERVED = Uint8Array.of(0)
const UNCOMPRESSED = Uint8Array.of(4)
