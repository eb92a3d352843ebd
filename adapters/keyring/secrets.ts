import type { keyCurves, KeyCurve } from '../../core/keys/curve.ts'
import { joined } from './aes-gcm.ts'

/* What is sealed of a secret, by kind: a byte for the form, so that later versions can seal more, and what the form has. */

/** The kinds of sealed rows that a keyring makes. */
export const WALLET = 'wallet'
export const PRIVATE_KEY = 'private-key'

/** A wallet: the entropy of its mnemonic, 16 to 32 bytes. */
export const walletSecret = (entropy: Uint8Array): Uint8Array => joined(Uint8Array.of(FORM), entropy)

/** The entropy, as a view; `undefined` if this version does not know the form. */
export const readWallet = (secret: Uint8Array): Uint8Array | undefined =>
  secret[0] === FORM ? secret.subarray(1) : undefined

/** A private key: a byte for its curve, and 32 bytes. */
export const privateKeySecret = (curve: KeyCurve, privateKey: Uint8Array): Uint8Array =>
  joined(Uint8Array.of(FORM, CURVES.indexOf(curve)), privateKey)

/** The curve and the private key, as a view; `undefined` if this version does not know the form. */
export const readPrivateKey = (
  secret: Uint8Array,
): { readonly curve: KeyCurve; readonly privateKey: Uint8Array } | undefined => {
  const curve = CURVES[secret[1] ?? CURVES.length]
  return secret[0] === FORM && curve !== undefined ? { curve, privateKey: secret.subarray(2) } : undefined
}

const FORM = 1
/** By the byte that is sealed: their order does not change. */
const CURVES: readonly KeyCurve[] = ['CURVE_SECP256K1', 'CURVE_ED25519', 'CURVE_P256'] satisfies typeof keyCurves
