import { encodeBase64Url, encodeHex, encodeUtf8 } from '../bytes.ts'
import type { SignatureScheme } from './scheme.ts'

/**
 * The text of an `X-Stamp` header.
 *
 * @param publicKey  lower-case hex, compressed
 */
export const writeStamp = (publicKey: string, scheme: SignatureScheme, signature: Uint8Array): string =>
  encodeBase64Url(encodeUtf8(JSON.stringify({ publicKey, scheme, signature: encodeHex(signature) })))
