import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { decodeHex, encodeHex, encodeUtf8 } from '../bytes.ts'
import type { Json } from '../failure.ts'
import { parseStrict, requestJson } from '../json/strict-json.ts'
import { E, pipe } from '../prelude.ts'
import { authorizationDigest } from './authorization.ts'
import type { KeyCurve } from './curve.ts'
import { typedDataDigest } from './typed-data.ts'

/** How the text of a payload stands for bytes, as the wire names it. */
export const payloadEncodings = [
  'PAYLOAD_ENCODING_HEXADECIMAL',
  'PAYLOAD_ENCODING_TEXT_UTF8',
  'PAYLOAD_ENCODING_EIP712',
  'PAYLOAD_ENCODING_EIP7702_AUTHORIZATION',
] as const

export type PayloadEncoding = (typeof payloadEncodings)[number]

/** What is done with the bytes before they are signed, as the wire names it. */
export const hashFunctions = [
  'HASH_FUNCTION_NO_OP',
  'HASH_FUNCTION_SHA256',
  'HASH_FUNCTION_KECCAK256',
  'HASH_FUNCTION_NOT_APPLICABLE',
] as const

export type HashFunction = (typeof hashFunctions)[number]

export type Payload = {
  readonly payload: string
  readonly encoding: PayloadEncoding
  readonly hashFunction: HashFunction
}

/**
 * What a key signs, as lower-case hex; whether it is a digest of 32 bytes, or a message of any length; and how many values of JSON were read for
 * it, each of which may cost a hash.
 */
export type Message = { readonly message: string; readonly isDigest: boolean; readonly values: number }

/** The most values of JSON in all payloads of a request: their hashes take some 0.4 s then. */
export const PAYLOAD_VALUES_MAX = 20_000

/** What a member of a request would have to be. It tells of a place, and never of what stands there. */
export type PayloadProblem = { readonly member: keyof Payload; readonly expected: string }

/**
 * Whether keys of the curve sign what the hash function gives: ed25519 hashes itself, so it takes `NOT_APPLICABLE` and nothing else, and no
 * other curve takes that.
 */
export const fits = (curve: KeyCurve, hashFunction: HashFunction): boolean =>
  (curve === 'CURVE_ED25519') === (hashFunction === 'HASH_FUNCTION_NOT_APPLICABLE')

/**
 * The message that a payload stands for.
 *
 * - Hex has whole bytes in upper or lower case, with or without `0x`; it may have none.
 * - `NO_OP` takes a digest of 32 bytes, and `NOT_APPLICABLE` takes any bytes as they are.
 * - Typed data (EIP-712) and authorizations (EIP-7702) are JSON in the strict form of requests. They say how they are hashed, so they take
 *   `NO_OP` alone.
 *
 * @param valuesMax  the most values of JSON
 */
export const messageOf = (
  { payload, encoding, hashFunction }: Payload,
  valuesMax = PAYLOAD_VALUES_MAX,
): E.Either<PayloadProblem, Message> => {
  if (!payload.isWellFormed()) return E.left({ member: 'payload', expected: 'a text without halves of characters' })
  const digest = digests[encoding]
  if (digest === undefined) return hashed(bytesOf(payload, encoding), hashFunction)
  if (hashFunction !== 'HASH_FUNCTION_NO_OP')
    return E.left({
      member: 'hashFunction',
      expected: `HASH_FUNCTION_NO_OP, because ${encoding} has a hash of its own`,
    })
  return pipe(
    payloadJson(payload, valuesMax),
    E.flatMap((json) => E.map((bytes: Uint8Array) => digestOf(bytes, valuesIn(json)))(digest(json))),
    E.mapLeft((expected) => ({ member: 'payload', expected })),
  )
}

/**
 * The JSON of a payload.
 *
 * @returns what was expected, if it is none
 */
export const payloadJson = (payload: string, valuesMax = PAYLOAD_VALUES_MAX): E.Either<string, Json> =>
  payload.isWellFormed()
    ? pipe(
        parseStrict(encodeUtf8(payload), { ...requestJson, valuesMax }),
        E.mapLeft(({ message }) => `JSON (${message})`),
      )
    : E.left('a text without halves of characters')

type Digest = (json: Json) => E.Either<string, Uint8Array>

const digests: Readonly<Partial<Record<PayloadEncoding, Digest>>> = {
  PAYLOAD_ENCODING_EIP712: typedDataDigest,
  PAYLOAD_ENCODING_EIP7702_AUTHORIZATION: authorizationDigest,
}

const bytesOf = (payload: string, encoding: PayloadEncoding): Uint8Array | undefined =>
  encoding === 'PAYLOAD_ENCODING_TEXT_UTF8' ? encodeUtf8(payload) : decodeHex(payload.replace(/^0x/i, ''))

const hashed = (bytes: Uint8Array | undefined, hashFunction: HashFunction): E.Either<PayloadProblem, Message> => {
  if (bytes === undefined) return E.left({ member: 'payload', expected: 'hex digits of whole bytes' })
  if (hashFunction === 'HASH_FUNCTION_SHA256') return E.right(digestOf(sha256(bytes)))
  if (hashFunction === 'HASH_FUNCTION_KECCAK256') return E.right(digestOf(keccak_256(bytes)))
  if (hashFunction === 'HASH_FUNCTION_NOT_APPLICABLE')
    return E.right({ message: encodeHex(bytes), isDigest: false, values: 0 })
  return bytes.length === 32
    ? E.right(digestOf(bytes))
    : E.left({ member: 'payload', expected: 'a 32-bytes-long digest' })
}

const digestOf = (bytes: Uint8Array, values = 0): Message => ({ message: encodeHex(bytes), isDigest: true, values })

const valuesIn = (json: Json): number =>
  typeof json === 'object' && json !== null
    ? Object.values(json).reduce((sum: number, one: Json) => sum + valuesIn(one), 1)
    : 1
