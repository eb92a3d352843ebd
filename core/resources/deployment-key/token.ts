import { p256 } from '@noble/curves/nist.js'
import { sha256 } from '@noble/hashes/sha2.js'
import type * as t from '../../codec/t.ts'
import { decodeBase64, decodeHex, decodeUtf8, encodeBase64Url, encodeUtf8 } from '../../bytes.ts'
import { valueOf } from '../../definition/refuse.ts'
import { parseJson } from '../../json/parse-json.ts'
import type { Keyring } from '../../ports/keyring.ts'
import { signedBy } from './deployment-keys.ts'

/* JSON Web Tokens (RFC 7519) of one fixed header, as the official clients read them. A token has one spelling: any other is none. */

export type TokenKind<C> = {
  /** The key of the deployment that signs. */
  readonly purpose: 'session' | 'verification' | 'oidc'
  /** As it is written. */
  readonly header: string
  readonly claims: t.Type<C, unknown, unknown>
  /** What is hashed and signed, of what the token has. */
  readonly signedBytes: (bytes: Uint8Array) => Uint8Array
}

export const signedToken = async <C>(kind: TokenKind<C>, keyring: Keyring, claims: C): Promise<string> => {
  const signed = [kind.header, asciiOf(claims)].map((text) => encodeBase64Url(encodeUtf8(text))).join('.')
  const { r, s } = valueOf(await signedBy(keyring, kind.purpose, kind.signedBytes(encodeUtf8(signed)))())
  return `${signed}.${encodeBase64Url(decodeHex(r + s) ?? new Uint8Array())}`
}

/** Clients read the claims with `atob`, which gives one character for each byte, and takes neither `-` nor `_`. */
const asciiOf = (claims: unknown): string =>
  JSON.stringify(claims).replace(
    /[>?~\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** The claims of a token of this kind. Whether its signature is right, only the public key of the deployment can tell. */
export const claimsIn = <C>({ header: written, claims: codec }: TokenKind<C>, token: string): C | undefined => {
  const [header, claims = '', signature = '', ...more] = token.split('.')
  if (header !== encodeBase64Url(encodeUtf8(written)) || more.length > 0) return undefined
  if (decodeBase64(signature)?.length !== SIGNATURE_BYTES) return undefined
  try {
    const json = parseJson(decodeUtf8(decodeBase64(claims) ?? new Uint8Array()) ?? '')
    return codec.is(json) && encodeBase64Url(encodeUtf8(asciiOf(json))) === claims ? json : undefined
  } catch {
    return undefined
  }
}

const SIGNATURE_BYTES = 64

/** Whether one of these keys has signed the token. @param publicKeys  of P-256, in hex */
export const isSignedBy = <C>(kind: TokenKind<C>, token: string, publicKeys: readonly string[]): boolean => {
  const end = token.lastIndexOf('.')
  const signature = decodeBase64(token.slice(end + 1))
  const signed = kind.signedBytes(encodeUtf8(token.slice(0, end)))
  return publicKeys.some((key) => {
    try {
      return (
        signature !== undefined &&
        p256.verify(signature, sha256(signed), decodeHex(key) ?? NONE, { prehash: false, lowS: true })
      )
    } catch {
      return false
    }
  })
}
const NONE = new Uint8Array()
