import { p256 } from '@noble/curves/nist.js'
import { decodeHex, encodeBase64Url, encodeHex } from '../../../../core/bytes.ts'
import type { Stamper } from '../../../../core/door/transport.ts'
import { encodeDer } from '../../../../core/stamp/der.ts'
import { writeStamp } from '../../../../core/stamp/write-stamp.ts'
import { nobleStamper } from '../../../client/noble-stamper.ts'
import type { Credentials } from '../../../credentials/credentials-file.ts'
import { texts } from '../texts.ts'

/** A key that stamps in the page. */
export type PageKey = {
  /** In lower-case hex, compressed. */
  readonly publicKey: string
  readonly stamper: Stamper
  /** The key of WebCrypto, which nobody can read; there is none for other curves than P-256. */
  readonly held?: CryptoKey
}

/**
 * The key of a credentials file. A key of P-256 becomes one of WebCrypto; of other curves, the bytes stay in the memory of the page.
 *
 * @throws Error, with a text for people, if the private key is none, or not that of the public key
 */
export const pageKeyOf = async ({ apiPrivateKey, apiPublicKey, curveType }: Credentials): Promise<PageKey> => {
  const curve = curveType ?? 'API_KEY_CURVE_P256'
  const publicKey = apiPublicKey.toLowerCase()
  const secret = decodeHex(apiPrivateKey)
  const stamper = secret?.length === 32 ? stamperOf({ curve, privateKey: apiPrivateKey }) : undefined
  if (stamper === undefined) throw new Error(texts.signIn.noKey)
  if (stamper.publicKey !== publicKey) throw new Error(texts.signIn.otherKey)
  return curve === 'API_KEY_CURVE_P256' && secret !== undefined
    ? keyHeld(publicKey, await imported(secret))
    : { publicKey, stamper }
}

const stamperOf = (key: Parameters<typeof nobleStamper>[0]): Stamper | undefined => {
  try {
    return nobleStamper(key)
  } catch {
    return undefined
  }
}

const ECDSA = { name: 'ECDSA', namedCurve: 'P-256' }
const HASHED = { name: 'ECDSA', hash: 'SHA-256' }

const imported = async (secret: Uint8Array): Promise<CryptoKey> => {
  const point = p256.getPublicKey(secret, false)
  const [x, y] = [encodeBase64Url(point.subarray(1, 33)), encodeBase64Url(point.subarray(33))] as const
  const jwk = { kty: 'EC', crv: 'P-256', x, y, d: encodeBase64Url(secret) }
  return subtle().importKey('jwk', jwk, ECDSA, false, ['sign'])
}

/** A key for a session, which nobody can read. */
export const newPageKey = async (): Promise<PageKey> => {
  const { privateKey, publicKey } = await subtle().generateKey(ECDSA, false, ['sign'])
  const point = new Uint8Array(await subtle().exportKey('raw', publicKey))
  const isOdd = ((point[64] ?? 0) & 1) === 1
  return keyHeld(encodeHex(Uint8Array.of(isOdd ? 3 : 2, ...point.subarray(1, 33))), privateKey)
}

/** A key that WebCrypto holds. */
export const keyHeld = (publicKey: string, held: CryptoKey): PageKey => {
  const stamp = async (body: Uint8Array) => {
    const pair = new Uint8Array(await subtle().sign(HASHED, held, new Uint8Array(body)))
    return { name: 'X-Stamp', value: writeStamp(publicKey, 'SIGNATURE_SCHEME_TK_API_P256', encodeDer(pair)) }
  }
  return { publicKey, held, stamper: Object.assign(stamp, { publicKey }) }
}

/** Browsers give WebCrypto only to pages from HTTPS or from this machine. */
const subtle = (): SubtleCrypto => {
  if (!isSecureContext) throw new Error(texts.signIn.insecure)
  return crypto.subtle
}
