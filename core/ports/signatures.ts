import type { ApiKeyCurve } from '../organization/organization.ts'
import type { Digest } from './digest.ts'

/** How a stamp was made: the curve, and what of the body was signed. */
export type SignatureScheme =
  | 'SIGNATURE_SCHEME_TK_API_P256'
  | 'SIGNATURE_SCHEME_TK_API_SECP256K1'
  | 'SIGNATURE_SCHEME_TK_API_SECP256K1_EIP191'
  | 'SIGNATURE_SCHEME_TK_API_ED25519'

/** That the holder of a key signed a message. */
export type SignatureClaim = {
  readonly scheme: SignatureScheme
  /** Canonical hex: lower case; compressed (33 bytes) for the two Weierstraß curves, 32 bytes for ed25519. */
  readonly publicKey: string
  /** DER for the ECDSA schemes, as the client sent it; the 64 bytes of RFC 8032 for ed25519. */
  readonly signature: Uint8Array
  /** The bytes that were signed, before any hashing: the whole request body. */
  readonly message: Uint8Array
}

/**
 * Verifies signatures. Every implementation decides every claim alike, so that a log verified by one is verified by all:
 *
 * - ECDSA accepts high and low `s`, and the lenient DER that `core/stamp/der.ts` describes;
 * - ed25519 checks the equation of RFC 8032 without the cofactor and compares the encoded point, as OpenSSL does, and
 *   refuses what `isPublicKey` refuses.
 */
export interface Signatures extends Digest {
  /**
   * Whether the claim is true. A malformed key or signature makes it false: the promise never rejects.
   */
  readonly verify: (claim: SignatureClaim) => Promise<boolean>

  /**
   * Whether the text is canonical hex of a point on the curve. For ed25519 it refuses points of small order, under which
   * one signature can fit every message, and encodings that are not reduced.
   */
  readonly isPublicKey: (curve: ApiKeyCurve, publicKeyHex: string) => boolean
}
