import { createECDH, createPrivateKey, hkdfSync, sign } from 'node:crypto'

/** The keys of an operator of QuorumOS. */
export type QosKeySet = {
  /** 130 bytes in hexadecimal digits: the key to encrypt to, and the key that verifies. */
  readonly publicKey: string
  /** The hexadecimal digits of r and s over the SHA-256 of the message. */
  readonly sign: (message: Uint8Array) => string
}

/** As QuorumOS derives them from a master seed of 32 bytes; with nothing of the code that is tested. */
export const qosKeySet = (seed: Uint8Array): QosKeySet => {
  const [encrypting, signing] = ['qos_p256_encrypt', 'qos_p256_sign'].map((path) => pairOf(seed, path)) as [Pair, Pair]
  const [x, y] = [signing.point.subarray(1, 33), signing.point.subarray(33)]
  const jwk = { kty: 'EC', crv: 'P-256', x: x.toString('base64url'), y: y.toString('base64url') }
  const key = createPrivateKey({ key: { ...jwk, d: signing.secret.toString('base64url') }, format: 'jwk' })
  return {
    publicKey: Buffer.concat([encrypting.point, signing.point]).toString('hex'),
    sign: (message) => sign('sha256', message, { key, dsaEncoding: 'ieee-p1363' }).toString('hex'),
  }
}

type Pair = { readonly secret: Buffer; readonly point: Buffer }

const pairOf = (seed: Uint8Array, path: string): Pair => {
  const secret = Buffer.from(hkdfSync('sha512', seed, path, '', 32))
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(secret)
  return { secret, point: curve.getPublicKey() }
}
