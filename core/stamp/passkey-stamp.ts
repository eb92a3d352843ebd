import { oncePer } from '../collections/once-per.ts'
import { decodeBase64, decodeHex, encodeBase64Url, encodeUtf8 } from '../bytes.ts'
import { isObject } from '../codec/codec.ts'
import { failure, type Failure } from '../failure.ts'
import { parseStrict } from '../json/strict-json.ts'
import { E } from '../prelude.ts'
import type { Signatures } from '../ports/signatures.ts'
import { verifyAssertion, type Assertion } from './assertion.ts'
import { decodeCoseKey } from './cose-key.ts'

/** The scheme of a passkey's signature, as votes show it. */
export const WEBAUTHN = 'SIGNATURE_SCHEME_TK_WEBAUTHN'

/** A caller's signature over a request body, made with a passkey: parsed, but not verified. */
export type PasskeyStamp = Assertion & {
  readonly kind: 'passkey'
  readonly scheme: typeof WEBAUTHN
  /** The id of the credential, as the authenticator gave it, in the one spelling: base64url without padding. */
  readonly webauthnId: string
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
    scheme: WEBAUTHN,
    webauthnId: encodeBase64Url(id),
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

/** What is registered of a passkey, and what verifying its stamps needs. */
export type RegisteredPasskey = {
  /** The COSE key, in base64url without padding. */
  readonly publicKey: string
  /** In lower-case hex. */
  readonly rpIdHash: string
}

/** Whether the passkey signed the body: its challenge is the lower-case hex of the body's SHA-256. Origins are judged by themselves. */
export const verifyPasskeyStamp =
  (signatures: Pick<Signatures, 'verify' | 'verifyRsa' | 'sha256' | 'sha256Hex'>) =>
  (stamp: PasskeyStamp, body: Uint8Array, passkey: RegisteredPasskey): Promise<boolean> => {
    const known = keyOf(passkey)
    if (known === undefined) return Promise.resolve(false)
    return verifyAssertion(signatures)(stamp, { ...known, challenge: encodeUtf8(signatures.sha256Hex(body)) })
  }

/** Decoding a key takes as long as everything else but its signature. */
const keyOf = oncePer(({ publicKey, rpIdHash }: RegisteredPasskey) => {
  const [cose, hash] = [decodeBase64(publicKey), decodeHex(rpIdHash)]
  const key = cose && decodeCoseKey(cose)
  return key?._tag === 'Right' && hash !== undefined ? { publicKey: key.right, rpIdHash: hash } : undefined
})
