import { decodeBase64, encodeBase64Url, encodeUtf8 } from '../bytes.ts'
import { isObject } from '../codec/codec.ts'
import { failure, type Failure } from '../failure.ts'
import { parseStrict } from '../json/strict-json.ts'
import { E } from '../prelude.ts'
import type { Assertion } from './assertion.ts'

/** A caller's signature over a request body, made with a passkey: parsed, but not verified. */
export type PasskeyStamp = Assertion & {
  readonly kind: 'passkey'
  /** The one spelling: base64url without padding. */
  readonly credentialId: string
}

/**
 * Reads the text of an `X-Stamp-WebAuthn` header: JSON `{ authenticatorData, clientDataJson, credentialId, signature }`, each in base64url or
 * base64. Unknown members are ignored. A stamp has many spellings, so its text identifies nothing.
 *
 * @returns the stamp, else `UNAUTHENTICATED`
 */
export const parsePasskeyStamp = (header: string): E.Either<Failure, PasskeyStamp> => {
  const parsed = header.length <= LENGTH_MAX ? parseStrict(encodeUtf8(header)) : undefined
  if (parsed?._tag !== 'Right' || !isObject(parsed.right)) return E.left(unreadable)
  const { authenticatorData, clientDataJson, credentialId, signature } = parsed.right
  const [data, client, id, signed] = [authenticatorData, clientDataJson, credentialId, signature].map(bytesOf)
  if (data === undefined || client === undefined || id === undefined || id.length === 0 || signed === undefined)
    return E.left(unreadable)
  return E.right({
    kind: 'passkey',
    credentialId: encodeBase64Url(id),
    authenticatorData: data,
    clientData: client,
    signature: signed,
  })
}

const bytesOf = (value: unknown): Uint8Array | undefined =>
  typeof value === 'string' ? decodeBase64(value) : undefined

/** Some ten times the length of the longest honest stamp. */
const LENGTH_MAX = 16_384

const unreadable = failure('UNAUTHENTICATED', 'could not extract webauthn stamp')
