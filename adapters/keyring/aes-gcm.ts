import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/*
 * AES-256-GCM (NIST SP 800-38D) as sealed rows and wrapped data keys have it: a random nonce of 12 bytes, the ciphertext, a tag of 16 bytes.
 * Under one key, about 2^32 such nonces are safe.
 */

/** Encrypts. Whoever decrypts has to give the same `about`, which is not in the result. */
export const encrypt = (key: Uint8Array, plain: Uint8Array, about: Uint8Array): Uint8Array => {
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv(NAME, key, nonce)
  cipher.setAAD(about)
  return joined(nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag())
}

/** Decrypts; `undefined` if anything was changed, or key or `about` are other ones. */
export const decrypt = (key: Uint8Array, encrypted: Uint8Array, about: Uint8Array): Uint8Array | undefined => {
  if (encrypted.length < NONCE + TAG) return undefined
  const decipher = createDecipheriv(NAME, key, encrypted.subarray(0, NONCE), { authTagLength: TAG })
  decipher.setAAD(about)
  decipher.setAuthTag(encrypted.subarray(-TAG))
  const plain = decipher.update(encrypted.subarray(NONCE, -TAG))
  try {
    decipher.final()
    return Uint8Array.from(plain) // a slice of a buffer of Node would be no copy
  } catch {
    return undefined
  } finally {
    plain.fill(0)
  }
}

/** In memory of its own: a view of memory that others share would be copied to a thread with all that is in it. */
export const joined = (...parts: readonly Uint8Array[]): Uint8Array => {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

const NAME = 'aes-256-gcm'
const NONCE = 12
const TAG = 16
