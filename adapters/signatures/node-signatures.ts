import { createPublicKey, hash, verify as opensslVerify, type KeyObject } from 'node:crypto'
import { boundedMap } from '../../core/collections/bounded-map.ts'
import { concat, decodeHex, decodeLatin1, encodeBase64Url } from '../../core/bytes.ts'
import type { Curve } from '../../core/ports/signatures.ts'
import type { RsaClaim, SignatureClaim, Signatures } from '../../core/ports/signatures.ts'
import { normalizeDer } from '../../core/stamp/der.ts'
import { canonicalPublicKey, isPublicKey } from '../../core/stamp/public-key.ts'
import { curveOf } from '../../core/stamp/scheme.ts'
import { nobleSignatures } from './noble-signatures.ts'

export type NodeSignaturesOptions = {
  /** How many parsed public keys are kept, about 1 kB each. Parsing costs as much as verifying. Default: 10,000. */
  readonly keysMax?: number
}

/**
 * Verifies signatures with the OpenSSL of Node, in its thread pool: the event loop stays free, and two cores verify two signatures at
 * once. EIP-191 is the exception: this OpenSSL has no Keccak, and does not accept a digest that was made elsewhere. So noble verifies
 * these signatures on the calling thread: it hashes a long message in slices, and takes 1 ms for the signature.
 */
export const nodeSignatures = ({ keysMax = 10_000 }: NodeSignaturesOptions = {}): Signatures => {
  const keys = keyCache(keysMax)
  const rsaKeys = rsaKeyCache(keysMax)
  const noble = nobleSignatures({ breathe: () => new Promise((resolve) => setImmediate(resolve)) })
  return {
    verify: (claim) => (claim.scheme === EIP191 ? noble.verify(claim) : verify(keys, claim)),
    verifyRsa: (claim) => verifyRsa(rsaKeys, claim),
    isPublicKey,
    sha256: (bytes) => decodeLatin1(hash('sha256', bytes, 'binary')), // with a Buffer for each digest it would take half as long again
    sha256Hex: (input) => hash('sha256', input, 'hex'),
  }
}

const EIP191 = 'SIGNATURE_SCHEME_TK_API_SECP256K1_EIP191'

const verify = async (keys: Keys, { scheme, publicKey, signature, message }: SignatureClaim): Promise<boolean> => {
  const curve = curveOf(scheme)
  const readable = signatureFor(curve, signature)
  const key = readable && keys(curve, publicKey)
  if (readable === undefined || key === undefined) return false
  return isSigned(hashes[curve], message, key, readable)
}

const verifyRsa = async (keys: RsaKeys, claim: RsaClaim): Promise<boolean> => {
  const { modulus, signature, message } = claim
  const key = signature.length === modulus.length ? keys(claim) : undefined
  return key !== undefined && isSigned('sha256', message, key, signature)
}

const isSigned = (
  hashed: 'sha256' | null,
  message: Uint8Array,
  key: KeyObject,
  signature: Uint8Array,
): Promise<boolean> =>
  new Promise((resolve) => {
    opensslVerify(hashed, message, key, signature, (error, isValid) => resolve(error === null && isValid))
  })

const signatureFor = (curve: Curve, signature: Uint8Array): Uint8Array | undefined => {
  if (curve !== 'API_KEY_CURVE_ED25519') return normalizeDer(curve, signature)
  return signature.length === 64 ? signature : undefined
}

type RsaKeys = (claim: Pick<RsaClaim, 'modulus' | 'exponent'>) => KeyObject | undefined

const rsaKeyCache = (keysMax: number): RsaKeys => {
  const parsed = boundedMap<string, KeyObject>(keysMax)
  return ({ modulus, exponent }) => {
    const jwk = { kty: 'RSA', n: encodeBase64Url(modulus), e: encodeBase64Url(exponent) }
    const name = `${jwk.e}:${jwk.n}`
    const known = parsed.get(name)
    if (known !== undefined) return known
    try {
      const key = createPublicKey({ key: jwk, format: 'jwk' })
      parsed.set(name, key)
      return key
    } catch {
      return undefined
    }
  }
}

type Keys = (curve: Curve, publicKey: string) => KeyObject | undefined

/** Keeps parsed keys, and forgets the least recently used one. */
const keyCache = (keysMax: number): Keys => {
  const parsed = boundedMap<string, KeyObject>(keysMax)
  return (curve, publicKey) => {
    const name = `${curve}:${publicKey}`
    const known = parsed.get(name)
    if (known !== undefined) return known
    const key = parseKey(curve, publicKey)
    if (key !== undefined) parsed.set(name, key)
    return key
  }
}

const parseKey = (curve: Curve, publicKey: string): KeyObject | undefined => {
  // OpenSSL accepts any 32 bytes as an ed25519 key, so bytes that are no key have to be refused here.
  const isKey =
    curve === 'API_KEY_CURVE_ED25519'
      ? isPublicKey(curve, publicKey)
      : canonicalPublicKey(curve, publicKey) === publicKey
  const point = isKey ? decodeHex(publicKey) : undefined
  if (point === undefined) return undefined
  try {
    return createPublicKey({ key: Buffer.from(concat([spkiPrefixes[curve], point])), format: 'der', type: 'spki' })
  } catch {
    return undefined // not on the curve
  }
}

const hashes: Record<Curve, 'sha256' | null> = {
  API_KEY_CURVE_P256: 'sha256',
  API_KEY_CURVE_SECP256K1: 'sha256',
  API_KEY_CURVE_ED25519: null, // ed25519 hashes the message itself (RFC 8032)
}

/** The bytes before a compressed point in a SubjectPublicKeyInfo (RFC 5480, RFC 8410). */
const spkiPrefixes: Record<Curve, Uint8Array> = {
  API_KEY_CURVE_P256: Buffer.from('3039301306072a8648ce3d020106082a8648ce3d030107032200', 'hex'),
  API_KEY_CURVE_SECP256K1: Buffer.from('3036301006072a8648ce3d020106052b8104000a032200', 'hex'),
  API_KEY_CURVE_ED25519: Buffer.from('302a300506032b6570032100', 'hex'),
}
