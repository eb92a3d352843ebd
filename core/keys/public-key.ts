import { ed25519 } from '@noble/curves/ed25519.js'
import { decodeHex, encodeHex } from '../bytes.ts'
import type { KeyCurve } from './curve.ts'
import { ecdsaCurve } from './ecdsa-curves.ts'

/** Whether the bytes are a private key: 32 bytes, and for secp256k1 and P-256 a number from 1 to the order of the group less 1. */
export const isPrivateKey = (curve: KeyCurve, bytes: Uint8Array): boolean =>
  bytes.length === 32 && (ecdsaCurve(curve)?.utils.isValidSecretKey(bytes) ?? true)

/** How many random bytes `newPrivateKey` needs. */
export const randomBytesOf = (curve: KeyCurve): number => (curve === 'CURVE_ED25519' ? 32 : 48)

/**
 * A private key of 32 bytes. For secp256k1 and P-256 it is the random number reduced to the group: with 48 bytes, no key is more probable
 * than another by more than 2^-128 (FIPS 186-5, A.2.1).
 *
 * @param random  as many bytes as `randomBytesOf` says, used for nothing else
 * @throws for any other number of bytes
 */
export const newPrivateKey = (curve: KeyCurve, random: Uint8Array): Uint8Array => {
  if (random.length !== randomBytesOf(curve)) throw new Error(`expected ${randomBytesOf(curve)} random bytes`)
  return ecdsaCurve(curve)?.utils.randomSecretKey(random) ?? random.slice()
}

/**
 * The public key as lower-case hex: compressed, 33 bytes; for ed25519, 32 bytes.
 *
 * @throws if it is not a private key
 */
export const publicKeyOf = (curve: KeyCurve, privateKey: Uint8Array): string =>
  encodeHex(ecdsaCurve(curve)?.getPublicKey(privateKey, true) ?? ed25519.getPublicKey(privateKey))

/** Whether the text is a public key in the form of `publicKeyOf`, and its point is on the curve. */
export const isPublicKey = (curve: KeyCurve, hex: string): boolean => {
  const bytes = HEX.test(hex) ? decodeHex(hex) : undefined
  if (bytes === undefined) return false
  const ecdsa = ecdsaCurve(curve)
  return ecdsa === undefined ? ed25519.utils.isValidPublicKey(bytes, false) : ecdsa.utils.isValidPublicKey(bytes, true)
}

const HEX = /^[0-9a-f]+$/

/**
 * The uncompressed form of a public key: 65 bytes as lower-case hex. A key of ed25519 has one form, and stays as it is.
 *
 * @throws if it is not a public key
 */
export const uncompressed = (curve: KeyCurve, hex: string): string =>
  ecdsaCurve(curve)?.Point.fromHex(hex).toHex(false) ?? hex
