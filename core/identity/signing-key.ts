import * as t from 'io-ts'
import { decodeBase64, decodeHex, encodeBase64Url } from '../bytes.ts'
import { refined } from '../codec/codec.ts'
import { fields } from '../codec/fields.ts'
import { E } from '../prelude.ts'
import { hasGuessablePrimes, isExponent, numberIn } from './rsa-numbers.ts'

/* The keys by which providers sign identity tokens: JSON Web Keys (RFC 7517, RFC 7518, RFC 8037). */

const Coordinate = refined(
  t.string,
  'the base64url of 32 bytes',
  (text) => /^[A-Za-z0-9_-]+$/.test(text) && decodeBase64(text)?.length === 32,
)

/** What 8192 bits take in base64url. */
const LENGTH_MAX = 1_366

const isModulus = (n: bigint): boolean => n >> 2_047n > 0n && n >> 8_192n === 0n && !hasGuessablePrimes(n)
const rsaNumber = (isGood: (n: bigint) => boolean) =>
  refined(t.string, 'a number in base64url', (text) => {
    const n = text.length <= LENGTH_MAX ? numberIn(text) : undefined
    return n !== undefined && isGood(n)
  })
const Exponent = rsaNumber((e) => isExponent(e) && e >> 64n === 0n)

const RsaKey = fields({ kty: t.literal('RSA'), n: rsaNumber(isModulus), e: Exponent })
const EcKey = fields({ kty: t.literal('EC'), crv: t.literal('P-256'), x: Coordinate, y: Coordinate })
const OkpKey = fields({ kty: t.literal('OKP'), crv: t.literal('Ed25519'), x: Coordinate })

/** A public key that signs: what a JWK has of its kind, and nothing else. RSA has from 2048 to 8192 bits. */
export const SigningKey = t.union([RsaKey, EcKey, OkpKey])
export type SigningKey = t.TypeOf<typeof SigningKey>

const ALGORITHMS = { RSA: 'RS256', EC: 'ES256', OKP: 'EdDSA' } as const

/** By which algorithm the key signs: the key says it, and no token. */
export const algorithmOf = ({ kty }: SigningKey): (typeof ALGORITHMS)[SigningKey['kty']] => ALGORITHMS[kty]

const About = fields({}, { use: t.literal('sig'), alg: t.string, key_ops: t.array(t.string) })

/** The key of a JWK; `undefined` where it is of another kind, or says that it signs nothing, or by another algorithm. */
export const signingKeyOf = (jwk: unknown): SigningKey | undefined => {
  const read = SigningKey.decode(jwk)
  if (E.isLeft(read) || !About.is(jwk)) return undefined
  const { alg = algorithmOf(read.right), key_ops: uses = ['verify'] } = jwk
  return alg === algorithmOf(read.right) && uses.includes('verify') ? read.right : undefined
}

/** A key of P-256 as providers publish theirs. @param hex  the uncompressed point */
export const p256KeyOf = (hex: string): SigningKey => {
  const point = decodeHex(hex) ?? new Uint8Array()
  const [x = '', y = ''] = [point.subarray(1, 33), point.subarray(33)].map(encodeBase64Url)
  return { kty: 'EC', crv: 'P-256', x, y }
}
