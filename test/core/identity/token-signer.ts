import { generateKeyPairSync, sign } from 'node:crypto'
import type { SigningKey } from '../../../core/identity/signing-key.ts'
import { encodeBase64Url, encodeUtf8 } from '../../../core/bytes.ts'

/** An object, or the text that stands in its place. */
export type Part = object | string

export type TokenSigner = {
  /** The public key, with what else is said of it. */
  readonly jwk: SigningKey & { readonly [member: string]: unknown }
  /** A token with the header and the claims, signed by the key whatever they say. */
  readonly token: (header: Part, claims: Part) => string
}

/** A key of its own, with the members in its JWK. */
export const tokenSigner = (kty: SigningKey['kty'] = 'EC', members: object = {}): TokenSigner => {
  const { publicKey, privateKey } = KINDS[kty]()
  const exported = publicKey.export({ format: 'jwk' }) as SigningKey // Node exports the members of each kind
  return {
    jwk: { ...exported, ...members },
    token: (header, claims) => {
      const signed = `${encoded(header)}.${encoded(claims)}`
      const hash = kty === 'OKP' ? null : 'sha256'
      const signature = sign(hash, encodeUtf8(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' })
      return `${signed}.${encodeBase64Url(signature)}`
    },
  }
}

const KINDS = {
  RSA: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  EC: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  OKP: () => generateKeyPairSync('ed25519'),
}

export const encoded = (part: Part): string =>
  encodeBase64Url(encodeUtf8(typeof part === 'string' ? part : JSON.stringify(part)))
