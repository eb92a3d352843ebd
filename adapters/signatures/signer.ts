import { createPrivateKey, createPublicKey, randomBytes, sign, type KeyObject } from 'node:crypto'
import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { decodeHex, encodeBase64Url, encodeHex, encodeUtf8 } from '../../core/bytes.ts'
import type { ApiKeyCurve } from '../../core/organization/organization.ts'
import { failure, type Failure } from '../../core/failure.ts'
import { E } from '../../core/prelude.ts'
import { encodeDer } from '../../core/stamp/der.ts'
import { eip191Digest, schemeOf, type SignatureScheme } from '../../core/stamp/scheme.ts'

/** A caller's key. The private half is a secret: keep it out of logs and messages. */
export type SigningKey = {
  readonly curve: ApiKeyCurve
  /** 32 bytes in hex: the scalar of the two Weierstraß curves, the seed of ed25519. */
  readonly privateKey: string
  /** Canonical: lower-case hex, compressed. */
  readonly publicKey: string
}

export type StampOptions = {
  /** Sign as a wallet signs a personal message (EIP-191); keys on secp256k1 only. */
  readonly eip191?: boolean
}

/**
 * A new key pair from the randomness of the system.
 *
 * OpenSSL's own generator is not asked: in Node 20, a process that generates thousands of pairs in a loop can wait for ever
 * when garbage is collected.
 */
export const generateKey = (curve: ApiKeyCurve): SigningKey => {
  for (;;) {
    const key = signingKey(curve, randomBytes(32).toString('hex'))
    if (E.isRight(key)) return key.right // all but one of 2^32 texts are a key
  }
}

/**
 * The key pair of a private key, which a file or an environment held.
 *
 * @param privateKey  32 bytes in hex
 * @returns `CONFIGURATION_INVALID` if it is not a private key of the curve
 */
export const signingKey = (curve: ApiKeyCurve, privateKey: string): E.Either<Failure, SigningKey> => {
  const secret = decodeHex(privateKey)
  if (secret === undefined || !isSecretKey[curve](secret)) return E.left(notPrivateKey)
  const publicKey = publicKeyHex(curve, createPublicKey(parsePrivateKey(curve, privateKey)))
  return E.right({ curve, privateKey: privateKey.toLowerCase(), publicKey })
}

/**
 * Makes the `X-Stamp` header of a request.
 *
 * @param body  the bytes that will be sent: every other spelling of the same JSON needs another stamp
 * @throws a plain `Error` for a `SigningKey` that this module did not make, and for EIP-191 with another curve: bugs
 * @example
 * fetch(url, { method: 'POST', body, headers: { 'X-Stamp': stamp(key, body) } })
 */
export const stamp = (key: SigningKey, body: Uint8Array, options: StampOptions = {}): string =>
  stamper(key, options)(body)

/** Like `stamp`, for many bodies: the key is parsed once. */
export const stamper = (key: SigningKey, { eip191 = false }: StampOptions = {}): ((body: Uint8Array) => string) => {
  if (eip191 && key.curve !== 'API_KEY_CURVE_SECP256K1') throw new Error('expected a secp256k1 key for EIP-191')
  const parsed = parsePrivateKey(key.curve, key.privateKey)
  const scheme = eip191 ? 'SIGNATURE_SCHEME_TK_API_SECP256K1_EIP191' : schemeOf(key.curve)
  const hash = key.curve === 'API_KEY_CURVE_ED25519' ? null : 'sha256'
  return (body) => header(key, scheme, eip191 ? signEip191(key, body) : sign(hash, body, parsed))
}

const notPrivateKey = failure('CONFIGURATION_INVALID', 'expected a private key of the curve: 32 bytes in hex')

/** OpenSSL takes scalars of n and above, and reduces them. */
const isSecretKey: Record<ApiKeyCurve, (secret: Uint8Array) => boolean> = {
  API_KEY_CURVE_P256: (secret) => p256.utils.isValidSecretKey(secret),
  API_KEY_CURVE_SECP256K1: (secret) => secp256k1.utils.isValidSecretKey(secret),
  API_KEY_CURVE_ED25519: (secret) => secret.length === 32,
}

const header = ({ publicKey }: SigningKey, scheme: SignatureScheme, signature: Uint8Array): string =>
  encodeBase64Url(encodeUtf8(JSON.stringify({ publicKey, scheme, signature: encodeHex(signature) })))

const signEip191 = ({ privateKey }: SigningKey, body: Uint8Array): Uint8Array =>
  encodeDer(secp256k1.sign(eip191Digest(body), secretOf(privateKey), { prehash: false }))

const publicKeyHex = (curve: ApiKeyCurve, publicKey: KeyObject): string => {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const xBytes = Buffer.from(x, 'base64url')
  if (curve === 'API_KEY_CURVE_ED25519') return encodeHex(xBytes)
  const isOdd = (Buffer.from(y, 'base64url').at(-1) ?? 0) % 2 === 1
  return `${isOdd ? '03' : '02'}${encodeHex(xBytes)}`
}

const parsePrivateKey = (curve: ApiKeyCurve, privateKey: string): KeyObject =>
  createPrivateKey({ key: Buffer.concat([pkcs8Prefixes[curve], secretOf(privateKey)]), format: 'der', type: 'pkcs8' })

const secretOf = (privateKey: string): Uint8Array => {
  const secret = decodeHex(privateKey)
  if (secret?.length !== 32) throw new Error('expected a private key of 32 bytes in hex')
  return secret
}

/** What stands before the 32 bytes in a PrivateKeyInfo without the public key (RFC 5958, RFC 5915, RFC 8410). */
const pkcs8Prefixes: Record<ApiKeyCurve, Uint8Array> = {
  API_KEY_CURVE_P256: Buffer.from('3041020100301306072a8648ce3d020106082a8648ce3d030107042730250201010420', 'hex'),
  API_KEY_CURVE_SECP256K1: Buffer.from('303e020100301006072a8648ce3d020106052b8104000a042730250201010420', 'hex'),
  API_KEY_CURVE_ED25519: Buffer.from('302e020100300506032b657004220420', 'hex'),
}
