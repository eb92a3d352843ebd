import { concat, encodeHex } from '../bytes.ts'
import { failure, type Failure } from '../failure.ts'
import { E } from '../prelude.ts'
import { canonicalPublicKey } from './public-key.ts'
import { decodeFlatMap } from './cbor.ts'

/** The public key of a passkey. */
export type CoseKey =
  /** `point`: the compressed point on P-256, in lower-case hex. */
  | { readonly algorithm: 'ES256'; readonly point: string }
  /** Big-endian, without leading zeros. */
  | { readonly algorithm: 'RS256'; readonly modulus: Uint8Array; readonly exponent: Uint8Array }

/**
 * Reads a COSE key: ES256 on P-256, with both coordinates, or RS256 of 2,048 to 4,096 bits. Other members are ignored.
 *
 * @returns the key; else `REQUEST_INVALID`, whose message names what is not supported
 * @see https://www.rfc-editor.org/rfc/rfc9052 and https://www.w3.org/TR/webauthn-3/#sctn-alg-identifier
 */
export const decodeCoseKey = (bytes: Uint8Array): E.Either<Failure, CoseKey> => {
  const map = decodeFlatMap(bytes)
  if (map === undefined) return E.left(unreadable)
  const algorithm = map.get(ALGORITHM)
  if (algorithm === ES256) return ecKey(map)
  return algorithm === RS256 ? rsaKey(map) : E.left(unsupported(String(algorithm)))
}

type Members = ReadonlyMap<number, number | Uint8Array>

const ecKey = (map: Members): E.Either<Failure, CoseKey> => {
  const [x, y] = [map.get(X), map.get(Y)]
  if (map.get(KEY_TYPE) !== EC2 || map.get(CURVE) !== P256 || !isCoordinate(x) || !isCoordinate(y))
    return E.left(unreadable)
  const point = canonicalPublicKey('API_KEY_CURVE_P256', encodeHex(concat([UNCOMPRESSED, x, y])))
  return point === undefined ? E.left(unreadable) : E.right({ algorithm: 'ES256', point })
}

const rsaKey = (map: Members): E.Either<Failure, CoseKey> => {
  const [modulus, exponent] = [map.get(MODULUS), map.get(EXPONENT)]
  if (map.get(KEY_TYPE) !== RSA || !isNumber(modulus) || !isNumber(exponent)) return E.left(unreadable)
  const bits = bitsOf(modulus)
  if (bits < BITS_MIN || bits > BITS_MAX) return E.left(unsupported(`RS256 of ${bits} bits`))
  const isOdd = ((exponent.at(-1) ?? 0) & 1) === 1
  const isOne = exponent.length === 1 && exponent[0] === 1
  if (!isOdd || isOne || exponent.length > EXPONENT_BYTES_MAX) return E.left(unsupported('RS256 of this exponent'))
  return E.right({ algorithm: 'RS256', modulus, exponent })
}

const isCoordinate = (value: number | Uint8Array | undefined): value is Uint8Array =>
  value instanceof Uint8Array && value.length === COORDINATE_BYTES

const isNumber = (value: number | Uint8Array | undefined): value is Uint8Array =>
  value instanceof Uint8Array && value.length > 0 && value[0] !== 0

const bitsOf = (number: Uint8Array): number => number.length * 8 - Math.clz32(number[0] ?? 0) + LEADING

/** `clz32` counts in 32 bits, of which a byte has the last eight. */
const LEADING = 24
const COORDINATE_BYTES = 32
const [BITS_MIN, BITS_MAX] = [2048, 4096]
const EXPONENT_BYTES_MAX = 4
const UNCOMPRESSED = Uint8Array.of(0x04)

// Names and values of RFC 9053 and RFC 8230.
const [KEY_TYPE, ALGORITHM, CURVE, X, Y] = [1, 3, -1, -2, -3]
const [MODULUS, EXPONENT] = [-1, -2]
const [EC2, RSA, P256] = [2, 3, 1]
const [ES256, RS256] = [-7, -257]

const unreadable = failure('REQUEST_INVALID', 'the public key of the passkey is no COSE key of P-256 or RSA')
const unsupported = (what: string): Failure =>
  failure(
    'REQUEST_INVALID',
    `the public key of the passkey has the algorithm ${what}; expected ES256 (-7) or RS256 (-257)`,
  )
