import { p256 } from '@noble/curves/nist.js'
import { boundedMap } from '../../core/collections/bounded-map.ts'
import { decodeHex } from '../../core/bytes.ts'
import type { StreamingDigest } from '../../core/ports/digest.ts'
import type { SignatureClaim, Signatures } from '../../core/ports/signatures.ts'
import { parseDer } from '../../core/stamp/der.ts'
import { nobleSignatures } from './noble-signatures.ts'

/**
 * Verifies signatures of P-256 by WebCrypto, which takes a tenth of the time and does not keep the calling thread busy; all others by noble. It
 * gives the same answer as `nobleSignatures` for every claim. For secure contexts alone: elsewhere there is no WebCrypto.
 */
export const webSignatures = (): Signatures & StreamingDigest => {
  const noble = nobleSignatures()
  const keys = boundedMap<string, Promise<Key | undefined>>(KEYS_MAX)
  const keyOf = (publicKey: string): Promise<Key | undefined> => {
    const known = keys.get(publicKey) ?? imported(publicKey)
    keys.set(publicKey, known)
    return known
  }
  return {
    ...noble,
    verify: (claim) => (claim.scheme === 'SIGNATURE_SCHEME_TK_API_P256' ? verify(keyOf, claim) : noble.verify(claim)),
  }
}

/** A key of WebCrypto; not every runtime names its type. */
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>

const KEYS_MAX = 10_000
const ECDSA = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

const verify = async (
  keyOf: (publicKey: string) => Promise<Key | undefined>,
  { publicKey, signature, message }: SignatureClaim,
): Promise<boolean> => {
  const pair = parseDer('API_KEY_CURVE_P256', signature)
  if (pair === undefined) return false
  const key = await keyOf(publicKey)
  return key !== undefined && crypto.subtle.verify(ECDSA, key, pair, new Uint8Array(message))
}

/** Not every browser reads a compressed point, so it is given with both coordinates. */
const imported = async (publicKey: string): Promise<Key | undefined> => {
  const point = uncompressed(publicKey)
  return point && crypto.subtle.importKey('raw', point, ECDSA, false, ['verify'])
}

const uncompressed = (publicKey: string): Uint8Array<ArrayBuffer> | undefined => {
  const compressed = decodeHex(publicKey)
  if (compressed?.length !== 33) return undefined
  try {
    return new Uint8Array(p256.Point.fromBytes(compressed).toBytes(false))
  } catch {
    return undefined // not on the curve
  }
}
