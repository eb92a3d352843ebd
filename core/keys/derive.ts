import type { ECDSA } from '@noble/curves/abstract/weierstrass.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { encodeHex, encodeUtf8 } from '../bytes.ts'
import type { KeyCurve } from './curve.ts'
import { ecdsaCurve } from './ecdsa-curves.ts'
import type { KeyPathIndexes } from './path.ts'

/** A private key from which others are derived. Both byte strings have 32 bytes, and are secret. */
export type ExtendedKey = {
  readonly curve: KeyCurve
  readonly privateKey: Uint8Array
  readonly chainCode: Uint8Array
}

const rootLabels: Readonly<Record<KeyCurve, string>> = {
  CURVE_SECP256K1: 'Bitcoin seed',
  CURVE_ED25519: 'ed25519 seed',
  CURVE_P256: 'Nist256p1 seed',
}

/** The root key of a seed: BIP-32 for secp256k1, and SLIP-10 for the other curves, which is the same with other names. */
export const rootOf = (seed: Uint8Array, curve: KeyCurve): ExtendedKey => {
  const label = encodeUtf8(rootLabels[curve])
  const isKey = ecdsaCurve(curve)?.utils.isValidSecretKey ?? (() => true)
  let bytes = hmac(sha512, label, seed)
  while (!isKey(bytes.subarray(0, 32))) bytes = hmac(sha512, label, bytes)
  return { curve, privateKey: bytes.subarray(0, 32), chainCode: bytes.subarray(32) }
}

/** The key at a path below the root. For ed25519 each index is hardened, whether the path says so or not: it has no other keys. */
export const deriveAt = (root: ExtendedKey, { indexes, hardened }: KeyPathIndexes): ExtendedKey =>
  indexes.reduce((parent, index, level) => childOf(parent, index, hardened[level] === true), root)

const isHardened = (curve: KeyCurve, hardened: boolean): boolean => hardened || curve === 'CURVE_ED25519'

/**
 * One step of SLIP-10. For secp256k1 it differs from BIP-32 only where BIP-32 has no key, once in 2^127 keys. Bytes are joined in memory of their
 * own, not in a pool that nobody overwrites.
 */
const childOf = ({ curve, privateKey, chainCode }: ExtendedKey, index: number, hardened: boolean): ExtendedKey => {
  const ecdsa = ecdsaCurve(curve)
  const number = new Uint8Array(4)
  new DataView(number.buffer).setUint32(0, isHardened(curve, hardened) ? index + HARDENED : index)
  const own =
    ecdsa === undefined || hardened ? concatBytes(new Uint8Array(1), privateKey) : ecdsa.getPublicKey(privateKey)
  let bytes = hmac(sha512, chainCode, concatBytes(own, number))
  if (ecdsa === undefined) return { curve, privateKey: bytes.subarray(0, 32), chainCode: bytes.subarray(32) }
  for (;;) {
    const child = sumOf(ecdsa, bytes.subarray(0, 32), privateKey)
    if (child !== undefined) return { curve, privateKey: child, chainCode: bytes.subarray(32) }
    bytes = hmac(sha512, chainCode, concatBytes(Uint8Array.of(1), bytes.subarray(32), number))
  }
}

const HARDENED = 0x8000_0000

/** The sum as a private key; `undefined` where it is 0, or where the first number is none of the group. */
const sumOf = ({ Point: { Fn } }: ECDSA, bytes: Uint8Array, privateKey: Uint8Array): Uint8Array | undefined => {
  const left = BigInt(`0x${encodeHex(bytes)}`)
  const sum = Fn.add(left, Fn.fromBytes(privateKey))
  return left >= Fn.ORDER || Fn.is0(sum) ? undefined : Fn.toBytes(sum)
}
