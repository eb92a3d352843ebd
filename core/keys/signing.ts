import { ed25519 } from '@noble/curves/ed25519.js'
import { schnorr } from '@noble/curves/secp256k1.js'
import { decodeHex, encodeHex } from '../bytes.ts'
import type { KeyCurve } from './curve.ts'
import { ecdsaCurve } from './ecdsa-curves.ts'
import { outputKeyOf, outputPrivateKeyOf } from './taproot.ts'

/**
 * How a key signs: `ecdsa` (secp256k1, P-256; RFC 6979, low `s`), `eddsa` (ed25519), `schnorr` (BIP-340) or `taproot` (BIP-340 with the key
 * tweaked as in BIP-341, without scripts).
 */
export type SigningScheme = 'ecdsa' | 'eddsa' | 'schnorr' | 'taproot'

/** A signature as the wire has it: `r` and `s` of 64 hex digits; `v` is `00` or `01`, the recovery id of ECDSA, else `00`. */
export type SignatureParts = { readonly r: string; readonly s: string; readonly v: string }

/**
 * How a key signs for an address.
 *
 * @param format  such as `ADDRESS_FORMAT_ETHEREUM`; `undefined` where the key is named and not an address
 */
export const schemeOf = (curve: KeyCurve, format: string | undefined): SigningScheme => {
  if (curve === 'CURVE_ED25519') return 'eddsa'
  if (curve === 'CURVE_SECP256K1' && format?.endsWith('_P2TR') === true) return 'taproot'
  return curve === 'CURVE_SECP256K1' && format?.startsWith('ADDRESS_FORMAT_SPARK_') === true ? 'schnorr' : 'ecdsa'
}

/** Whether keys of the curve sign so. */
export const canSign = (scheme: SigningScheme, curve: KeyCurve): boolean => {
  if (scheme === 'eddsa') return curve === 'CURVE_ED25519'
  return scheme === 'ecdsa' ? curve !== 'CURVE_ED25519' : curve === 'CURVE_SECP256K1'
}

/**
 * Signs. The same message gets the same signature: no scheme takes random bytes.
 *
 * @param message  for `eddsa` the message itself, of any length; else its digest of 32 bytes, which is not hashed again
 * @throws if curve, key or message do not fit the scheme
 */
export const sign = (
  scheme: SigningScheme,
  curve: KeyCurve,
  privateKey: Uint8Array,
  message: Uint8Array,
): SignatureParts => {
  if (!fitsScheme(scheme, curve, message)) throw new Error('expected a curve and a message that fit the scheme')
  if (scheme === 'eddsa') return partsOf(ed25519.sign(message, privateKey), 0)
  if (scheme === 'taproot') return partsOf(schnorr.sign(message, outputPrivateKeyOf(privateKey), NO_RANDOMNESS), 0)
  if (scheme === 'schnorr') return partsOf(schnorr.sign(message, privateKey, NO_RANDOMNESS), 0)
  const ecdsa = ecdsaOf(curve)
  const recovered = ecdsa.sign(message, privateKey, { prehash: false, lowS: true, format: 'recovered' })
  return partsOf(recovered.subarray(1), recovered[0] ?? 0)
}

/**
 * Whether the signature is the key's for the message, in the one form that `sign` gives it: lower-case hex, low `s`, and the right `v`. It
 * throws for nothing.
 *
 * @param publicKey  lower-case hex: compressed; for ed25519, 32 bytes. `schnorr` and `taproot` use its x only
 * @param message  as for `sign`
 */
export const verify = (
  scheme: SigningScheme,
  curve: KeyCurve,
  publicKey: string,
  message: Uint8Array,
  { r, s, v }: SignatureParts,
): boolean => {
  if (!fitsScheme(scheme, curve, message) || !PART.test(r) || !PART.test(s)) return false
  if (!(scheme === 'eddsa' ? PART : COMPRESSED).test(publicKey)) return false
  try {
    if (scheme === 'ecdsa') return isEcdsa(curve, publicKey, message, { r, s, v })
    const [signature, key] = [decodeHex(r + s), decodeHex(publicKey)]
    if (v !== '00' || signature === undefined || key === undefined) return false
    if (scheme === 'eddsa') return ed25519.verify(signature, message, key, { zip215: false })
    const internal = key.subarray(1)
    return schnorr.verify(signature, message, scheme === 'taproot' ? outputKeyOf(internal) : internal)
  } catch {
    return false // numbers outside their range, points that are not on the curve
  }
}

/** BIP-340 signs safely with zeros: its nonce depends on key and message, too. */
const NO_RANDOMNESS = new Uint8Array(32)
const PART = /^[0-9a-f]{64}$/
const COMPRESSED = /^0[23][0-9a-f]{64}$/

const fitsScheme = (scheme: SigningScheme, curve: KeyCurve, message: Uint8Array): boolean =>
  canSign(scheme, curve) && (scheme === 'eddsa' || message.length === 32)

const ecdsaOf = (curve: KeyCurve) => {
  const ecdsa = ecdsaCurve(curve)
  if (ecdsa === undefined) throw new Error('expected a curve of ECDSA')
  return ecdsa
}

/** The signature gives the key back: this verifies `r`, `s` and `v` in one. */
const isEcdsa = (curve: KeyCurve, publicKey: string, message: Uint8Array, { r, s, v }: SignatureParts): boolean => {
  if (v !== '00' && v !== '01') return false
  const { Signature } = ecdsaOf(curve)
  const signature = new Signature(BigInt(`0x${r}`), BigInt(`0x${s}`), Number(v))
  return !signature.hasHighS() && signature.recoverPublicKey(message).toHex(true) === publicKey
}

const partsOf = (signature: Uint8Array, recovery: number): SignatureParts => {
  const hex = encodeHex(signature)
  // Ids from 2 on, for a point whose x is not below the group's order, come once in 2^127 signatures.
  return { r: hex.slice(0, 64), s: hex.slice(64), v: `0${recovery}` }
}
