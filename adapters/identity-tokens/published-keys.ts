import * as t from 'io-ts'
import { AnyJson, isObject } from '../../core/codec/codec.ts'
import { fields } from '../../core/codec/fields.ts'
import { failure, type Failure, type Json } from '../../core/failure.ts'
import { invalidToken } from '../../core/identity/identity-token.ts'
import { signingKeyOf, type SigningKey } from '../../core/identity/signing-key.ts'
import { parseStrict } from '../../core/json/strict-json.ts'
import type { Answer, Outgoing, Unanswered } from '../../core/ports/outgoing.ts'
import { E } from '../../core/prelude.ts'
import { vettedUrl } from '../outgoing/vetted-addresses.ts'

/** A key that an issuer has published, and the id that tokens name it by, if it has one. */
export type PublishedKey = { readonly keyId: string | undefined; readonly key: SigningKey }

/** It names no host: a caller would learn which hosts this machine can reach. */
export const away = failure('UNAVAILABLE', 'an identity provider does not answer; try again')

/** How many keys of an issuer are taken: a token that names none is tried with each of them. */
export const KEYS_MAX = 32

const LIMITS = { totalMs: 5_000, bytesMax: 64 * 1024 }

const Discovery = fields({ issuer: t.string, jwks_uri: t.string })
const KeySet = fields({ keys: t.array(AnyJson) })

/**
 * Where an issuer describes itself (OpenID Connect Discovery 1.0, section 4): one slash at its end is left out. `undefined` for a text that is no
 * http URL, or has a query or a fragment.
 */
export const discoveryUrl = (issuer: string): string | undefined => {
  if (/[?#]/.test(issuer) || !/^https?:\/\/[^/]/.test(issuer)) return undefined
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  return URL.canParse(url) ? url : undefined
}

/** Whether it is the name of an issuer that can be asked. @param allowPrivate  as the option `allowPrivateNetwork` */
export const isIssuer = (text: string, allowPrivate = false): boolean => {
  const url = discoveryUrl(text)
  return url !== undefined && vettedUrl(url, allowPrivate) !== undefined
}

/**
 * The keys by which an issuer signs, as it publishes them now. It asks at most twice.
 *
 * @returns `INVALID_OIDC_TOKEN` where it is no provider that says of itself that it is this issuer; `UNAVAILABLE` where it does not answer
 */
export const publishedKeys = async (
  outgoing: Pick<Outgoing, 'ask'>,
  issuer: string,
): Promise<E.Either<Failure, readonly PublishedKey[]>> => {
  const document = await documentAt(outgoing, discoveryUrl(issuer))
  if (E.isLeft(document)) return document
  if (!Discovery.is(document.right) || document.right.issuer !== issuer) return E.left(invalidToken)
  const keySet = await documentAt(outgoing, document.right.jwks_uri)
  if (E.isLeft(keySet)) return keySet
  return KeySet.is(keySet.right) ? E.right(keySet.right.keys.flatMap(keyIn).slice(0, KEYS_MAX)) : E.left(invalidToken)
}

const keyIn = (jwk: Json): readonly PublishedKey[] => {
  const key = signingKeyOf(jwk)
  if (key === undefined || !isObject(jwk)) return []
  const { kid } = jwk
  return kid === undefined || typeof kid === 'string' ? [{ keyId: kid, key }] : []
}

const documentAt = async (
  { ask }: Pick<Outgoing, 'ask'>,
  url: string | undefined,
): Promise<E.Either<Failure, Json>> => {
  if (url === undefined) return E.left(invalidToken)
  const headers = { Accept: 'application/json' }
  const answer = await ask({ url, method: 'GET', headers, body: new Uint8Array(), limits: LIMITS })
  if (answer._tag === 'unanswered') return E.left(MEANS[answer.why])
  if (answer.status >= 500 || answer.status === TOO_MANY) return E.left(away)
  const document = answer.status === 200 ? parseStrict(answer.body) : E.left(invalidToken)
  return E.isLeft(document) ? E.left(invalidToken) : document
}

const TOO_MANY = 429

/**
 * What it means that there is no answer. Whoever has another certificate is not the provider, which may be back later; and a look-up that fails
 * gives no address, either.
 */
const MEANS: { readonly [why in Unanswered | (Answer & { readonly _tag: 'unanswered' })['why']]: Failure } = {
  refused: invalidToken,
  'too-large': invalidToken,
  'no-address': away,
  certificate: away,
  connection: away,
  'time-out': away,
  aborted: away,
}
