import { ed25519 } from '@noble/curves/ed25519.js'
import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { decodeHex } from '../bytes.ts'
import type { Curve } from '../ports/signatures.ts'

/**
 * The one spelling in which a public key is registered, looked up and stored: lower-case hex, compressed for the two Weierstraß curves.
 * It accepts hex of either case, and uncompressed points (`04…`) if they are on the curve.
 *
 * @returns `undefined` if the text has not the form of a key. `isPublicKey` checks that a compressed point is on the curve
 */
export const canonicalPublicKey = (curve: Curve, hex: string): string | undefined => {
  if (hex.length > UNCOMPRESSED * 2) return undefined
  const bytes = decodeHex(hex)
  if (bytes === undefined) return undefined
  if (curve === 'API_KEY_CURVE_ED25519') return bytes.length === 32 ? hex.toLowerCase() : undefined
  if (bytes.length === COMPRESSED && (bytes[0] === 2 || bytes[0] === 3)) return hex.toLowerCase()
  return bytes.length === UNCOMPRESSED && bytes[0] === 4 ? compressed(curve, bytes) : undefined
}

/**
 * Whether the text is a canonical public key and a point on its curve. For ed25519, points of small order and encodings
 * that are not reduced modulo p are refused.
 *
 * It does not refuse a large key with a component of small order: no honest client makes such keys, and both verifiers give the same
 * answer for them.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8032 section 5.1.3
 * @see https://eprint.iacr.org/2020/1244 "Taming the many EdDSAs", on keys of small order
 */
export const isPublicKey = (curve: Curve, hex: string): boolean => {
  if (canonicalPublicKey(curve, hex) !== hex) return false
  try {
    if (curve !== 'API_KEY_CURVE_ED25519') return points[curve].fromHex(hex).toHex(true) === hex
    return !ed25519.Point.fromHex(hex, false).isSmallOrder() // false: an encoding that is not reduced throws
  } catch {
    return false
  }
}

const COMPRESSED = 33
const UNCOMPRESSED = 65

const points = { API_KEY_CURVE_P256: p256.Point, API_KEY_CURVE_SECP256K1: secp256k1.Point }

const compressed = (curve: keyof typeof points, bytes: Uint8Array): string | undefined => {
  try {
    return points[curve].fromBytes(bytes).toHex(true)
  } catch {
    return undefined // not on the curve
  }
}
