import { decodeBase64, decodeUtf8, encodeBase64, encodeUtf8 } from '../../core/bytes.ts'
import { isObject } from '../../core/codec/codec.ts'
import { parseStrict } from '../../core/json/strict-json.ts'
import { bytesOf, NO_CERTIFICATE, NOT_SIGNED, signedBy, type CheckStatement } from './statement.ts'

/**
 * A signed answer of a service of Google, which has ended; old registrations carry it. When it was given is not judged.
 *
 * @see https://www.w3.org/TR/webauthn-3/#sctn-android-safetynet-attestation
 */
export const checkAndroidSafetyNet: CheckStatement = async (library, statement) => {
  const { members } = statement
  const [head = '', body = '', signed = ''] = (decodeUtf8(bytesOf(members, 'response') ?? NONE) ?? '').split('.')
  const [header, payload, signature] = [jsonOf(head), jsonOf(body), decodeBase64(signed)]
  if (!members.get('ver') || header?.['alg'] !== 'RS256' || payload === undefined || signature === undefined)
    return 'has no answer of the service that can be read'
  const nonce = encodeBase64(await library.hash(SHA_256, signedBy(statement)))
  if (payload['nonce'] !== nonce) return 'is an answer for another ceremony'
  if (payload['ctsProfileMatch'] !== true) return 'says that the device was changed'
  const list: unknown = header['x5c']
  const first: unknown = Array.isArray(list) ? list[0] : undefined
  const bytes = typeof first === 'string' ? decodeBase64(first) : undefined
  const certificate = bytes === undefined ? undefined : library.certificate(bytes)
  if (certificate === undefined) return NO_CERTIFICATE
  if (certificate.subject.CN !== 'attest.android.com') return 'has a certificate that is not one of the service'
  const data = encodeUtf8(`${head}.${body}`)
  return (await library.isSigned({ by: certificate, algorithm: RS256, signature, data })) ? undefined : NOT_SIGNED
}

const jsonOf = (text: string): { readonly [name: string]: unknown } | undefined => {
  const parsed = parseStrict(decodeBase64(text) ?? NONE)
  return parsed._tag === 'Right' && isObject(parsed.right) ? parsed.right : undefined
}

const NONE = new Uint8Array()
const [SHA_256, RS256] = [-7, -257]
