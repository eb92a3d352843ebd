import { keccak_256 } from '@noble/hashes/sha3.js'
import * as t from 'io-ts'
import { concat, encodeUtf8 } from '../bytes.ts'
import type { ApiKeyCurve } from '../organization/organization.ts'
import type { SignatureScheme as Scheme } from '../ports/signatures.ts'

export const SignatureScheme = t.keyof({
  SIGNATURE_SCHEME_TK_API_P256: null,
  SIGNATURE_SCHEME_TK_API_SECP256K1: null,
  SIGNATURE_SCHEME_TK_API_SECP256K1_EIP191: null,
  SIGNATURE_SCHEME_TK_API_ED25519: null,
} satisfies Record<Scheme, null>)
export type SignatureScheme = t.TypeOf<typeof SignatureScheme>

export type ApiKeyCredentialType =
  'CREDENTIAL_TYPE_API_KEY_P256' | 'CREDENTIAL_TYPE_API_KEY_SECP256K1' | 'CREDENTIAL_TYPE_API_KEY_ED25519'

/** The curve that a key must be on for its stamps to have the scheme. */
export const curveOf = (scheme: SignatureScheme): ApiKeyCurve => curves[scheme]

/** The credential type by which the wire names keys on the curve. */
export const credentialTypeOf = (curve: ApiKeyCurve): ApiKeyCredentialType => credentialTypes[curve]

/** The scheme that a key on the curve signs bodies with; a wallet's key may sign them by EIP-191 instead. */
export const schemeOf = (curve: ApiKeyCurve): SignatureScheme => schemes[curve]

/**
 * The digest that a wallet signs for a message: Keccak-256 of a prefix, the message's length in bytes as decimal digits,
 * and the message.
 *
 * @see https://eips.ethereum.org/EIPS/eip-191 version 0x45
 */
export const eip191Digest = (message: Uint8Array): Uint8Array => keccak_256(concat([eip191Prefix(message), message]))

/** What is hashed before the message itself, for those who hash a long message in slices. */
export const eip191Prefix = (message: Uint8Array): Uint8Array =>
  encodeUtf8(`\x19Ethereum Signed Message:\n${message.length}`)

const curves: Record<SignatureScheme, ApiKeyCurve> = {
  SIGNATURE_SCHEME_TK_API_P256: 'API_KEY_CURVE_P256',
  SIGNATURE_SCHEME_TK_API_SECP256K1: 'API_KEY_CURVE_SECP256K1',
  SIGNATURE_SCHEME_TK_API_SECP256K1_EIP191: 'API_KEY_CURVE_SECP256K1',
  SIGNATURE_SCHEME_TK_API_ED25519: 'API_KEY_CURVE_ED25519',
}

const schemes: Record<ApiKeyCurve, SignatureScheme> = {
  API_KEY_CURVE_P256: 'SIGNATURE_SCHEME_TK_API_P256',
  API_KEY_CURVE_SECP256K1: 'SIGNATURE_SCHEME_TK_API_SECP256K1',
  API_KEY_CURVE_ED25519: 'SIGNATURE_SCHEME_TK_API_ED25519',
}

const credentialTypes: Record<ApiKeyCurve, ApiKeyCredentialType> = {
  API_KEY_CURVE_P256: 'CREDENTIAL_TYPE_API_KEY_P256',
  API_KEY_CURVE_SECP256K1: 'CREDENTIAL_TYPE_API_KEY_SECP256K1',
  API_KEY_CURVE_ED25519: 'CREDENTIAL_TYPE_API_KEY_ED25519',
}
