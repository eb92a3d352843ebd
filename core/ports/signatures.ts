import type { Digest } from './digest.ts'

/** How a stamp was made: the curve, and the form of the body that was signed. */
export type SignatureScheme =
  | 'SIGNATURE_SCHEME_TK_API_P256'
  | 'SIGNATURE_SCHEME_TK_API_SECP256K1'
  | 'SIGNATURE_SCHEME_TK_API_SECP256K1_EIP191'
  | 'SIGNATURE_SCHEME_TK_API_ED25519'

/** The curves of keys, as the wire names them. */
export type Curve = 'API_KEY_CURVE_P256' | 'API_KEY_CURVE_SECP256K1' | 'API_KEY_CURVE_ED25519'

/** The claim that the holder of a key signed a message. */
export type SignatureClaim = {
  readonly scheme: SignatureScheme
  /** Canonical hex: lower case; compressed (33 bytes) for the two Weierstraß curves, 32 bytes for ed25519. */
  readonly publicKey: string
  /** DER for the ECDSA schemes, as the client sent it; the 64 bytes of RFC 8032 for ed25519. */
  readonly signature: Uint8Array
  /** The bytes that were signed, before any hashing: the whole request body. */
  readonly message: Uint8Array
}

/** The claim that the holder of an RSA key signed a message: RSASSA-PKCS1-v1_5 with SHA-256, as passkeys do. */
export type RsaClaim = {
  /** Big-endian, without leading zeros; 2,048 to 4,096 bits. */
  readonly modulus: Uint8Array
  /** Big-endian, without leading zeros; odd, at least 3 and at most 32 bits. */
  readonly exponent: Uint8Array
  readonly signature: Uint8Array
  /** The bytes that were signed, before any hashing. */
  readonly message: Uint8Array
}

/**
 * Verifies signatures. All implementations give the same answer for every claim, so that a log is valid for all or for none:
 *
 * - ECDSA accepts high and low `s`, and the lenient DER that `core/stamp/der.ts` describes;
 * - ed25519 checks the equation of RFC 8032 without the cofactor and compares the encoded point, as OpenSSL does, and refuses the
 *   keys that `isPublicKey` refuses.
 */
export interface Signatures extends Digest {
  /**
   * Whether the claim is true. For a malformed key or signature it is false: the promise never rejects.
   */
  readonly verify: (claim: SignatureClaim) => Promise<boolean>

  /** As `verify`. A signature that is not exactly as long as the modulus is false. */
  readonly verifyRsa: (claim: RsaClaim) => Promise<boolean>

  /**
   * Whether the text is canonical hex of a point on the curve. For ed25519 it refuses points of small order, because one signature
   * can fit every message under them, and encodings that are not reduced.
   */
  readonly isPublicKey: (curve: Curve, publicKeyHex: string) => boolean
}
