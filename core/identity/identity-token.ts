import { sha256 } from '@noble/hashes/sha2.js'
import * as t from 'io-ts'
import { decodeBase64, encodeBase64Url, encodeHex, encodeUtf8 } from '../bytes.ts'
import { JsonObject } from '../codec/codec.ts'
import { fields } from '../codec/fields.ts'
import { failure } from '../failure.ts'
import { parseStrict } from '../json/strict-json.ts'
import { E } from '../prelude.ts'

/*
 * Identity tokens of OpenID Connect, section 2: a JSON Web Token in which a provider says who somebody is. Reading one trusts nobody: whether the
 * provider has signed it, only its key can tell.
 */

/** A person, as a provider names them to one of its clients. */
export type Identity = { readonly issuer: string; readonly audience: string; readonly subject: string }

export type IdentityToken = Identity & {
  /** Names the key that has signed it, if the token says which. */
  readonly keyId: string | undefined
  readonly expiresAtMs: number
  /** When it is good from: the later one of its issue and of the time before which it must not be taken. */
  readonly fromMs: number
  /** To what it is bound: hashes of public keys. */
  readonly nonces: readonly string[]
  /** The person's e-mail address, if the provider says that it has verified it. */
  readonly verifiedEmail: string | undefined
}

/** One failure for all causes: no hint of why. */
export const invalidToken = failure('INVALID_OIDC_TOKEN', 'invalid OIDC token')

/** A longer text is none that is read. */
export const TOKEN_CHARACTERS_MAX = 16_384
const NAME_MAX = 2_048

const Name = t.string
const Seconds = t.number
const Header = fields({ alg: t.string }, { kid: t.string })
const Claims = fields(
  { iss: Name, sub: Name, aud: t.union([Name, t.array(t.string)]), exp: Seconds },
  { iat: Seconds, nbf: Seconds, nonce: t.string, tknonce: t.string, email: t.string, email_verified: t.unknown },
)

/** Members by which a header brings or names a key of its own, or asks for more than this reader knows. */
const REFUSED = ['jwk', 'jku', 'x5u', 'x5c', 'crit', 'b64']

/** What a token says; `undefined` for a text that is none, or that could be read in two ways. */
export const readIdentityToken = (text: string): IdentityToken | undefined => {
  if (text.length > TOKEN_CHARACTERS_MAX) return undefined
  const [header, claims, signature, ...more] = text.split('.').map(bytesOf)
  if (header === undefined || claims === undefined || signature === undefined || more.length > 0) return undefined
  const [head, said] = [objectOf(header), objectOf(claims)]
  if (head === undefined || REFUSED.some((member) => Object.hasOwn(head, member)) || !Header.is(head)) return undefined
  if (!Claims.is(said)) return undefined
  const [audience, ...others] = typeof said.aud === 'string' ? [said.aud] : said.aud
  const names = [said.iss, said.sub, audience]
  if (audience === undefined || others.length > 0 || !names.every(isName)) return undefined
  const { iat = -Infinity, nbf = -Infinity } = said
  return {
    issuer: said.iss,
    audience,
    subject: said.sub,
    keyId: head.kid ?? undefined,
    expiresAtMs: said.exp * 1000,
    fromMs: Math.max(iat, nbf) * 1000,
    nonces: [said.nonce, said.tknonce].flatMap((nonce) => nonce ?? []),
    verifiedEmail: said.email_verified === true ? (said.email ?? undefined) : undefined,
  }
}

const isName = (text: string | undefined): boolean => text !== undefined && text !== '' && text.length <= NAME_MAX

/** The bytes of base64url without padding: each has one spelling. */
const bytesOf = (text: string): Uint8Array | undefined => {
  const bytes = decodeBase64(text)
  return bytes !== undefined && encodeBase64Url(bytes) === text ? bytes : undefined
}

const objectOf = (bytes: Uint8Array): { readonly [member: string]: unknown } | undefined => {
  const json = parseStrict(bytes)
  return E.isRight(json) && JsonObject.is(json.right) ? json.right : undefined
}

/** How far the clock of a provider may be off. */
const SKEW_MS = 60_000

/** Whether a token holds at a time. */
export const holdsAt = ({ expiresAtMs, fromMs }: IdentityToken, atMs: number): boolean =>
  atMs < expiresAtMs + SKEW_MS && atMs >= fromMs - SKEW_MS

/**
 * Whether the token was asked for with this key: it has the SHA-256 of the key's text, and not of its bytes.
 *
 * @param publicKey  the text as it was sent
 */
export const isBoundTo = ({ nonces }: IdentityToken, publicKey: string): boolean =>
  nonces.includes(encodeHex(sha256(encodeUtf8(publicKey))))
