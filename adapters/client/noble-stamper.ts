import { ed25519 } from '@noble/curves/ed25519.js'
import { p256 } from '@noble/curves/nist.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { decodeHex, encodeHex } from '../../core/bytes.ts'
import type { Stamper } from '../../core/door/transport.ts'
import type { Curve } from '../../core/ports/signatures.ts'
import { encodeDer } from '../../core/stamp/der.ts'
import { schemeOf } from '../../core/stamp/scheme.ts'
import { writeStamp } from '../../core/stamp/write-stamp.ts'

/** A key as `generateKey` and `keygen` make it; 32 bytes in hex: the scalar, or the seed of ed25519. */
export type PrivateKey = { readonly curve: Curve; readonly privateKey: string }

/**
 * Stamps with a key in plain JavaScript, for browsers and other runtimes without OpenSSL.
 *
 * @throws TypeError if it is not a private key of the curve
 */
export const nobleStamper = ({ curve, privateKey }: PrivateKey): Stamper => {
  const secret = decodeHex(privateKey)
  const { isKey, publicKeyOf, sign } = curves[curve]
  if (secret?.length !== 32 || !isKey(secret))
    throw new TypeError('key: expected a private key of the curve: 32 bytes in hex')
  const publicKey = encodeHex(publicKeyOf(secret))
  const stamp = (body: Uint8Array) => ({
    name: 'X-Stamp',
    value: writeStamp(publicKey, schemeOf(curve), sign(body, secret)),
  })
  return Object.assign(stamp, { publicKey })
}

type Signing = {
  readonly isKey: (secret: Uint8Array) => boolean
  readonly publicKeyOf: (secret: Uint8Array) => Uint8Array
  readonly sign: (body: Uint8Array, secret: Uint8Array) => Uint8Array
}

const curves: { readonly [C in Curve]: Signing } = {
  API_KEY_CURVE_P256: {
    isKey: p256.utils.isValidSecretKey,
    publicKeyOf: (secret) => p256.getPublicKey(secret, true),
    sign: (body, secret) => encodeDer(p256.sign(body, secret)),
  },
  API_KEY_CURVE_SECP256K1: {
    isKey: secp256k1.utils.isValidSecretKey,
    publicKeyOf: (secret) => secp256k1.getPublicKey(secret, true),
    sign: (body, secret) => encodeDer(secp256k1.sign(body, secret)),
  },
  API_KEY_CURVE_ED25519: {
    isKey: () => true,
    publicKeyOf: ed25519.getPublicKey,
    sign: ed25519.sign,
  },
}
