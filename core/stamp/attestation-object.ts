import { decodeCbor, isCborMap, type CborMap } from './cbor.ts'

/** What an authenticator hands over when it makes a passkey. */
export type AttestationObject = {
  /** Such as `none` or `packed`. */
  readonly format: string
  /** What vouches for the authenticator data, in that format. */
  readonly statement: CborMap
  readonly authenticatorData: Uint8Array
}

/**
 * Reads an attestation object. The statement is not judged, and members that are not named here are ignored.
 *
 * @returns `undefined` if it is not in the form of the standard
 * @see https://www.w3.org/TR/webauthn-3/#sctn-generating-an-attestation-object
 */
export const decodeAttestationObject = (bytes: Uint8Array): AttestationObject | undefined => {
  const map = bytes.length <= BYTES_MAX ? decodeCbor(bytes) : undefined
  if (!isCborMap(map)) return undefined
  const [format, statement, authenticatorData] = [map.get('fmt'), map.get('attStmt'), map.get('authData')]
  if (typeof format !== 'string' || !isCborMap(statement) || !(authenticatorData instanceof Uint8Array))
    return undefined
  return { format, statement, authenticatorData }
}

/** The longest honest ones carry five certificates and take some 8 KiB. */
const BYTES_MAX = 32_768
