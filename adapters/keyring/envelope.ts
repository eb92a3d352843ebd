import { gcm } from '@noble/ciphers/aes.js'
import { p256 } from '@noble/curves/nist.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { encodeUtf8 } from '../../core/bytes.ts'
import { joined } from './aes-gcm.ts'

/*
 * Envelopes of QuorumOS, by which clients encrypt a secret to a key of the deployment. They are no HPKE: a nonce of 12 bytes, the ephemeral public key
 * of 65, the length of what follows in 4, the least byte first, and what AES-256-GCM has made, with its tag of 16.
 */

const NONCE = 12
const POINT = 65
const KEY_AT = NONCE
const LENGTH_AT = KEY_AT + POINT
const CIPHERTEXT_AT = LENGTH_AT + 4
const TAG = 16
const AES_KEY = 32
const LABEL = encodeUtf8('qos_encryption_hmac_message')

/** What is in an envelope; `undefined` if it is none, or was encrypted to another key. */
export const openedEnvelope = (privateKey: Uint8Array, envelope: Uint8Array): Uint8Array | undefined => {
  const bytes = envelope.length - CIPHERTEXT_AT
  if (bytes < TAG) return undefined
  const length = new DataView(envelope.buffer, envelope.byteOffset).getUint32(LENGTH_AT, true)
  if (length !== bytes) return undefined
  const [sender, receiver] = [envelope.subarray(KEY_AT, LENGTH_AT), p256.getPublicKey(privateKey, false)]
  try {
    const shared = p256.getSharedSecret(privateKey, sender, true)
    const mac = hmac(sha512, joined(sender, receiver, shared.subarray(1)), LABEL)
    try {
      const about = joined(sender, SIZE, receiver, SIZE)
      const cipher = gcm(mac.subarray(0, AES_KEY), envelope.subarray(0, NONCE), about)
      return joined(cipher.decrypt(envelope.subarray(CIPHERTEXT_AT)))
    } finally {
      shared.fill(0)
      mac.fill(0)
    }
  } catch {
    return undefined // no point of the curve, or another key: the library's errors may quote what they were given
  }
}

/** Stands behind each key in what is authenticated with it. */
const SIZE = Uint8Array.of(POINT)
