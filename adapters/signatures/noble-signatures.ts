import { ed25519 } from '@noble/curves/ed25519.js'
import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256, sha512 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { concat, decodeHex, encodeBase64Url, encodeHex, encodeUtf8, equal } from '../../core/bytes.ts'
import type { StreamingDigest } from '../../core/ports/digest.ts'
import type { RsaClaim, SignatureClaim, Signatures } from '../../core/ports/signatures.ts'
import { parseDer } from '../../core/stamp/der.ts'
import { slices, type Slices } from '../../core/collections/slices.ts'
import { isPublicKey } from '../../core/stamp/public-key.ts'
import { eip191Digest, eip191Prefix } from '../../core/stamp/scheme.ts'

export type NobleSignaturesOptions = {
  /** Lets other work of the process run; called between slices of long work. Default: a timer of 0 ms. */
  readonly breathe?: () => Promise<void>
}

/**
 * Verifies signatures in plain JavaScript, for runtimes without OpenSSL: 1 to 2 ms each, on the calling thread. It gives the same answer
 * as `nodeSignatures` for every claim. It also hashes what arrives in pieces, such as an export that is audited in a browser.
 */
export const nobleSignatures = ({ breathe = timer }: NobleSignaturesOptions = {}): Signatures & StreamingDigest => {
  const work = slices(breathe)
  return {
    verify: (claim) => verify(claim, work),
    verifyRsa,
    isPublicKey,
    sha256: (bytes) => sha256(bytes),
    sha256Hex: (input) => encodeHex(sha256(typeof input === 'string' ? encodeUtf8(input) : input)),
    sha256Stream: () => {
      const running = sha256.create()
      return { update: (bytes) => void running.update(bytes), digest: () => running.digest() }
    },
  }
}

/** With WebCrypto, which every runtime has: noble has no RSA. */
const verifyRsa = async ({ modulus, exponent, signature, message }: RsaClaim): Promise<boolean> => {
  if (signature.length !== modulus.length) return false
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }
  const jwk = { kty: 'RSA', n: encodeBase64Url(modulus), e: encodeBase64Url(exponent) }
  try {
    const key = await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['verify'])
    return await crypto.subtle.verify(algorithm, key, new Uint8Array(signature), new Uint8Array(message))
  } catch {
    return false
  }
}

const timer = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))

const verify = async (claim: SignatureClaim, work: Slices): Promise<boolean> => {
  const publicKey = decodeHex(claim.publicKey)
  if (publicKey === undefined) return false
  try {
    return await schemes[claim.scheme](claim, publicKey, work)
  } catch {
    return false // noble throws for points that are not on the curve
  }
}

type Verify = (claim: SignatureClaim, publicKey: Uint8Array, work: Slices) => boolean | Promise<boolean>

const verifyP256: Verify = ({ signature, message }, publicKey) => {
  const pair = parseDer('API_KEY_CURVE_P256', signature)
  return pair !== undefined && isCompressed(publicKey) && p256.verify(pair, message, publicKey, { lowS: false })
}

const verifySecp256k1: Verify = ({ signature, message }, publicKey) => {
  const pair = parseDer('API_KEY_CURVE_SECP256K1', signature)
  return pair !== undefined && isCompressed(publicKey) && secp256k1.verify(pair, message, publicKey, { lowS: false })
}

const verifyEip191: Verify = async ({ signature, message }, publicKey, work) => {
  const pair = parseDer('API_KEY_CURVE_SECP256K1', signature)
  if (pair === undefined || !isCompressed(publicKey)) return false
  const digest = message.length > SLICE ? await eip191DigestInSlices(message, work) : eip191Digest(message)
  return secp256k1.verify(pair, digest, publicKey, { lowS: false, prehash: false })
}

/** Computes the digest in slices, because Keccak of 1 MiB takes 40 ms in JavaScript, which is too long for others to wait. */
const eip191DigestInSlices = async (message: Uint8Array, work: Slices): Promise<Uint8Array> => {
  const hash = keccak_256.create().update(eip191Prefix(message))
  let at = 0
  await work(() => {
    hash.update(message.subarray(at, at + SLICE))
    at += SLICE
    return at >= message.length
  })
  return hash.digest()
}

/** The bytes of a slice: they take a little more than a millisecond. */
const SLICE = 32 * 1024

/**
 * RFC 8032, section 5.1.7, with the equation without the cofactor, and R compared as bytes, like OpenSSL. noble's own `verify` uses the
 * cofactor. For a key with a component of small order, the two could give different answers, and so could an auditor and a server.
 */
const verifyEd25519: Verify = ({ publicKey: hex, signature, message }, publicKey) => {
  if (signature.length !== 64 || !isPublicKey('API_KEY_CURVE_ED25519', hex)) return false
  const { Point } = ed25519
  const r = signature.subarray(0, 32) // 1.
  const s = littleEndian(signature.subarray(32))
  if (s >= Point.Fn.ORDER) return false
  const k = Point.Fn.create(littleEndian(sha512(concat([r, publicKey, message])))) // 2.
  const expected = Point.BASE.multiplyUnsafe(s).subtract(Point.fromBytes(publicKey).multiplyUnsafe(k)) // 3. [S]B = R + [k]A'
  return equal(expected.toBytes(), r)
}

const schemes: Record<SignatureClaim['scheme'], Verify> = {
  SIGNATURE_SCHEME_TK_API_P256: verifyP256,
  SIGNATURE_SCHEME_TK_API_SECP256K1: verifySecp256k1,
  SIGNATURE_SCHEME_TK_API_SECP256K1_EIP191: verifyEip191,
  SIGNATURE_SCHEME_TK_API_ED25519: verifyEd25519,
}

const isCompressed = (publicKey: Uint8Array): boolean => publicKey.length === 33

const littleEndian = (bytes: Uint8Array): bigint => {
  let value = 0n
  for (let i = bytes.length - 1; i >= 0; i--) value = value * 256n + BigInt(bytes[i] ?? 0)
  return value
}
