import { sha256 } from '@noble/hashes/sha2.js'
import * as t from '../../codec/t.ts'
import { decodeBase64, decodeHex, decodeUtf8, encodeBase64Url, encodeUtf8 } from '../../bytes.ts'
import { valueOf } from '../../definition/refuse.ts'
import { parseJson } from '../../json/parse-json.ts'
import type { Keyring } from '../../ports/keyring.ts'
import { signedBy } from '../deployment-key/deployment-keys.ts'

/*
 * Tokens of sessions: JSON Web Tokens, signed by the deployment's key `session` as the official clients verify them. They tell a client of its
 * session, and let nobody in: only the key of the session does.
 */

export const SessionClaims = t.fields(
  {
    /** In seconds. */
    exp: t.number,
    public_key: t.string,
    /** The name of the profile; without one, `SESSION_TYPE_READ_WRITE`. */
    session_type: t.string,
    user_id: t.string,
    organization_id: t.string,
  },
  { session_profile_id: t.string, scope: t.string },
)
export type SessionClaims = t.TypeOf<typeof SessionClaims>

/** The type of a session without a profile. */
export const READ_WRITE = 'SESSION_TYPE_READ_WRITE'

const HEADER = '{"alg":"ES256","typ":"JWT"}'

/** The signature is that of a hash of the hash: the clients sign with a function that hashes what was hashed before. */
export const signedToken = async (keyring: Keyring, claims: SessionClaims): Promise<string> => {
  const signed = [HEADER, asciiOf(claims)].map((text) => encodeBase64Url(encodeUtf8(text))).join('.')
  const { r, s } = valueOf(await signedBy(keyring, 'session', sha256(encodeUtf8(signed)))())
  return `${signed}.${encodeBase64Url(decodeHex(r + s) ?? new Uint8Array())}`
}

/** Clients read the claims with `atob`, which gives one character for each byte, and takes neither `-` nor `_`. */
const asciiOf = (claims: SessionClaims): string =>
  JSON.stringify(claims).replace(
    /[>?~\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** The claims of a token of this form. Whether its signature is right, only the public key of the deployment can tell. */
export const claimsIn = (token: string): SessionClaims | undefined => {
  const [header, claims = '', signature = '', ...more] = token.split('.')
  if (header !== encodeBase64Url(encodeUtf8(HEADER)) || more.length > 0) return undefined
  if (decodeBase64(signature)?.length !== SIGNATURE_BYTES) return undefined
  try {
    const json = parseJson(decodeUtf8(decodeBase64(claims) ?? new Uint8Array()) ?? '')
    return SessionClaims.is(json) && encodeBase64Url(encodeUtf8(asciiOf(json))) === claims ? json : undefined
  } catch {
    return undefined
  }
}

const SIGNATURE_BYTES = 64
