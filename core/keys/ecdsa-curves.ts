import type { ECDSA } from '@noble/curves/abstract/weierstrass.js'
import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { KeyCurve } from './curve.ts'

/** The arithmetic of the curves that have ECDSA. */
const curves: Readonly<Record<Exclude<KeyCurve, 'CURVE_ED25519'>, ECDSA>> = {
  CURVE_SECP256K1: secp256k1,
  CURVE_P256: p256,
}

/** The curve's arithmetic; `undefined` for ed25519, which has none of it. */
export const ecdsaCurve = (curve: KeyCurve): ECDSA | undefined =>
  curve === 'CURVE_ED25519' ? undefined : curves[curve]
