import { p256 } from '@noble/curves/nist.js'
import * as t from '../../codec/t.ts'

/** The digits of an uncompressed point of P-256. */
const POINT_DIGITS = 130

/**
 * A public key of QuorumOS in hexadecimal digits: two uncompressed points of P-256. To the first one is encrypted, and with the second
 * one signatures are verified.
 */
export const QosPublicKey = t.canonical(
  t.string,
  'a public key of QuorumOS: two uncompressed points of P-256, 130 bytes in hexadecimal digits',
  (text) => {
    if (text.length !== 2 * POINT_DIGITS) return undefined
    const key = text.toLowerCase()
    return isPoint(encryptKeyOf(key)) && isPoint(signKeyOf(key)) ? key : undefined
  },
)

export const encryptKeyOf = (publicKey: string): string => publicKey.slice(0, POINT_DIGITS)
export const signKeyOf = (publicKey: string): string => publicKey.slice(POINT_DIGITS)

const isPoint = (hex: string): boolean => {
  try {
    p256.Point.fromHex(hex)
    return true
  } catch {
    return false // no hexadecimal digits, or not on the curve
  }
}
