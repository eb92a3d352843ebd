import { p256 } from '@noble/curves/nist.js'
import * as t from '../../codec/t.ts'
import { decodeHex } from '../../bytes.ts'
import { signKeyOf } from './qos-public-key.ts'

/** A signature of QuorumOS in hexadecimal digits: r and s, 32 bytes each. */
export const ApprovalSignature = t.canonical(t.string, 'a signature of 64 bytes in hexadecimal digits', (text) =>
  text.length === 128 && decodeHex(text) !== undefined ? text.toLowerCase() : undefined,
)

/**
 * Whether the operator with this key signed the hash of the manifest: ECDSA of P-256 over the SHA-256 of that hash. As in QuorumOS, a high s
 * is right: its signers make one half of the time, and an operator counts once in any case.
 */
export const isSignedBy = (publicKey: string, hash: Uint8Array, signature: string): boolean => {
  const [key, pair] = [decodeHex(signKeyOf(publicKey)), decodeHex(signature)]
  if (key === undefined || pair === undefined) return false
  try {
    return p256.verify(pair, hash, key, { lowS: false })
  } catch {
    return false // r or s is not between 1 and n − 1
  }
}
