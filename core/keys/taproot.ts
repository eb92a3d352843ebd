import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { encodeHex } from '../bytes.ts'

const { Fn, BASE } = secp256k1.Point
const { lift_x: evenPoint, pointToBytes, taggedHash } = schnorr.utils

/*
 * The key path of BIP-341 without scripts. An x-only key is one of 32 bytes, the x of the point whose y is even.
 */

/** The x-only output key of an x-only internal key. */
export const outputKeyOf = (internal: Uint8Array): Uint8Array =>
  pointToBytes(evenPoint(numberOf(internal)).add(BASE.multiply(tweakOf(internal))))

/** The private key of the output key. */
export const outputPrivateKeyOf = (privateKey: Uint8Array): Uint8Array => {
  const point = BASE.multiply(Fn.fromBytes(privateKey))
  const even = point.y % 2n === 0n ? Fn.fromBytes(privateKey) : Fn.neg(Fn.fromBytes(privateKey))
  return Fn.toBytes(Fn.add(even, tweakOf(pointToBytes(point))))
}

/** Above the group's order once in 2^127 keys, for which BIP-341 has no output key: this and all that uses it throws. */
const tweakOf = (internal: Uint8Array): bigint => Fn.fromBytes(taggedHash('TapTweak', internal))

const numberOf = (bytes: Uint8Array): bigint => BigInt(`0x${encodeHex(bytes)}`)
