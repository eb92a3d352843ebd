import { createHash } from 'node:crypto'
import { p256 } from '@noble/curves/nist.js'
import { concat, encodeBase64Url, encodeHex, encodeUtf8 } from '../../../core/bytes.ts'
import type { Json } from '../../../core/failure.ts'
import { encodeCbor } from './encode-cbor.ts'

/** A passkey that has the key of somebody else, such as one of an API key, and nothing random. */
export type KeyPasskey = {
  readonly webauthnId: string
  /** The COSE key in base64url, as the log shows it. */
  readonly coseKey: string
  /** What a request carries to register it. Nothing vouches for it. */
  readonly params: { readonly [member: string]: Json }
  readonly stamp: (body: Uint8Array) => string
}

const sha256 = (bytes: Uint8Array): Uint8Array => new Uint8Array(createHash('sha256').update(bytes).digest())

const ORIGIN = 'https://a.example'
const RP_ID_HASH = sha256(encodeUtf8('a.example'))

const clientDataOf = (type: string, challenge: string): Uint8Array =>
  encodeUtf8(JSON.stringify({ type, challenge: encodeBase64Url(encodeUtf8(challenge)), origin: ORIGIN }))

/**
 * The passkey of a P-256 key.
 *
 * @param publicKey  in hex, compressed
 * @param sign  signs the SHA-256 of a message with the key
 * @param name  makes the id: two keys with one name are two passkeys with one id
 */
export const keyPasskey = (
  publicKey: string,
  sign: (message: Uint8Array) => Uint8Array,
  name = publicKey,
): KeyPasskey => {
  const point = p256.Point.fromHex(publicKey).toBytes(false)
  const cose = encodeCbor(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, point.subarray(1, 33)],
      [-3, point.subarray(33)],
    ]),
  )
  const id = sha256(encodeUtf8(`the passkey of ${name}`))
  const head = (flags: number) => concat([RP_ID_HASH, Uint8Array.of(flags, 0, 0, 0, 0)])
  const attested = concat([head(0x41), new Uint8Array(16), Uint8Array.of(0, id.length), id, cose])
  const object = new Map<string, string | Map<string, string> | Uint8Array>([
    ['fmt', 'none'],
    ['attStmt', new Map<string, string>()],
    ['authData', attested],
  ])
  const webauthnId = encodeBase64Url(id)
  const params = {
    authenticatorName: 'of a key',
    challenge: encodeBase64Url(encodeUtf8('a challenge')),
    attestation: {
      credentialId: webauthnId,
      clientDataJson: encodeBase64Url(clientDataOf('webauthn.create', 'a challenge')),
      attestationObject: encodeBase64Url(encodeCbor(object)),
      transports: ['AUTHENTICATOR_TRANSPORT_INTERNAL'],
    },
  }
  const stamp = (body: Uint8Array): string => {
    const clientData = clientDataOf('webauthn.get', encodeHex(sha256(body)))
    const authenticatorData = head(1)
    const signature = sign(concat([authenticatorData, sha256(clientData)]))
    return JSON.stringify({
      authenticatorData: encodeBase64Url(authenticatorData),
      clientDataJson: encodeBase64Url(clientData),
      credentialId: webauthnId,
      signature: encodeBase64Url(signature),
    })
  }
  return { webauthnId, coseKey: encodeBase64Url(cose), params, stamp }
}
