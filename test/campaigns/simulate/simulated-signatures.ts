import { createHash } from 'node:crypto'
import { concat, encodeBase64Url, encodeHex, encodeUtf8, equal } from '../../../core/bytes.ts'
import type { Signatures } from '../../../core/ports/signatures.ts'
import { isPublicKey } from '../../../core/stamp/public-key.ts'
import { signingKey, type SigningKey } from '../../../adapters/signatures/signer.ts'
import { right } from '../../core/world/world.ts'

const sha256 = (bytes: Uint8Array): Uint8Array => new Uint8Array(createHash('sha256').update(bytes).digest())

/** What stands for a signature here: it depends on key and message, and takes no time. Anybody could forge it. */
export const seal = (publicKey: string, message: Uint8Array): Uint8Array =>
  sha256(concat([encodeUtf8(publicKey), message]))

export const simulatedSignatures: Signatures = {
  sha256,
  sha256Hex: (input) => createHash('sha256').update(input).digest('hex'),
  isPublicKey,
  verify: ({ publicKey, signature, message }) => Promise.resolve(equal(signature, seal(publicKey, message))),
  verifyRsa: () => Promise.resolve(false), // nobody has such a key here
}

export const simulatedStamp = ({ publicKey }: SigningKey, body: Uint8Array): string =>
  encodeBase64Url(
    encodeUtf8(
      JSON.stringify({
        publicKey,
        scheme: 'SIGNATURE_SCHEME_TK_API_P256',
        signature: encodeHex(seal(publicKey, body)),
      }),
    ),
  )

/** The same in each run, so that a seed tells all of a history. Nobody gets a key that another user had: long histories need many. */
export const manyKeys: readonly SigningKey[] = Array.from({ length: 64 }, (_, n) =>
  right(signingKey('API_KEY_CURVE_P256', encodeHex(sha256(encodeUtf8(`simulated key ${n}`))))),
)
export const keys: readonly SigningKey[] = manyKeys.slice(0, 8)
