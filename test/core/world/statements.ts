import { createHash, type KeyObject } from 'node:crypto'
import { concat } from '../../../core/bytes.ts'
import type { CborValue } from '../../../core/stamp/cbor.ts'
import { bytesOfHex, der, selfMadeCertificate, type SelfMade, type SelfMadeOptions } from '../../certificate.ts'
import type { RegistrationOptions, ToAttest } from './software-passkey.ts'

export type Members = Readonly<Record<string, CborValue>>
export type Statement = RegistrationOptions['statement'] & object

/** A statement of these members. */
export const stating =
  (format: string, members: (toAttest: ToAttest) => Members): Statement =>
  (toAttest) => ({ format, members: new Map(Object.entries(members(toAttest))) })

/** What the certificate of a maker of authenticators says of itself. */
export const MAKER = [
  [6, 'SE'],
  [10, 'Maker'],
  [11, 'Authenticator Attestation'],
  [3, 'Batch 1'],
] as const

/** What a certificate vouches for, in the format `packed`. */
export const packedBy = ({ bytes, sign }: SelfMade, more: Members = {}): Statement =>
  stating('packed', ({ authenticatorData, clientDataHash }) => ({
    alg: -7,
    sig: sign(concat([authenticatorData, clientDataHash])),
    x5c: [bytes],
    ...more,
  }))

/** As `packedBy`, by a maker who is there for this one statement. */
export const packed = (options: Partial<SelfMadeOptions> = {}, more: Members = {}): Statement =>
  packedBy(selfMadeCertificate({ subject: MAKER, ...options }), more)

/** Apple's certificate: for this key, with this nonce. */
export const apple =
  (change: { readonly publicKey?: KeyObject; readonly nonce?: Uint8Array } = {}) =>
  (toAttest: ToAttest): Members => {
    const signed = concat([toAttest.authenticatorData, toAttest.clientDataHash])
    const { publicKey = toAttest.publicKey, nonce = new Uint8Array(createHash('sha256').update(signed).digest()) } =
      change
    const value = der(0x30, der(0xa1, der(0x04, nonce)))
    const extensions = [[bytesOfHex('06092a864886f763640802'), value]] as const
    return { x5c: [selfMadeCertificate({ subject: [], publicKey, extensions }).bytes] }
  }
