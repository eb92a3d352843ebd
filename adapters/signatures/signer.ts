import { createPrivateKey, createPublicKey, randomBytes, sign, type KeyObject } from 'node:crypto'
import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { decodeHex, encodeHex } from '../../core/bytes.ts'
import type { Curve } from '../../core/ports/signatures.ts'
import { failure, type Failure } from '../../core/failure.ts'
import { E } from '../../core/prelude.ts'
import { encodeDer } from '../../core/stamp/der.ts'
import { eip191Digest, schemeOf } from '../../core/stamp/scheme.ts'
import { writeStamp } from '../../core/stamp/write-stamp.ts'

/** A caller's key. The private half is a secret: keep it out of logs and messages. */
export type SigningKey = {
  readonly curve: Curve
  /** 32 bytes in hex: the scalar of the two Weierstraß curves, the seed of ed25519. */
  readonly privateKey: string
  /** Canonical: lower-case hex, compressed. */
  readonly publicKey: string
}

export type StampOptions = {
  /** Whether to sign like a wallet signs a personal message (EIP-191); only for keys on secp256k1. */
  readonly eip191?: boolean
}

/**
 * Makes a new key pair from the randomness of the system. Default for the curve: P-256.
 *
 * It does not use OpenSSL's own generator: in Node 20, a process that generates thousands of pairs in a loop can wait for ever during
 * garbage collection.
 */
export const generateKey = (curve: Curve = 'API_KEY_CURVE_P256'): SigningKey => {
  for (;;) {
    const key = signingKey(curve, randomBytes(32).toString('hex'))
    if (E.isRight(key)) return key.right // only about one of 2^32 texts is not a key
  }
}

/**
 * Makes the key pair of a private key, for example from a file or a variable of the environment.
 *
 * @param privateKey  32 bytes in hex
 * @returns `CONFIGURATION_INVALID` if it is not a private key of the curve
 */
export const signingKey = (curve: Curve, privateKey: string): E.Either<Failure, SigningKey> => {
  const secret = decodeHex(privateKey)
  if (secret === undefined || !isSecretKey[curve](secret)) return E.left(notPrivateKey)
  const publicKey = publicKeyHex(curve, createPublicKey(parsePrivateKey(curve, privateKey)))
  return E.right({ curve, privateKey: privateKey.toLowerCase(), publicKey })
}

/**
 * Makes the `X-Stamp` header of a request.
 *
 * @param body  the bytes that will be sent: another spelling of the same JSON needs another stamp
 * @throws a plain `Error` (a bug) for a `SigningKey` that this module did not make, and for EIP-191 with another curve
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
  return (body) => writeStamp(key.publicKey, scheme, eip191 ? signEip191(key, body) : sign(hash, body, parsed))
}

const notPrivateKey = failure('CONFIGURATION_INVALID', 'expected a private key of the curve: 32 bytes in hex')

/** Checks the private key, because OpenSSL accepts scalars of n and above, and reduces them. */
const isSecretKey: Record<Curve, (secret: Uint8Array) => boolean> = {
  API_KEY_CURVE_P256: (secret) => p256.utils.isValidSecretKey(secret),
  API_KEY_CURVE_SECP256K1: (secret) => secp256k1.utils.isValidSecretKey(secret),
  API_KEY_CURVE_ED25519: (secret) => secret.length === 32,
}

const signEip191 = ({ privateKey }: SigningKey, body: Uint8Array): Uint8Array =>
  encodeDer(secp256k1.sign(eip191Digest(body), secretOf(privateKey), { prehash: false }))

/** Canonical: lower-case hex, compressed. */
export const publicKeyHex = (curve: Curve, publicKey: KeyObject): string => {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const xBytes = Buffer.from(x, 'base64url')
  if (curve === 'API_KEY_CURVE_ED25519') return encodeHex(xBytes)
  const isOdd = (Buffer.from(y, 'base64url').at(-1) ?? 0) % 2 === 1
  return `${isOdd ? '03' : '02'}${encodeHex(xBytes)}`
}

const parsePrivateKey = (curve: Curve, privateKey: string): KeyObject =>
  createPrivateKey({ key: Buffer.concat([pkcs8Prefixes[curve], secretOf(privateKey)]), format: 'der', type: 'pkcs8' })

const secretOf = (privateKey: string): Uint8Array => {
  const secret = decodeHex(privateKey)
  if (secret?.length !== 32) throw new Error('expected a private key of 32 bytes in hex')
  return secret
}

/** The bytes before the 32 bytes of the key in a PrivateKeyInfo without the public key (RFC 5958, RFC 5915, RFC 8410). */
export const pkcs8Prefixes: Record<Curve, Uint8Array> = {
  API_KEY_CURVE_P256: Buffer.from('3041020100301306072a8648ce3d020106082a8648ce3d030107042730250201010420', 'hex'),
  API_KEY_CURVE_SECP256K1: Buffer.from('303e020100301006072a8648ce3d020106052b8104000a042730250201010420', 'hex'),
  API_KEY_CURVE_ED25519: Buffer.from('302e020100300506032b657004220420', 'hex'),
}
