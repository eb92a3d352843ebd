import { encodeHex } from '../bytes.ts'
import type { Digest } from '../ports/digest.ts'

/** The SHA-256 of the bytes, lower-case hex. */
export const hexDigest = (digest: Digest, bytes: Uint8Array): string =>
  digest.sha256Hex === undefined ? encodeHex(digest.sha256(bytes)) : digest.sha256Hex(bytes)
