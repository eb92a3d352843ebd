import { createHash } from 'node:crypto'
import { p256 } from '@noble/curves/nist.js'
import { simpleWebAuthn } from '../../adapters/attestations/attestations.ts'
import { nodeDigest } from '../../adapters/digest/node-digest.ts'
import { concat, decodeHex, encodeBase64Url, encodeHex, encodeUtf8 } from '../../core/bytes.ts'
import type { Json } from '../../core/failure.ts'
import type { SigningKey } from '../../adapters/signatures/signer.ts'
import { encodeCbor } from '../encode-cbor.ts'
import { keys, simulatedStamp } from '../simulate/simulated-signatures.ts'

/** A passkey whose signatures are simulated, like those of the key that it has. */
export type SimulatedPasskey = {
  readonly webauthnId: string
  /** What a request carries to register it. Nothing vouches for it. */
  readonly params: { readonly [member: string]: Json }
  readonly stamp: (body: Uint8Array) => string
}

const sha256 = (bytes: Uint8Array): Uint8Array => new Uint8Array(createHash('sha256').update(bytes).digest())

const ORIGIN = 'https://a.example'
const RP_ID_HASH = sha256(encodeUtf8('a.example'))

const clientDataOf = (type: string, challenge: string): Uint8Array =>
  encodeUtf8(JSON.stringify({ type, challenge: encodeBase64Url(encodeUtf8(challenge)), origin: ORIGIN }))

const passkeyOf = (key: SigningKey): SimulatedPasskey => {
  const point = p256.Point.fromHex(key.publicKey).toBytes(false)
  const cose = new Map<number, number | Uint8Array>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, point.subarray(1, 33)],
    [-3, point.subarray(33)],
  ])
  const id = sha256(encodeUtf8(`the passkey of ${key.publicKey}`))
  const head = (flags: number) => concat([RP_ID_HASH, Uint8Array.of(flags, 0, 0, 0, 0)])
  const attested = concat([head(0x41), new Uint8Array(16), Uint8Array.of(0, id.length), id, encodeCbor(cose)])
  const object = new Map<string, string | Map<string, string> | Uint8Array>([
    ['fmt', 'none'],
    ['attStmt', new Map<string, string>()],
    ['authData', attested],
  ])
  const webauthnId = encodeBase64Url(id)
  const params = {
    authenticatorName: 'simulated',
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
    const signature = signatureOf(key, concat([authenticatorData, sha256(clientData)]))
    return JSON.stringify({
      authenticatorData: encodeBase64Url(authenticatorData),
      clientDataJson: encodeBase64Url(clientData),
      credentialId: webauthnId,
      signature: encodeBase64Url(signature),
    })
  }
  return { webauthnId, params, stamp }
}

/** The simulated signature over a message, taken out of the stamp of a key. */
const signatureOf = (key: SigningKey, message: Uint8Array): Uint8Array => {
  const { signature } = JSON.parse(Buffer.from(simulatedStamp(key, message), 'base64url').toString()) as {
    readonly signature: string
  }
  return decodeHex(signature) ?? new Uint8Array()
}

/** Attestations are not simulated: they are of the format `none`, which no signature has. */
export const simulatedAttestations = simpleWebAuthn({ digest: nodeDigest() })

/** One for each key, the same in each run. */
export const simulatedPasskeys: readonly SimulatedPasskey[] = keys.map(passkeyOf)
