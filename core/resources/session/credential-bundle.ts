import { sha256 } from '@noble/hashes/sha2.js'
import { createBase58check } from '@scure/base'
import { concat, decodeHex, encodeHex } from '../../bytes.ts'
import { isPublicKey } from '../../keys/public-key.ts'
import type { Encrypted } from '../../ports/keyring.ts'

/*
 * A credential bundle carries the private half of a new API key to a client, encrypted by HPKE: the ephemeral key, compressed, and the ciphertext of
 * 32 bytes with its tag, in base58check.
 */

const base58check = createBase58check(sha256)

const KEY_BYTES = 33
const BUNDLE_BYTES = KEY_BYTES + 32 + 16

/** @param encrypted  as a keyring gives it, with the ephemeral key uncompressed */
export const credentialBundle = ({ encappedPublic, ciphertext }: Encrypted): string => {
  const point = decodeHex(encappedPublic) ?? new Uint8Array()
  const prefix = Uint8Array.of(2 + ((point.at(-1) ?? 0) & 1)) // SEC 1, 2.3.3: the sign of y
  return base58check.encode(concat([prefix, point.subarray(1, KEY_BYTES), decodeHex(ciphertext) ?? new Uint8Array()]))
}

/** Whether it has the form of such a bundle. What it holds, only its receiver can tell. */
export const isCredentialBundle = (text: string): boolean => {
  try {
    const bytes = base58check.decode(text)
    return bytes.length === BUNDLE_BYTES && isPublicKey('CURVE_P256', encodeHex(bytes.subarray(0, KEY_BYTES)))
  } catch {
    return false
  }
}
