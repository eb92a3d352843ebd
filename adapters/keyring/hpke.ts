import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core'
import type { Encrypted } from '../../core/ports/keyring.ts'
import { decodeHex, encodeHex, encodeUtf8 } from '../../core/bytes.ts'
import { joined } from './aes-gcm.ts'

/*
 * HPKE (RFC 9180) as bundles have it: base mode, DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-256-GCM, one message for each context. The
 * associated data is both public keys, uncompressed.
 */
const suite = new CipherSuite({ kem: new DhkemP256HkdfSha256(), kdf: new HkdfSha256(), aead: new Aes256Gcm() })
const INFO = encodeUtf8('turnkey_hpke')

/** Other associated data, perhaps with the ephemeral public key; and for test vectors other information and other randomness. */
export type HpkeInputs = {
  readonly info?: Uint8Array
  readonly aad?: Uint8Array | ((encapped: Uint8Array) => Uint8Array)
  readonly ekm?: Uint8Array
}

/**
 * The associated data of a key that is bound to a text: both keys of the encryption, uncompressed, the text, and the public half of the key that is
 * encrypted, as compressed lower-case hex.
 */
export const boundAad = (encapped: Uint8Array, target: Uint8Array, boundTo: string, publicKey: string): Uint8Array =>
  joined(encapped, target, encodeUtf8(boundTo), encodeUtf8(publicKey))

/**
 * Encrypts to a public key of 65 bytes, uncompressed. It rejects if that is no point of the curve.
 *
 * @returns the ephemeral public key, uncompressed, and the ciphertext with its tag, in lower-case hex
 */
export const encryptTo = async (
  publicKey: Uint8Array,
  plain: Uint8Array,
  { info = INFO, aad, ekm }: HpkeInputs = {},
): Promise<Encrypted> => {
  const recipientPublicKey = await suite.kem.deserializePublicKey(exact(publicKey))
  const sender = await suite.createSenderContext({
    recipientPublicKey,
    info: exact(info),
    ...(ekm && { ekm: exact(ekm) }),
  })
  const encapped = new Uint8Array(sender.enc)
  const ciphertext = await sender.seal(exact(plain), exact(aadOf(aad, encapped, publicKey)))
  return { encappedPublic: encodeHex(encapped), ciphertext: encodeHex(new Uint8Array(ciphertext)) }
}

/**
 * Decrypts; `undefined` if it is no hex, if the ephemeral key is no point of the curve, or if it was encrypted to another key.
 *
 * @param publicKey  that of the private key, uncompressed
 */
export const decryptWith = async (
  privateKey: Uint8Array,
  publicKey: Uint8Array,
  { encappedPublic, ciphertext }: Encrypted,
  { info = INFO, aad }: HpkeInputs = {},
): Promise<Uint8Array | undefined> => {
  const [encapped, encrypted] = [decodeHex(encappedPublic), decodeHex(ciphertext)]
  if (encapped === undefined || encrypted === undefined) return undefined
  try {
    const recipientKey = await suite.kem.deserializePrivateKey(exact(privateKey))
    const recipient = await suite.createRecipientContext({
      recipientKey,
      enc: exact(encapped),
      info: exact(info),
    })
    return new Uint8Array(await recipient.open(exact(encrypted), exact(aadOf(aad, encapped, publicKey))))
  } catch {
    return undefined // the library's errors may quote what they were given
  }
}

const aadOf = (aad: HpkeInputs['aad'], encapped: Uint8Array, publicKey: Uint8Array): Uint8Array =>
  (typeof aad === 'function' ? aad(encapped) : aad) ?? joined(encapped, publicKey)

/** The library wants a buffer with these bytes and no others: a view of a larger one would be taken whole. */
const exact = (bytes: Uint8Array): ArrayBuffer => joined(bytes).buffer as ArrayBuffer // `joined` makes one
