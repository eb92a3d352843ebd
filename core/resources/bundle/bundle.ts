import * as t from '../../codec/t.ts'
import { decodeHex, decodeUtf8, encodeHex, encodeUtf8 } from '../../bytes.ts'
import { valueOf } from '../../definition/refuse.ts'
import { derOf, isDerSignature } from '../../keys/der.ts'
import { uncompressed } from '../../keys/public-key.ts'
import { parseJson } from '../../json/parse-json.ts'
import type { Encrypted, Keyring } from '../../ports/keyring.ts'
import { signedBy } from '../deployment-key/deployment-keys.ts'

/*
 * Bundles carry keys over the border, as the official clients make and open them. Ours are signed by the deployment's key `signer`; those of a
 * client are not signed.
 */

/** Reads what a client has encrypted: JSON as a text. */
const encryptedIn = (text: string): Encrypted | undefined => {
  const read = jsonIn(text)
  return Written.is(read) ? read : undefined
}
const Hex = t.refined(t.string, 'hexadecimal', (text) => /^(?:[0-9a-f]{2})+$/i.test(text))
const Written = t.fields({ encappedPublic: Hex, ciphertext: Hex })

/** What a client has encrypted to a target. */
export const EncryptedBundle = t.refined(
  t.string,
  'a bundle: JSON with encappedPublic and ciphertext, in hexadecimal',
  (text) => encryptedIn(text) !== undefined,
)

/** The content of an `EncryptedBundle`. */
export const encryptedOf = (bundle: string): Encrypted => {
  const { encappedPublic, ciphertext } = encryptedIn(bundle) ?? { encappedPublic: '', ciphertext: '' } // its codec has read it
  return { encappedPublic, ciphertext }
}

const pointOf = (text: string): string | undefined => {
  try {
    return /^[0-9a-f]+$/i.test(text) ? uncompressed('CURVE_P256', text.toLowerCase()) : undefined
  } catch {
    return undefined
  }
}

/** The key to which a client wants a bundle encrypted. */
export const TargetPublicKey = t.refined(
  t.string,
  'a public key of P-256 in hexadecimal, compressed or not',
  (text) => pointOf(text) !== undefined,
)

/** The key as bundles have it: uncompressed, in lower case. */
export const targetKeyOf = (text: string): string => pointOf(text) ?? text

/** The data of a bundle that goes out, and of one to whose key a client encrypts; with their members in this order. */
export type BundleData =
  | (Encrypted & { readonly organizationId: string })
  | { readonly targetPublic: string; readonly organizationId: string; readonly userId: string }

const VERSION = 'v1.0.0'

/**
 * A bundle with this data, as the text of JSON. The same data gets the same bundle.
 *
 * @param signer  the public half of the key that signs
 * @param purpose  of that key
 */
export const signedBundle = async (
  keyring: Keyring,
  signer: string,
  data: BundleData,
  purpose: 'signer' | 'verification' = 'signer',
): Promise<string> => {
  const bytes = encodeUtf8(JSON.stringify(data))
  const signature = valueOf(await signedBy(keyring, purpose, bytes)())
  return JSON.stringify({
    version: VERSION,
    data: encodeHex(bytes),
    dataSignature: derOf(signature),
    enclaveQuorumPublic: signer,
  })
}

/**
 * Whether it is a bundle with this data, and its signature fits its own key. Whose key that is, it cannot say. What was encrypted stands in no
 * log, so it may be anything.
 */
export const isBundleWith = (
  bundle: string,
  expected: Partial<Extract<BundleData, { readonly targetPublic: string }>>,
): boolean => {
  const read = envelopeIn(bundle)
  const [data, signature, key] = [read?.data, read?.dataSignature, read?.enclaveQuorumPublic].map((hex) =>
    decodeHex(hex ?? ''),
  )
  if (read?.version !== VERSION || data === undefined || signature === undefined || key === undefined) return false
  const content = jsonIn(decodeUtf8(data) ?? '')
  const isExpected = Object.entries(expected).every(
    ([name, value]) => t.record(t.string, t.unknown).is(content) && content[name] === value,
  )
  return isExpected && isDerSignature(key, data, signature)
}

const Envelope = t.fields({ version: t.string, data: Hex, dataSignature: Hex, enclaveQuorumPublic: Hex })

const envelopeIn = (text: string): t.TypeOf<typeof Envelope> | undefined => {
  const json = jsonIn(text)
  return Envelope.is(json) ? json : undefined
}

const jsonIn = (text: string): unknown => {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}
