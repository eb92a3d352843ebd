import { createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto'
import * as t from '../../core/codec/t.ts'
import { decodeHex } from '../../core/bytes.ts'
import { uncompressed } from '../../core/keys/public-key.ts'
import type { Stamper } from '../../core/door/transport.ts'
import { writeStamp } from '../../core/stamp/write-stamp.ts'
import { joined } from '../keyring/aes-gcm.ts'
import { boundAad, decryptWith } from '../keyring/hpke.ts'
import { pkcs8Prefixes, publicKeyHex } from '../signatures/signer.ts'
import { unreachable } from './passed-on.ts'
import type { ProxyKeyPair } from './keys.ts'

/** The API key of a configuration, as the engine has sealed it for the proxy. */
export const SealedKey = t.fields({
  organizationId: t.string,
  publicKey: t.string,
  encryptedApiKey: t.fields({ encappedPublic: t.string, ciphertext: t.string }),
})
export type SealedKey = t.TypeOf<typeof SealedKey>

/** A key for one request. It is opened when it stamps first: not every request needs it. */
export type OpenedKey = {
  readonly stamper: Stamper
  /** Lets the key go. Nothing is stamped any more. */
  readonly close: () => void
}

/**
 * Opens sealed keys, each for one request. The private bytes are overwritten as soon as the platform has made its key of them, also if it refuses
 * them; the platform overwrites its own when that key is collected.
 *
 * @param decrypt  as `decryptWith`; it gives bytes that nobody else keeps
 */
export const openedKeys = (opening: ProxyKeyPair, decrypt = decryptWith): ((sealed: SealedKey) => OpenedKey) => {
  const opener = openerOf(opening)
  return (sealed) => {
    let key: Promise<KeyObject> | undefined
    let isClosed = false
    return {
      stamper: async (body) => {
        if (isClosed) throw new Error('the key is let go')
        const signature = sign('sha256', body, await (key ??= opened(sealed, opener, decrypt)))
        return { name: 'X-Stamp', value: writeStamp(sealed.publicKey, 'SIGNATURE_SCHEME_TK_API_P256', signature) }
      },
      close: () => {
        isClosed = true
        key = undefined
      },
    }
  }
}

type Opener = { readonly privateKey: Uint8Array; readonly publicKey: Uint8Array }

const openerOf = ({ privateKey, publicKey }: ProxyKeyPair): Opener => {
  const [secret, point] = [decodeHex(privateKey), decodeHex(uncompressed('CURVE_P256', publicKey))]
  if (secret === undefined || point === undefined) throw new TypeError('expected a key pair on P-256 in hex')
  return { privateKey: secret, publicKey: point }
}

const opened = async (sealed: SealedKey, opener: Opener, decrypt: typeof decryptWith): Promise<KeyObject> => {
  const { organizationId, publicKey, encryptedApiKey } = sealed
  const secret = await decrypt(opener.privateKey, opener.publicKey, encryptedApiKey, {
    aad: (encapped) => boundAad(encapped, opener.publicKey, organizationId, publicKey),
  })
  if (secret === undefined) throw unreachable('the key of the configuration was not made for this proxy')
  const der = joined(pkcs8Prefixes[CURVE], secret)
  try {
    const key = secret.length === SECRET_BYTES ? privateKeyOf(der) : undefined
    if (key === undefined || publicKeyHex(CURVE, createPublicKey(key)) !== publicKey)
      throw unreachable('the key of the configuration is not the one that it names')
    return key
  } finally {
    secret.fill(0)
    der.fill(0)
  }
}

const SECRET_BYTES = 32

const CURVE = 'API_KEY_CURVE_P256'

/** Its errors could quote what they were given. */
const privateKeyOf = (der: Uint8Array): KeyObject | undefined => {
  try {
    return createPrivateKey({ key: Buffer.from(der.buffer, der.byteOffset, der.length), format: 'der', type: 'pkcs8' })
  } catch {
    return undefined
  }
}
