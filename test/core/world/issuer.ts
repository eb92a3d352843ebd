import { p256 } from '@noble/curves/nist.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { encodeBase64Url, encodeUtf8 } from '../../../core/bytes.ts'
import { failure } from '../../../core/failure.ts'
import { invalidToken, readIdentityToken } from '../../../core/identity/identity-token.ts'
import { isSignedByKey } from '../../../core/identity/signed-by-key.ts'
import { algorithmOf, signingKeyOf, type SigningKey } from '../../../core/identity/signing-key.ts'
import type { IdentityTokens } from '../../../core/ports/identity-tokens.ts'
import { E } from '../../../core/prelude.ts'

/** An identity provider of tests: it signs what it is told to. */
export type Issuer = {
  readonly url: string
  /** Its key; `rotate` makes another one, and its older keys are known no more. */
  readonly key: () => SigningKey
  readonly rotate: () => void
  /** A token. A claim that is given as `undefined` is left out. */
  readonly token: (claims?: TokenClaims) => string
}

/** Default: about `subject`, for `client`, issued before the clocks of all tests, and good for twenty years. */
export type TokenClaims = { readonly [name: string]: unknown }

const ISSUED_AT_S = Date.parse('2020-01-01T00:00:00.000Z') / 1000

/** @param kty  the kind of its keys; that says by which algorithm it signs */
export const fakeIssuer = (
  url = 'https://id.example.com',
  kty: SigningKey['kty'] = 'EC',
  first = newPair(kty),
): Issuer => {
  let pair = first
  return {
    url,
    key: () => pair.key,
    rotate: () => {
      pair = newPair(kty)
    },
    token: (claims = {}) => {
      const said = { iss: url, sub: 'subject', aud: 'client', iat: ISSUED_AT_S, exp: ISSUED_AT_S + 630_720_000 }
      return signToken(pair, { ...said, ...claims })
    },
  }
}

type Pair = { readonly key: SigningKey; readonly privateKey: KeyObject }

const newPair = (kty: SigningKey['kty']): Pair => pairOf(PAIRS[kty]().privateKey)

/** A key that follows from the name, so that all processes of a test have the same. */
const knownPair = (url: string): Pair => {
  const seed = sha256(encodeUtf8(url))
  const point = p256.getPublicKey(seed, false)
  const [d = '', x = '', y = ''] = [seed, point.subarray(1, 33), point.subarray(33)].map(encodeBase64Url)
  return pairOf(createPrivateKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', d, x, y } }))
}

const pairOf = (privateKey: KeyObject): Pair => {
  const publicKey = createPublicKey(privateKey)
  const key = signingKeyOf(publicKey.export({ format: 'jwk' }))
  if (key === undefined) throw new Error('expected a key that signs')
  return { key, privateKey }
}

const PAIRS = {
  RSA: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  EC: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  OKP: () => generateKeyPairSync('ed25519'),
}

const signToken = ({ key, privateKey }: Pair, claims: TokenClaims): string => {
  const text = [{ alg: algorithmOf(key), typ: 'JWT', kid: '1' }, claims].map(encoded).join('.')
  const hash = key.kty === 'OKP' ? undefined : 'sha256'
  const signature = sign(hash, Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' })
  return `${text}.${signature.toString('base64url')}`
}

const encoded = (json: object): string => Buffer.from(JSON.stringify(json)).toString('base64url')

/** What knows the keys of some issuers, without a network. */
export type KnownIssuers = IdentityTokens & {
  /** How many keys were asked for. */
  readonly asked: () => number
  /** Whether the issuers answer. */
  readonly answer: (does: boolean) => void
}

export const knownIssuers = (...issuers: readonly Issuer[]): KnownIssuers => {
  let [asked, answers] = [0, true]
  return {
    asked: () => asked,
    answer: (does) => {
      answers = does
    },
    keyOf: (token) => async () => {
      asked += 1
      if (!answers) return E.left(failure('UNAVAILABLE', 'the identity provider does not answer'))
      const issuer = issuers.find(({ url }) => url === readIdentityToken(token)?.issuer)
      return issuer !== undefined && (await isSignedByKey(token, issuer.key()))
        ? E.right(issuer.key())
        : E.left(invalidToken)
    },
  }
}

/** The issuers that every world knows: one for all, and one that is named as the provider whose e-mail addresses count as verified. */
const known = (url: string): Issuer => fakeIssuer(url, 'EC', knownPair(url))
export const anIssuer = known('https://id.example.com')
export const google = known('https://accounts.google.com')
