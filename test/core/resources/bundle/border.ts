import { p256 } from '@noble/curves/nist.js'
import { encryptOauth2ClientSecret } from '@turnkey/crypto'
import { decryptWith, encryptTo } from '../../../../adapters/keyring/hpke.ts'
import { right } from '../../../../adapters/testing/expect.ts'
import type { Engine } from '../../../../core/engine.ts'
import { decodeHex, decodeUtf8, encodeHex, encodeUtf8 } from '../../../../core/bytes.ts'
import type { Encrypted } from '../../../../core/ports/keyring.ts'
import { englishOf, mnemonicOf } from '../../../../core/keys/mnemonic.ts'
import { loginBy } from '../otp/scene.ts'

/* What a client does at the border: it encrypts what it brings, and opens what it gets. */

type Data = Partial<Encrypted> & {
  readonly targetPublic?: string
  readonly organizationId: string
  readonly userId?: string
}

/** The data of a bundle of ours. */
export const dataOf = (bundle: string): Data => {
  const { data } = JSON.parse(bundle) as { readonly data: string } // as the engine makes it
  return JSON.parse(decodeUtf8(bytesOf(data)) ?? '') as Data // as above
}

export const bytesOf = (hex: string): Uint8Array => {
  const bytes = decodeHex(hex)
  if (bytes === undefined) throw new Error('expected hex')
  return bytes
}

/** What is encrypted to the target of a bundle, as a request has it. */
export const encryptedTo = async (bundle: string, plain: Uint8Array | string): Promise<string> => {
  const { targetPublic = '' } = dataOf(bundle)
  const bytes = typeof plain === 'string' ? encodeUtf8(plain) : plain
  return JSON.stringify(await encryptTo(bytesOf(targetPublic), bytes))
}

export type BorderClient = {
  /** Uncompressed, as the official clients send it. */
  readonly publicKey: string
  readonly compressed: string
  /** The bytes of a bundle that was encrypted to this client; it rejects if it does not open. */
  readonly open: (bundle: string) => Promise<Uint8Array>
  readonly text: (bundle: string) => Promise<string>
}

export const borderClient = (): BorderClient => {
  const { secretKey, publicKey } = p256.keygen()
  const point = p256.Point.fromBytes(publicKey)
  const open = async (bundle: string): Promise<Uint8Array> => {
    const { encappedPublic = '', ciphertext = '' } = dataOf(bundle)
    const plain = await decryptWith(secretKey, point.toBytes(false), { encappedPublic, ciphertext })
    if (plain === undefined) throw new Error('the bundle does not open')
    return plain
  }
  return {
    publicKey: point.toHex(false),
    compressed: encodeHex(publicKey),
    open,
    text: async (bundle) => decodeUtf8(await open(bundle)) ?? '',
  }
}

/** What a request has of a client at the border. */
export type Border = {
  readonly encryptedTo: (bundle: string, plain: Uint8Array | string) => Promise<string>
  /** The key of a bundle, to which a client has encrypted. */
  readonly targetIn: (bundle: string) => string
  /** A key of a client, to which nobody encrypts anything else. */
  readonly targetPublicKey: () => string
  /** What a client signs to use a token for a log-in. */
  readonly loginBy: (...given: Parameters<typeof loginBy>) => ReturnType<typeof loginBy>
  /** The secret of a client of OAuth2, encrypted to the key of the deployment. */
  readonly clientSecret: () => string | Promise<string>
}
export const anyBorder: Border = {
  encryptedTo,
  targetIn: (bundle) => dataOf(bundle).targetPublic ?? '',
  targetPublicKey: () => borderClient().publicKey,
  loginBy,
  clientSecret: () => clientSecretOf('whoever has it knows no key of a deployment'),
}

/** What a client does that knows the keys of a deployment. */
export const borderTo = ({ deploymentKeys }: Pick<Engine, 'deploymentKeys'>): Border => ({
  ...anyBorder,
  clientSecret: async () =>
    encryptOauth2ClientSecret('the secret of a client', await encryptionKeyOf({ deploymentKeys })),
})

/** The key to which secrets of clients of OAuth2 are encrypted. */
export const encryptionKeyOf = async ({ deploymentKeys }: Pick<Engine, 'deploymentKeys'>): Promise<string> =>
  (await right(deploymentKeys())).find(({ purpose }) => purpose === 'oauth2-encryption')?.publicKey ?? ''

/** A text in the form of an encrypted secret: nonce, public key, length and ciphertext. */
export const clientSecretOf = (text: string): string => {
  const ciphertext = Buffer.from(text.padEnd(24))
  const length = Buffer.from([ciphertext.length, 0, 0, 0])
  return ['0a'.repeat(12), '04', '0b'.repeat(64), length.toString('hex'), ciphertext.toString('hex')].join('')
}

/** A mnemonic that nobody has. */
export const anyMnemonic = (words: 12 | 24 = 12): string =>
  mnemonicOf(englishOf(crypto.getRandomValues(new Uint8Array((words * 4) / 3))))
