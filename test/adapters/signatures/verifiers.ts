import { nobleSignatures } from '../../../adapters/signatures/noble-signatures.ts'
import { nodeSignatures } from '../../../adapters/signatures/node-signatures.ts'
import { webSignatures } from '../../../adapters/signatures/web-signatures.ts'
import { encodeBase64Url, encodeUtf8 } from '../../../core/bytes.ts'
import type { Curve } from '../../../core/ports/signatures.ts'
import type { SignatureScheme, Signatures } from '../../../core/ports/signatures.ts'
import { E } from '../../../core/prelude.ts'
import { parseApiKeyStamp, verifyApiKeyStamp } from '../../../core/stamp/api-key-stamp.ts'

/** Every implementation of the port: what one decides, all decide. */
export const verifiers: Record<'node' | 'noble' | 'web', Signatures> = {
  node: nodeSignatures(),
  noble: nobleSignatures(),
  web: webSignatures(),
}

export type StampFields = { readonly publicKey: string; readonly scheme: SignatureScheme; readonly signature: string }

export const headerOf = (fields: StampFields): string => encodeBase64Url(encodeUtf8(JSON.stringify(fields)))

/** The verdict of the whole way that a stamp takes: from the text of its header. */
export const verdict = async (
  signatures: Signatures,
  header: string,
  body: Uint8Array,
  curve: Curve,
): Promise<boolean> => {
  const stamp = parseApiKeyStamp(header)
  return E.isRight(stamp) && verifyApiKeyStamp(signatures)(stamp.right, body, curve)
}
