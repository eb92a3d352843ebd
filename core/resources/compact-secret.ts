import * as t from '../codec/t.ts'

/** A compressed public key of 33 bytes, a tag of 16 and a checksum of 4 have at least so many characters. */
const LENGTH_MIN = 72
const BASE58 = /^[1-9A-HJ-NP-Za-km-z]+$/

/**
 * A secret that was encrypted to the key of the deployment. Nothing opens it here: its form alone is checked, so that a secret which was
 * forgotten to be encrypted is not kept.
 */
export const CompactSecret = t.refined(
  t.Text,
  'an encrypted secret in base58check',
  (text) => text.length >= LENGTH_MIN && BASE58.test(text),
)
