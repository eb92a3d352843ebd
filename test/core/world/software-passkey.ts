import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import { concat, encodeBase64Url, encodeUtf8 } from '../../../core/bytes.ts'
import type { RegisteredPasskey } from '../../../core/stamp/passkey-stamp.ts'
import type { Registration } from '../../../core/ports/attestations.ts'
import type { Assertion } from '../../../core/stamp/assertion.ts'
import type { CborMap } from '../../../core/stamp/cbor.ts'
import { encodeCbor } from './encode-cbor.ts'

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

/** What a statement vouches for, and the passkey's own signature over bytes. */
export type ToAttest = {
  readonly authenticatorData: Uint8Array
  readonly clientDataHash: Uint8Array
  readonly publicKey: KeyObject
  /** The key of the passkey signs. */
  readonly sign: (data: Uint8Array) => Uint8Array
}

/** How a registration differs from an honest one without a statement. */
export type RegistrationOptions = Omit<AssertionOptions, 'cut'> & {
  /** `self`: the passkey vouches for itself, in the format `packed`. Default: `none`. */
  readonly statement?:
    'none' | 'self' | ((toAttest: ToAttest) => { readonly format: string; readonly members: CborMap })
  readonly aaguid?: Uint8Array
  /** What the request says beside. */
  readonly request?: Partial<Registration>
}

/** A passkey in software: what a browser and an authenticator make between them. */
export type SoftwarePasskey = {
  readonly credentialId: Uint8Array
  /** The COSE key. */
  readonly publicKey: Uint8Array
  /** What is kept of it. */
  readonly registered: RegisteredPasskey
  readonly assert: (challenge: Uint8Array, options?: AssertionOptions) => Assertion
  /** What a request carries to register it. */
  readonly register: (challenge: Uint8Array, options?: RegistrationOptions) => Registration
  /** The text of an `X-Stamp-WebAuthn` header for a body. */
  readonly stamp: (body: Uint8Array, options?: AssertionOptions) => string
}

const sha256 = (bytes: Uint8Array): Uint8Array => new Uint8Array(createHash('sha256').update(bytes).digest())

export const softwarePasskey = ({
  algorithm,
  rpId: own,
  credentialId = new Uint8Array(randomBytes(32)),
}: {
  readonly algorithm: PasskeyAlgorithm
  readonly rpId: string
  readonly credentialId?: Uint8Array
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

  const clientDataOf = (challenge: Uint8Array, options: AssertionOptions): Uint8Array => {
    const { type, origin = `https://${own}`, crossOrigin = false, topOrigin, clientText = (text) => text } = options
    const text = JSON.stringify({ type, challenge: encodeBase64Url(challenge), origin, crossOrigin, topOrigin })
    return encodeUtf8(clientText(text))
  }

  const assertionOf = (challenge: Uint8Array, options: AssertionOptions = {}): Assertion => {
    const { rpId = own, flags = 1, cut = 0, behind = new Uint8Array() } = options
    const clientData = clientDataOf(challenge, { type: 'webauthn.get', ...options })
    const head = concat([sha256(encodeUtf8(rpId)), Uint8Array.of(flags, 0, 0, 0, 0)])
    const authenticatorData = concat([head.subarray(0, head.length - cut), behind])
    const signed = concat([authenticatorData, sha256(clientData)])
    return { authenticatorData, clientData, signature: new Uint8Array(sign('sha256', signed, privateKey)) }
  }

  const registrationOf = (challenge: Uint8Array, options: RegistrationOptions = {}): Registration => {
    const { rpId = own, flags = 0x41, behind = new Uint8Array(), aaguid = new Uint8Array(16) } = options
    const clientData = clientDataOf(challenge, { type: 'webauthn.create', ...options })
    const head = concat([sha256(encodeUtf8(rpId)), Uint8Array.of(flags, 0, 0, 0, 0)])
    const authenticatorData = concat([head, aaguid, Uint8Array.of(0, credentialId.length), credentialId, cose, behind])
    const clientDataHash = sha256(clientData)
    const signed = (data: Uint8Array) => new Uint8Array(sign('sha256', data, privateKey))
    const { statement = 'none' } = options
    const { format, members } =
      statement === 'none'
        ? { format: 'none', members: new Map() }
        : statement === 'self'
          ? selfAttested(algorithm, signed(concat([authenticatorData, clientDataHash])))
          : statement({ authenticatorData, clientDataHash, publicKey, sign: signed })
    const object = new Map<string, string | CborMap | Uint8Array>([
      ['fmt', format],
      ['attStmt', members],
      ['authData', authenticatorData],
    ])
    return {
      challenge: encodeBase64Url(challenge),
      credentialId: encodeBase64Url(credentialId),
      clientDataJson: encodeBase64Url(clientData),
      attestationObject: encodeBase64Url(encodeCbor(object)),
      transports: ['AUTHENTICATOR_TRANSPORT_INTERNAL'],
      ...options.request,
    }
  }

  return {
    credentialId,
    publicKey: cose,
    registered: {
      publicKey: encodeBase64Url(cose),
      rpIdHash: Buffer.from(sha256(encodeUtf8(own))).toString('hex'),
    },
    assert: assertionOf,
    register: registrationOf,
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

/** A passkey of a page at https://example.org. */
export const anyPasskey = (algorithm: PasskeyAlgorithm = 'ES256'): SoftwarePasskey =>
  softwarePasskey({ algorithm, rpId: 'example.org' })

/** A passkey with another key, whose authenticator says the id of this one. */
export const usurperOf = ({ credentialId }: SoftwarePasskey): SoftwarePasskey =>
  softwarePasskey({ algorithm: 'ES256', rpId: 'example.org', credentialId })

/** What `create_authenticators` is given for a passkey. */
export const paramsOf = (passkey: SoftwarePasskey, name = 'a passkey', options: RegistrationOptions = {}) => {
  const { challenge, ...attestation } = passkey.register(encodeUtf8('a challenge'), options)
  return {
    authenticatorName: name,
    challenge,
    attestation: { ...attestation, transports: [...attestation.transports] },
  }
}

const selfAttested = (algorithm: PasskeyAlgorithm, signature: Uint8Array) => ({
  format: 'packed',
  members: new Map<string, number | Uint8Array>([
    ['alg', algorithm === 'ES256' ? -7 : -257],
    ['sig', signature],
  ]),
})

const hex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'hex'))
