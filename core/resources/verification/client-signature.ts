import { p256 } from '@noble/curves/nist.js'
import * as t from '../../codec/t.ts'
import { decodeHex, encodeUtf8 } from '../../bytes.ts'
import { refuse } from '../../definition/refuse.ts'
import type { Json } from '../../failure.ts'
import { parseStrict } from '../../json/strict-json.ts'
import { E } from '../../prelude.ts'
import { PublicKey } from '../api-key/api-key-params.ts'
import type { VerificationClaims } from './verification-token.ts'

/** A signature by the key that a token names, over what the token is used for. */
export const ClientSignature = t.fields({
  publicKey: PublicKey,
  scheme: t.keyof({ CLIENT_SIGNATURE_SCHEME_API_P256: null }),
  /** JSON: what the token is used for. The text is what was signed. */
  message: t.refined(t.string, 'a text of at most 65536 characters', (text) => text.length <= 65_536),
  /** Hexadecimal: `r` and `s` of 32 bytes each, or DER. */
  signature: t.Hexadecimal,
})
export type ClientSignature = t.TypeOf<typeof ClientSignature>

/** What a token is used for. */
export type Usage = {
  readonly type: 'USAGE_TYPE_LOGIN' | 'USAGE_TYPE_SIGNUP'
  /** Whether the members of the message, besides `type` and `tokenId`, say the same as the request. */
  readonly says: (members: { readonly [name: string]: Json }) => boolean
}

/** Refuses a use of a token that its key has not signed. A token without a key needs no signature, and one that is there is checked all the same. */
export const checkUsage = (
  claims: VerificationClaims,
  clientSignature: ClientSignature | undefined,
  usage: Usage,
): void => {
  const { public_key: key } = claims
  if (clientSignature === undefined) {
    if (key !== undefined) throw refuse.field('clientSignature', 'a signature by the key that the token names')
    return
  }
  const { publicKey, message, signature } = clientSignature
  if (key !== undefined && publicKey !== key)
    throw refuse.field('clientSignature.publicKey', 'the key that the token names')
  if (!isSigned(publicKey, message, signature))
    throw refuse.field('clientSignature.signature', 'a signature of the message by the key')
  const said = messageOf(message)
  if (said?.['type'] !== usage.type) throw refuse.field('clientSignature.message', `JSON of type ${usage.type}`)
  if (said['tokenId'] !== claims.id) throw refuse.field('clientSignature.message', 'the id of the token')
  if (!usage.says(said)) throw refuse.field('clientSignature.message', 'what the request says')
}

const RAW_DIGITS = 128

const isSigned = (publicKey: string, message: string, signature: string): boolean => {
  const [key, bytes] = [decodeHex(publicKey), decodeHex(signature.toLowerCase())]
  if (key === undefined || bytes === undefined) return false
  const format = signature.length === RAW_DIGITS ? 'compact' : 'der'
  try {
    return p256.verify(bytes, encodeUtf8(message), key, { format, prehash: true, lowS: false })
  } catch {
    return false
  }
}

/** A message has one meaning: a member that is there twice, which readers read differently, is refused. */
const messageOf = (text: string): { readonly [name: string]: Json } | undefined => {
  const json = parseStrict(encodeUtf8(text))
  return E.isRight(json) && t.JsonObject.is(json.right) ? json.right : undefined
}

const LoginUsage = t.fields({ publicKey: t.string })

/** A log-in: with the key that the request names. */
export const login = (publicKey: string): Usage => ({
  type: 'USAGE_TYPE_LOGIN',
  says: ({ login: said }) => LoginUsage.is(said) && said.publicKey.toLowerCase() === publicKey,
})
