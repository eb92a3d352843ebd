import { decodeUtf8, encodeUtf8 } from '../../core/bytes.ts'
import type { keyCurves, KeyCurve } from '../../core/keys/curve.ts'
import type { Mnemonic } from '../../core/keys/mnemonic.ts'
import { mnemonicLanguages } from '../../core/keys/mnemonic-parameters.ts'
import { joined } from './aes-gcm.ts'

/* What is sealed of a secret, by kind: a byte for the form, so that later versions can seal more, and what the form has. */

/** The kinds of sealed rows that a keyring makes. */
export const WALLET = 'wallet'
export const PRIVATE_KEY = 'private-key'
/** The key of P-256 to which a client encrypts what it imports, in the form of a private key. */
export const IMPORT_TARGET = 'import-target'
export const SECRET = 'secret'

/** A wallet: a byte for its language, one for the length of its entropy, the entropy of 16 to 32 bytes, and the passphrase in UTF-8. */
export const walletSecret = ({ entropy, language, passphrase }: Mnemonic): Uint8Array =>
  joined(Uint8Array.of(FORM, mnemonicLanguages.indexOf(language), entropy.length), entropy, encodeUtf8(passphrase))

/** The entropy is a view; `undefined` if this version does not know the form. */
export const readWallet = (secret: Uint8Array): Mnemonic | undefined => {
  const [form, index = mnemonicLanguages.length, length = 0] = secret
  const [language, end] = [mnemonicLanguages[index], ENTROPY + length]
  const passphrase = decodeUtf8(secret.subarray(end))
  return form === FORM && language !== undefined && passphrase !== undefined
    ? { entropy: secret.subarray(ENTROPY, end), language, passphrase }
    : undefined
}
const ENTROPY = 3

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

/** A secret of a user: any bytes. */
export const userSecret = (bytes: Uint8Array): Uint8Array => joined(Uint8Array.of(FORM), bytes)

/** The bytes, as a view; `undefined` if this version does not know the form. */
export const readUserSecret = (secret: Uint8Array): Uint8Array | undefined =>
  secret[0] === FORM ? secret.subarray(1) : undefined

const FORM = 1
/** By the byte that is sealed: their order does not change. */
const CURVES: readonly KeyCurve[] = ['CURVE_SECP256K1', 'CURVE_ED25519', 'CURVE_P256'] satisfies typeof keyCurves
