import { decodeBase64, decodeHex, decodeUtf8 } from '../bytes.ts'
import { failure, type Failure, type Json } from '../failure.ts'
import { parseStrict } from '../json/strict-json.ts'
import type { Curve, Signatures } from '../ports/signatures.ts'
import { E } from '../prelude.ts'
import { canonicalPublicKey } from './public-key.ts'
import { curveOf, SignatureScheme } from './scheme.ts'

/** A caller's signature over the exact bytes of a request body, made with an API key: parsed, but not verified. */
export type ApiKeyStamp = {
  readonly kind: 'api-key'
  readonly scheme: SignatureScheme
  /** Canonical: lower-case hex, compressed. */
  readonly publicKey: string
  /** As the client made it: DER for the ECDSA schemes, 64 bytes for ed25519. */
  readonly signature: Uint8Array
}

/**
 * Reads the text of an `X-Stamp` header: base64url of the JSON `{ publicKey, scheme, signature }`, both in hex.
 *
 * Clients differ, so it is lenient where this is safe: base64 of either alphabet with or without padding, hex of either case,
 * uncompressed keys, members in any order, and unknown members. So a stamp has many spellings: never use its text, or its signature,
 * to identify anything.
 *
 * @returns the stamp, else `UNAUTHENTICATED`
 */
export const parseApiKeyStamp = (header: string): E.Either<Failure, ApiKeyStamp> => {
  const json = header.length <= LENGTH_MAX ? decodeBase64(header) : undefined
  if (json === undefined) return E.left(unreadable)
  const written = writtenStamp(json)
  if (written !== undefined) return written
  const parsed = parseStrict(json)
  return parsed._tag === 'Left' ? E.left(unreadable) : stampOfJson(parsed.right)
}

/** Ten times the length of the longest honest stamp. */
const LENGTH_MAX = 4096

const unreadable = failure('UNAUTHENTICATED', 'could not extract api key stamp')
const malformed = failure('UNAUTHENTICATED', 'malformed activity stamp')

/**
 * Reads a stamp in the form that most clients write, without parsing JSON: hex and names of schemes need no escapes in JSON.
 * `undefined` for every other stamp, which may still be right.
 */
const writtenStamp = (json: Uint8Array): E.Either<Failure, ApiKeyStamp> | undefined => {
  const text = decodeUtf8(json)
  if (text === undefined || !text.startsWith(TO_KEY) || !text.endsWith('"}')) return undefined
  const keyEnd = text.indexOf('"', TO_KEY.length)
  const schemeEnd = text.indexOf('"', keyEnd + TO_SCHEME.length)
  if (!text.startsWith(TO_SCHEME, keyEnd) || !text.startsWith(TO_SIGNATURE, schemeEnd)) return undefined
  const stamp = stampOfJson({
    publicKey: text.slice(TO_KEY.length, keyEnd),
    scheme: text.slice(keyEnd + TO_SCHEME.length, schemeEnd),
    signature: text.slice(schemeEnd + TO_SIGNATURE.length, -2),
  })
  return stamp._tag === 'Left' ? undefined : stamp
}

const TO_KEY = '{"publicKey":"'
const TO_SCHEME = '","scheme":"'
const TO_SIGNATURE = '","signature":"'

const stampOfJson = (json: Json): E.Either<Failure, ApiKeyStamp> => {
  if (json === null || typeof json !== 'object' || !('scheme' in json)) return E.left(malformed)
  const { scheme, publicKey: key, signature: hex } = json
  if (!SignatureScheme.is(scheme) || typeof key !== 'string' || typeof hex !== 'string') return E.left(malformed)
  const publicKey = canonicalPublicKey(curveOf(scheme), key)
  const signature = decodeHex(hex)
  return publicKey === undefined || signature === undefined
    ? E.left(malformed)
    : E.right({ kind: 'api-key', scheme, publicKey, signature })
}

/**
 * Whether the stamp's key signed the body, with a scheme that fits the registered curve of the key.
 *
 * @param curve  the curve of the registered credential, not of the stamp
 */
export const verifyApiKeyStamp =
  ({ verify }: Pick<Signatures, 'verify'>) =>
  ({ scheme, publicKey, signature }: ApiKeyStamp, body: Uint8Array, curve: Curve): Promise<boolean> =>
    curveOf(scheme) === curve ? verify({ scheme, publicKey, signature, message: body }) : Promise.resolve(false)
