/** What an authenticator says of an assertion. */
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

const HASH_BYTES = 32
/** The hash, one byte of flags, and a counter of four. */
const LENGTH = 37
const LENGTH_MAX = 16_384
const [USER_PRESENT, USER_VERIFIED, ATTESTED, EXTENSIONS] = [0x01, 0x04, 0x40, 0x80]
