import * as t from '../../codec/t.ts'

/** In hexadecimal digits: a nonce of 12 bytes, an uncompressed public key of 65, and the length of what follows in 4, the least byte first. */
const KEY_AT = 24
const LENGTH_AT = KEY_AT + 130
const CIPHERTEXT_AT = LENGTH_AT + 8
const TAG_BYTES = 16

/**
 * A secret that was encrypted to the key of the deployment. Nothing opens it here: its form alone is checked, so that a secret which was
 * forgotten to be encrypted is not kept.
 */
export const ClientSecret = t.refined(t.Hexadecimal, 'an encrypted secret in hexadecimal digits', (text) => {
  const length = [6, 4, 2, 0].map((at) => text.slice(LENGTH_AT + at, LENGTH_AT + at + 2)).join('')
  const bytes = (text.length - CIPHERTEXT_AT) / 2
  return text.startsWith('04', KEY_AT) && bytes >= TAG_BYTES && Number.parseInt(length, 16) === bytes
})
