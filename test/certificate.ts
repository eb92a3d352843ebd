import { generateKeyPairSync, sign, type KeyObject, type KeyPairKeyObjectResult } from 'node:crypto'
import { concat, encodeUtf8 } from '../core/bytes.ts'

/** A certificate that its own key signed, and that key. */
export type SelfMade = {
  readonly bytes: Uint8Array
  readonly sign: (data: Uint8Array, hash?: 'sha256' | 'sha1') => Uint8Array
}

export type SelfMadeOptions = {
  readonly type?: 'ec' | 'rsa'
  /** The keys that it is made with, where the caller needs them. They are of `type`. */
  readonly keys?: KeyPairKeyObjectResult
  /** The key that it is for, if it is not its own. */
  readonly publicKey?: KeyObject
  /** Names by their object identifier's last number: 3 common name, 6 country, 10 organization, 11 unit. */
  readonly subject: readonly (readonly [id: number, text: string])[]
  /** Times as `YYMMDDHHMMSSZ`. */
  readonly from?: string
  readonly to?: string
  /** Each an object identifier, and the value as DER. */
  readonly extensions?: readonly (readonly [id: Uint8Array, value: Uint8Array])[]
  /** Version 3 by default. */
  readonly version?: number
}

/** One value of DER. */
export const der = (tag: number, ...parts: readonly Uint8Array[]): Uint8Array => {
  const content = concat(parts)
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return concat([Uint8Array.of(tag, ...size), content])
}

export const bytesOfHex = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, 'hex'))

export const selfMadeCertificate = (options: SelfMadeOptions): SelfMade => {
  const { type = 'ec', subject, from = '200101000000Z', to = '491231235959Z', extensions = [], version = 3 } = options
  const { privateKey, publicKey } = options.keys ?? newKeys(type)
  const algorithm = type === 'ec' ? der(0x30, bytesOfHex('06082a8648ce3d040302')) : RSA_SHA_256
  const name = der(
    0x30,
    ...subject.map(([id, text]) => {
      const value = der(id === COUNTRY ? 0x13 : 0x0c, encodeUtf8(text))
      return der(0x31, der(0x30, Uint8Array.of(0x06, 0x03, 0x55, 0x04, id), value))
    }),
  )
  const time = (text: string): Uint8Array => der(0x17, encodeUtf8(text))
  const written = extensions.map(([id, value]) => der(0x30, id, der(0x04, value)))
  const body = der(
    0x30,
    der(0xa0, Uint8Array.of(0x02, 0x01, version - 1)),
    Uint8Array.of(0x02, 0x01, 0x01),
    algorithm,
    name,
    der(0x30, time(from), time(to)),
    name,
    publicKeyInfo(options.publicKey ?? publicKey),
    ...(written.length === 0 ? [] : [der(0xa3, der(0x30, ...written))]),
  )
  const signed = (data: Uint8Array, hash = 'sha256'): Uint8Array => new Uint8Array(sign(hash, data, privateKey))
  return { bytes: der(0x30, body, algorithm, der(0x03, Uint8Array.of(0), signed(body))), sign: signed }
}

const newKeys = (type: 'ec' | 'rsa'): KeyPairKeyObjectResult =>
  type === 'ec'
    ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
    : generateKeyPairSync('rsa', { modulusLength: 2048 })

const COUNTRY = 6
const RSA_SHA_256 = der(0x30, bytesOfHex('06092a864886f70d01010b0500'))

const publicKeyInfo = (key: KeyObject): Uint8Array => new Uint8Array(key.export({ type: 'spki', format: 'der' }))
