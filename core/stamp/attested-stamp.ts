import { decodeBase64, decodeHex, encodeUtf8 } from '../bytes.ts'
import { isObject } from '../codec/codec.ts'
import { failure, type Failure } from '../failure.ts'
import { parseStrict } from '../json/strict-json.ts'
import type { Signatures } from '../ports/signatures.ts'
import { E } from '../prelude.ts'
import { canonicalPublicKey } from './public-key.ts'

/** The scheme of an attested signature, as votes show it. */
export const ATTESTED = 'SIGNATURE_SCHEME_TK_ATTESTED_P256'

const PROOFS = {
  STAMP_ATTESTED_SCHEME_P256_VERIFICATION_TOKEN: 'contact',
  STAMP_ATTESTED_SCHEME_P256_OIDC: 'identity',
} as const

/** A caller's signature over a request body, by a key for which a token vouches: parsed, and neither of them verified. */
export type AttestedStamp = {
  readonly kind: 'attested'
  readonly scheme: typeof ATTESTED
  /** What the token says: that somebody has received a code at a contact, or who somebody is to an identity provider. */
  readonly proof: (typeof PROOFS)[keyof typeof PROOFS]
  /** Canonical: of P-256, compressed, in lower-case hex. */
  readonly publicKey: string
  /** The key as it was sent: identity tokens are bound to its text. */
  readonly publicKeyText: string
  /** DER. */
  readonly signature: Uint8Array
  readonly token: string
}

/**
 * Reads the text of an `X-Stamp-Attested` header: the JSON `{ publicKey, scheme, signature, publicKeyAttestation }`, plain or in base64url.
 *
 * @returns the stamp, else `UNAUTHENTICATED`
 */
export const parseAttestedStamp = (header: string): E.Either<Failure, AttestedStamp> => {
  const text = header.trim()
  const bytes = text.length > LENGTH_MAX ? undefined : text.startsWith('{') ? encodeUtf8(text) : decodeBase64(text)
  const json = bytes === undefined ? undefined : parseStrict(bytes)
  if (json?._tag !== 'Right' || !isObject(json.right)) return E.left(unreadable)
  const { scheme, publicKey: publicKeyText, signature: hex, publicKeyAttestation: token } = json.right
  if (typeof publicKeyText !== 'string' || typeof hex !== 'string' || typeof token !== 'string')
    return E.left(malformed)
  const proof = isScheme(scheme) ? PROOFS[scheme] : undefined
  const publicKey = canonicalPublicKey('API_KEY_CURVE_P256', publicKeyText)
  const signature = decodeHex(hex)
  return proof === undefined || publicKey === undefined || signature === undefined
    ? E.left(malformed)
    : E.right({ kind: 'attested', scheme: ATTESTED, proof, publicKey, publicKeyText, signature, token })
}

const isScheme = (value: unknown): value is keyof typeof PROOFS =>
  typeof value === 'string' && Object.hasOwn(PROOFS, value)

/** Room for the longest token that is read, in base64url. */
const LENGTH_MAX = 32_768

const unreadable = failure('UNAUTHENTICATED', 'could not extract attested stamp')
const malformed = failure('UNAUTHENTICATED', 'malformed activity stamp')

/** Whether the stamp's key signed the body. Whether the token vouches for the key is another question. */
export const verifyAttestedStamp =
  ({ verify }: Pick<Signatures, 'verify'>) =>
  ({ publicKey, signature }: AttestedStamp, body: Uint8Array): Promise<boolean> =>
    verify({ scheme: 'SIGNATURE_SCHEME_TK_API_P256', publicKey, signature, message: body })
