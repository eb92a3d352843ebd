import { decodeCbor, decodeFirstCbor, isCborMap } from './cbor.ts'

/** What an authenticator says of a ceremony. */
export type AuthenticatorData = {
  /** SHA-256 of the id of the relying party. */
  readonly rpIdHash: Uint8Array
  /** Whether a person was there, and touched it. */
  readonly isUserPresent: boolean
  /** Whether that person was recognized, by a PIN for instance. */
  readonly isUserVerified: boolean
}

/**
 * Reads authenticator data. What may follow, attested credentials and extensions, is not read, but must be announced by its flag.
 *
 * @returns `undefined` if it is cut off, or longer than its flags say
 * @see https://www.w3.org/TR/webauthn-3/#sctn-authenticator-data
 */
export const decodeAuthenticatorData = (bytes: Uint8Array): AuthenticatorData | undefined => {
  const flags = bytes[HASH_BYTES]
  if (flags === undefined || bytes.length < LENGTH || bytes.length > LENGTH_MAX) return undefined
  const isLonger = (flags & (ATTESTED | EXTENSIONS)) !== 0
  if (isLonger !== bytes.length > LENGTH) return undefined
  return {
    rpIdHash: bytes.subarray(0, HASH_BYTES),
    isUserPresent: (flags & USER_PRESENT) !== 0,
    isUserVerified: (flags & USER_VERIFIED) !== 0,
  }
}

/** What an authenticator says when it makes a passkey. */
export type AttestedData = AuthenticatorData & {
  /** The model of the authenticator: 16 bytes, all zero where it is not told. */
  readonly aaguid: Uint8Array
  readonly credentialId: Uint8Array
  /** The COSE key, in its own bytes. */
  readonly publicKey: Uint8Array
}

/**
 * Reads the authenticator data of a registration, to its last byte.
 *
 * @returns `undefined` if it is not in the form of the standard, or carries no credential
 * @see https://www.w3.org/TR/webauthn-3/#sctn-attested-credential-data
 */
export const decodeAttestedData = (bytes: Uint8Array): AttestedData | undefined => {
  const data = decodeAuthenticatorData(bytes)
  const flags = bytes[HASH_BYTES] ?? 0
  if (data === undefined || (flags & ATTESTED) === 0 || bytes.length < ID_AT) return undefined
  const keyAt = ID_AT + (bytes[ID_AT - 2] ?? 0) * 256 + (bytes[ID_AT - 1] ?? 0)
  const key = decodeFirstCbor(bytes.subarray(keyAt))
  if (key === undefined) return undefined
  const end = keyAt + key.length
  const hasExtensions = (flags & EXTENSIONS) !== 0
  if (hasExtensions ? !isCborMap(decodeCbor(bytes.subarray(end))) : end !== bytes.length) return undefined
  return {
    ...data,
    aaguid: bytes.subarray(LENGTH, ID_AT - 2),
    credentialId: bytes.subarray(ID_AT, keyAt),
    publicKey: bytes.subarray(keyAt, end),
  }
}

const HASH_BYTES = 32
/** The hash, one byte of flags, and a counter of four. */
const LENGTH = 37
/** Behind them: the AAGUID, two bytes with the length of the credential's id, and the id. */
const ID_AT = LENGTH + 16 + 2
const LENGTH_MAX = 16_384
const [USER_PRESENT, USER_VERIFIED, ATTESTED, EXTENSIONS] = [0x01, 0x04, 0x40, 0x80]
