import { keccak_256 } from '@noble/hashes/sha3.js'
import * as t from '../codec/t.ts'
import { concat, encodeUtf8 } from '../bytes.ts'
import type { Curve, SignatureScheme as Scheme } from '../ports/signatures.ts'

export const SignatureScheme = t.keyof({
  SIGNATURE_SCHEME_TK_API_P256: null,
  SIGNATURE_SCHEME_TK_API_SECP256K1: null,
  SIGNATURE_SCHEME_TK_API_SECP256K1_EIP191: null,
  SIGNATURE_SCHEME_TK_API_ED25519: null,
} satisfies Record<Scheme, null>)
export type SignatureScheme = t.TypeOf<typeof SignatureScheme>

export const ApiKeyCurve = t.keyof({
  API_KEY_CURVE_P256: null,
  API_KEY_CURVE_SECP256K1: null,
  API_KEY_CURVE_ED25519: null,
} satisfies Record<Curve, null>)

export const ApiKeyCredentialType = t.keyof({
  CREDENTIAL_TYPE_API_KEY_P256: null,
  CREDENTIAL_TYPE_API_KEY_SECP256K1: null,
  CREDENTIAL_TYPE_API_KEY_ED25519: null,
})
export type ApiKeyCredentialType = t.TypeOf<typeof ApiKeyCredentialType>

/** The curve of the keys that sign with the scheme. */
export const curveOf = (scheme: SignatureScheme): Curve => curves[scheme]

/** The wire's credential type for keys on the curve. */
export const credentialTypeOf = (curve: Curve): ApiKeyCredentialType => credentialTypes[curve]

/** The scheme with which a key on the curve signs bodies; a wallet's key may use EIP-191 instead. */
export const schemeOf = (curve: Curve): SignatureScheme => schemes[curve]

/**
 * The digest that a wallet signs for a message: Keccak-256 of a prefix, the message's length in bytes as decimal digits,
 * and the message.
 *
 * @see https://eips.ethereum.org/EIPS/eip-191 version 0x45
 */
export const eip191Digest = (message: Uint8Array): Uint8Array => keccak_256(concat([eip191Prefix(message), message]))

/** The prefix of the message, for callers that hash a long message in slices. */
export const eip191Prefix = (message: Uint8Array): Uint8Array =>
  encodeUtf8(`\x19Ethereum Signed Message:\n${message.length}`)

const curves: Record<SignatureScheme, Curve> = {
  SIGNATURE_SCHEME_TK_API_P256: 'API_KEY_CURVE_P256',
  SIGNATURE_SCHEME_TK_API_SECP256K1: 'API_KEY_CURVE_SECP256K1',
  SIGNATURE_SCHEME_TK_API_SECP256K1_EIP191: 'API_KEY_CURVE_SECP256K1',
  SIGNATURE_SCHEME_TK_API_ED25519: 'API_KEY_CURVE_ED25519',
}

const schemes: Record<Curve, SignatureScheme> = {
  API_KEY_CURVE_P256: 'SIGNATURE_SCHEME_TK_API_P256',
  API_KEY_CURVE_SECP256K1: 'SIGNATURE_SCHEME_TK_API_SECP256K1',
  API_KEY_CURVE_ED25519: 'SIGNATURE_SCHEME_TK_API_ED25519',
}

const credentialTypes: Record<Curve, ApiKeyCredentialType> = {
  API_KEY_CURVE_P256: 'CREDENTIAL_TYPE_API_KEY_P256',
  API_KEY_CURVE_SECP256K1: 'CREDENTIAL_TYPE_API_KEY_SECP256K1',
  API_KEY_CURVE_ED25519: 'CREDENTIAL_TYPE_API_KEY_ED25519',
}
