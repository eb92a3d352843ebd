import { decodeBase64, decodeHex, decodeUtf8 } from '../bytes.ts'
import { failure, type Failure, type Json } from '../failure.ts'
import { parseStrict } from '../json/strict-json.ts'
import type { ApiKeyCurve } from '../organization/organization.ts'
import type { Signatures } from '../ports/signatures.ts'
import { E } from '../prelude.ts'
import { canonicalPublicKey } from './public-key.ts'
import { curveOf, SignatureScheme } from './scheme.ts'

/** A caller's signature over the exact bytes of a request body, read but not verified. */
export type Stamp = {
  readonly scheme: SignatureScheme
  /** Canonical: lower-case hex, compressed. */
  readonly publicKey: string
  /** As the client made it: DER for the ECDSA schemes, 64 bytes for ed25519. */
  readonly signature: Uint8Array
}

/** The headers that can carry a stamp, as the request had them; `undefined` for none. */
export type StampHeaders = {
  /** `X-Stamp`: of an API key. */
  readonly stamp?: string | undefined
  /** `X-Stamp-WebAuthn`: of a passkey. */
  readonly stampWebAuthn?: string | undefined
  /** `X-Stamp-Attested`: of a key that a token vouches for. */
  readonly stampAttested?: string | undefined
}

/**
 * Finds the one stamp of a request and reads it. Two headers are refused: whose request it is must not depend on which
 * one a server looks at first. (A header sent twice arrives joined with a comma, which no stamp contains.)
 *
 * @param kind  what the request is for: the message for a missing stamp differs
 * @returns the stamp; else `SIGNATURE_MISSING`, `UNAUTHENTICATED`, or `UNSUPPORTED` for other kinds of stamp
 */
export const stampOf =
  (kind: 'submit' | 'query') =>
  ({ stamp, stampWebAuthn, stampAttested }: StampHeaders): E.Either<Failure, Stamp> => {
    const stamps = [stamp, stampWebAuthn, stampAttested].filter((header) => header !== undefined)
    if (stamps.length === 0) return E.left(failure('SIGNATURE_MISSING', missing[kind]))
    if (stamps.length > 1)
      return E.left(failure('UNAUTHENTICATED', 'expected one stamp; send only one of the stamp headers'))
    if (stamp !== undefined) return parseStamp(stamp)
    return E.left(stampWebAuthn !== undefined ? unsupported('passkey') : unsupported('attested'))
  }

/**
 * Reads the text of an `X-Stamp` header: base64url of the JSON `{ publicKey, scheme, signature }`, both in hex.
 *
 * Clients differ, so it is lenient where nothing is at stake: base64 of either alphabet with or without padding, hex of
 * either case, uncompressed keys, members in any order and others beside them. A stamp therefore has many spellings:
 * nothing may be identified by its text, or by its signature.
 *
 * @returns the stamp, else `UNAUTHENTICATED`
 */
export const parseStamp = (header: string): E.Either<Failure, Stamp> => {
  const json = header.length <= LENGTH_MAX ? decodeBase64(header) : undefined
  if (json === undefined) return E.left(unreadable)
  const written = writtenStamp(json)
  if (written !== undefined) return written
  const parsed = parseStrict(json)
  return parsed._tag === 'Left' ? E.left(unreadable) : stampOfJson(parsed.right)
}

/**
 * Whether the stamp was made over the body with the key that it names, by a scheme that fits the curve with which the
 * key is registered.
 *
 * @param curve  of the registered credential, not of the stamp
 */
export const verifyStamp =
  ({ verify }: Pick<Signatures, 'verify'>) =>
  ({ scheme, publicKey, signature }: Stamp, body: Uint8Array, curve: ApiKeyCurve): Promise<boolean> =>
    curveOf(scheme) === curve ? verify({ scheme, publicKey, signature, message: body }) : Promise.resolve(false)

/** Ten times what the longest honest stamp takes. */
const LENGTH_MAX = 4096

const missing: Record<'submit' | 'query', string> = {
  submit: 'cannot authenticate public API activity request without a stamp (X-Stamp/X-Stamp-Webauthn header)',
  query: 'no valid authentication signature found for request',
}
const unreadable = failure('UNAUTHENTICATED', 'could not extract api key stamp')
const malformed = failure('UNAUTHENTICATED', 'malformed activity stamp')
const unsupported = (kind: 'passkey' | 'attested'): Failure =>
  failure('UNSUPPORTED', `${kind} stamps are not supported by this version; sign with an API key (X-Stamp header)`)

/**
 * Reads a stamp that stands as most clients write it, without parsing JSON: what is hex, or the name of a scheme, has
 * nothing in it that JSON would write in another way. `undefined` for every other: that says nothing of it.
 */
const writtenStamp = (json: Uint8Array): E.Either<Failure, Stamp> | undefined => {
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

const stampOfJson = (json: Json): E.Either<Failure, Stamp> => {
  if (json === null || typeof json !== 'object' || !('scheme' in json)) return E.left(malformed)
  const { scheme, publicKey: key, signature: hex } = json
  if (!SignatureScheme.is(scheme) || typeof key !== 'string' || typeof hex !== 'string') return E.left(malformed)
  const publicKey = canonicalPublicKey(curveOf(scheme), key)
  const signature = decodeHex(hex)
  return publicKey === undefined || signature === undefined
    ? E.left(malformed)
    : E.right({ scheme, publicKey, signature })
}
