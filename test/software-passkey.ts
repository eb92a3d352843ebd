import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { concat, encodeBase64Url, encodeUtf8 } from '../core/bytes.ts'
import type { RegisteredPasskey } from '../core/stamp/passkey-stamp.ts'
import type { Assertion } from '../core/stamp/assertion.ts'

export type PasskeyAlgorithm = 'ES256' | 'RS256'

/** How an assertion differs from an honest one. */
export type AssertionOptions = {
  readonly type?: string
  readonly origin?: string
  readonly crossOrigin?: boolean
  readonly topOrigin?: string
  readonly rpId?: string
  /** The byte of flags; 1 says that a user was present. */
  readonly flags?: number
  /** How many bytes are missing at the end of the authenticator data. */
  readonly cut?: number
  /** What follows the authenticator data. */
  readonly behind?: Uint8Array
  readonly clientText?: (text: string) => string
}

/** A passkey in software: what a browser and an authenticator make between them. */
export type SoftwarePasskey = {
  readonly credentialId: Uint8Array
  /** The COSE key. */
  readonly publicKey: Uint8Array
  /** What is kept of it. */
  readonly registered: RegisteredPasskey
  readonly assert: (challenge: Uint8Array, options?: AssertionOptions) => Assertion
  /** The text of an `X-Stamp-WebAuthn` header for a body. */
  readonly stamp: (body: Uint8Array, options?: AssertionOptions) => string
}

const sha256 = (bytes: Uint8Array): Uint8Array => new Uint8Array(createHash('sha256').update(bytes).digest())

export const softwarePasskey = ({
  algorithm,
  rpId: own,
}: {
  readonly algorithm: PasskeyAlgorithm
  readonly rpId: string
}): SoftwarePasskey => {
  const { privateKey, publicKey } =
    algorithm === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = publicKey.export({ format: 'jwk' })
  const bytes = (member: string | undefined): Uint8Array => new Uint8Array(Buffer.from(member ?? '', 'base64url'))
  const cose =
    algorithm === 'ES256'
      ? concat([hex('a5010203262001215820'), bytes(jwk.x), hex('225820'), bytes(jwk.y)])
      : concat([hex('a401030339010020590100'), bytes(jwk.n), hex('2143'), bytes(jwk.e)])
  const credentialId = new Uint8Array(randomBytes(32))

  const assertionOf = (challenge: Uint8Array, options: AssertionOptions = {}): Assertion => {
    const { type = 'webauthn.get', origin = `https://${own}`, crossOrigin = false, topOrigin } = options
    const { rpId = own, flags = 1, cut = 0, behind = new Uint8Array(), clientText = (text) => text } = options
    const text = JSON.stringify({ type, challenge: encodeBase64Url(challenge), origin, crossOrigin, topOrigin })
    const clientData = encodeUtf8(clientText(text))
    const head = concat([sha256(encodeUtf8(rpId)), Uint8Array.of(flags, 0, 0, 0, 0)])
    const authenticatorData = concat([head.subarray(0, head.length - cut), behind])
    const signed = concat([authenticatorData, sha256(clientData)])
    return { authenticatorData, clientData, signature: new Uint8Array(sign('sha256', signed, privateKey)) }
  }

  return {
    credentialId,
    publicKey: cose,
    registered: {
      publicKey: encodeBase64Url(cose),
      rpIdHash: Buffer.from(sha256(encodeUtf8(own))).toString('hex'),
    },
    assert: assertionOf,
    stamp: (body, options) => {
      const hash = Buffer.from(sha256(body)).toString('hex')
      const { authenticatorData, clientData, signature } = assertionOf(encodeUtf8(hash), options)
      return JSON.stringify({
        authenticatorData: encodeBase64Url(authenticatorData),
        clientDataJson: encodeBase64Url(clientData),
        credentialId: encodeBase64Url(credentialId),
        signature: encodeBase64Url(signature),
      })
    },
  }
}

const hex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'hex'))
