import { concat, decodeHex } from '../bytes.ts'
import type { Curve } from '../ports/signatures.ts'

/** The curves whose signatures are pairs of integers in DER. */
export type EcdsaCurve = Exclude<Curve, 'API_KEY_CURVE_ED25519'>

/**
 * Reads an ECDSA signature: `SEQUENCE { INTEGER r, INTEGER s }` in DER, with one leniency. An integer may have surplus
 * leading zeros as long as it takes no more than 33 bytes: a widely used JavaScript client writes `r` and `s` at full
 * width whenever they begin with a zero byte, once in 128 signatures, and parsers of strict DER refuse those.
 *
 * Everything else is DER: short-form lengths that fit exactly, no bytes behind the end, no negative integer. `r` and `s` are between 1
 * and n − 1; both high and low `s` are accepted.
 *
 * @returns `r ‖ s` in 64 bytes, or `undefined`
 */
export const parseDer = (curve: EcdsaCurve, signature: Uint8Array): Uint8Array<ArrayBuffer> | undefined => {
  if (signature[0] !== SEQUENCE || signature[1] !== signature.length - 2) return undefined
  const rLength = signature[3] ?? 0
  const s = 4 + rLength
  const pair = new Uint8Array(64)
  if (!readInteger(signature, 2, s, pair.subarray(0, 32))) return undefined
  if (!readInteger(signature, s, signature.length, pair.subarray(32))) return undefined
  return isScalar(pair.subarray(0, 32), orders[curve]) && isScalar(pair.subarray(32), orders[curve]) ? pair : undefined
}

/** Writes `r ‖ s` in 64 bytes as DER. */
export const encodeDer = (pair: Uint8Array): Uint8Array<ArrayBuffer> => {
  const r = integer(pair.subarray(0, 32))
  const s = integer(pair.subarray(32))
  return concat([Uint8Array.of(SEQUENCE, r.length + s.length), r, s])
}

/** The same signature in strict DER, which OpenSSL reads; `undefined` if `parseDer` refuses it. */
export const normalizeDer = (curve: EcdsaCurve, signature: Uint8Array): Uint8Array | undefined => {
  const pair = parseDer(curve, signature)
  if (pair === undefined) return undefined
  const s = 4 + (signature[3] ?? 0)
  return isShortest(signature, 2) && isShortest(signature, s) ? signature : encodeDer(pair)
}

const SEQUENCE = 0x30
const INTEGER = 0x02

const bytesOf = (hex: string): Uint8Array => decodeHex(hex) ?? new Uint8Array(0)

/** The number of points on each curve, n: SEC 2, sections 2.4.1 and 2.4.2. */
const orders: Record<EcdsaCurve, Uint8Array> = {
  API_KEY_CURVE_P256: bytesOf('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551'),
  API_KEY_CURVE_SECP256K1: bytesOf('fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141'),
}

/** Reads an integer into 32 bytes; it must take exactly the bytes from `start` to `end`. */
const readInteger = (bytes: Uint8Array, start: number, end: number, into: Uint8Array): boolean => {
  const length = end - start - 2
  const first = bytes[start + 2]
  if (bytes[start] !== INTEGER || bytes[start + 1] !== length || end > bytes.length) return false
  if (first === undefined || length < 1 || length > 33 || first >= 0x80) return false
  if (length === 33 && first !== 0) return false
  const value = bytes.subarray(length === 33 ? start + 3 : start + 2, end)
  into.set(value, 32 - value.length)
  return true
}

/** Whether the integer at `start` has no surplus zeros. */
const isShortest = (bytes: Uint8Array, start: number): boolean =>
  bytes[start + 2] !== 0 || bytes[start + 1] === 1 || (bytes[start + 3] ?? 0) >= 0x80

const isScalar = (value: Uint8Array, order: Uint8Array): boolean =>
  value.some((byte) => byte !== 0) && isLess(value, order)

const isLess = (a: Uint8Array, b: Uint8Array): boolean => {
  for (let i = 0; i < 32; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0)
    if (difference !== 0) return difference < 0
  }
  return false
}

const integer = (value: Uint8Array): Uint8Array => {
  let start = 0
  while (start < 31 && value[start] === 0) start++
  const sign = (value[start] ?? 0) >= 0x80 ? [0] : []
  return concat([Uint8Array.of(INTEGER, 32 - start + sign.length, ...sign), value.subarray(start)])
}
