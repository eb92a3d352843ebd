import { p256 } from '@noble/curves/nist.js'
import type { SignatureParts } from './signing.ts'

/** A signature of ECDSA over P-256 in ASN.1 DER, as lower-case hex. */
export const derOf = ({ r, s }: Pick<SignatureParts, 'r' | 's'>): string =>
  new p256.Signature(BigInt(`0x${r}`), BigInt(`0x${s}`)).toHex('der')

/**
 * Whether a signature in DER is that of the bytes' SHA-256. It throws for nothing.
 *
 * @param publicKey  of P-256, in hex
 */
export const isDerSignature = (publicKey: Uint8Array, bytes: Uint8Array, der: Uint8Array): boolean => {
  try {
    return p256.verify(der, bytes, publicKey, { format: 'der', prehash: true, lowS: true })
  } catch {
    return false
  }
}
