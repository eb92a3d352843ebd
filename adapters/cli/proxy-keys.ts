import { stat } from 'node:fs/promises'
import * as t from 'io-ts'
import { closed } from '../../core/codec/codec.ts'
import type { AuthProxyKeys } from '../../core/ports/auth-proxy.ts'
import { isPublicKey } from '../../core/keys/public-key.ts'
import { newProxyKeys, publicHalves, type ProxyKeyPair, type ProxyKeys } from '../proxy/keys.ts'
import { keyOf, readJson, writeJson } from '../credentials/credentials.ts'
import { systemReason, unusable } from './stop.ts'
import { mustBeNew } from '../files/whole-file.ts'

const PublicHalf = closed({ publicKey: t.string })
const KeyPair = closed({ publicKey: t.string, privateKey: t.string })

/** The file of a proxy. */
const KeysFile = closed({ signing: KeyPair, opening: KeyPair })

/** The public halves, for a server. */
const PublicFile = closed({ signing: PublicHalf, opening: PublicHalf })

/** The place of the public halves, beside that of the keys: `proxy.pub.json` beside `proxy.json`. */
export const publicPathOf = (path: string): string => `${path.replace(/\.json$/, '')}.pub.json`

/**
 * Makes the keys of a proxy, and writes both files; it replaces none.
 *
 * @throws Stop if a file cannot be written
 */
export const writeProxyKeys = async (path: string): Promise<void> => {
  const publicPath = publicPathOf(path)
  await mustBeNew(publicPath)
  const { signing, opening } = newProxyKeys()
  await writeJson(path, { signing, opening }, 'new')
  const halves = { signing: { publicKey: signing.publicKey }, opening: { publicKey: opening.publicKey } }
  await writeJson(publicPath, halves, 'new')
}

/** @throws Stop if there is no such file, if others can read it, or if its halves do not fit */
export const readProxyKeys = async (path: string): Promise<ProxyKeys> => {
  const keys = await readJson(KeysFile, path, 'file with the keys of a proxy')
  if (keys === undefined) throw unusable(`there is no file ${path}`)
  await mustBePrivate(path)
  const [signing, opening] = [pairOf(path, keys.signing), pairOf(path, keys.opening)]
  if (signing.publicKey === opening.publicKey)
    throw unusable(`${path} holds one key twice: make others with proxy init`)
  return { signing, opening }
}

/** @throws Stop if there is no such file, or if its keys are none */
export const readProxyPublicKeys = async (path: string): Promise<AuthProxyKeys> => {
  const keys = await readJson(PublicFile, path, 'file with the public keys of a proxy')
  if (keys === undefined) throw unusable(`there is no file ${path}`)
  const { signing, opening } = keys
  if (![signing, opening].every(({ publicKey }) => isPublicKey('CURVE_P256', publicKey)))
    throw unusable(`${path} holds no usable key: expected public keys of P-256, compressed, in lower-case hex`)
  if (signing.publicKey === opening.publicKey) throw unusable(`${path} holds one key twice`)
  return publicHalves(keys)
}

/** The pair in its one spelling; stops if its halves do not fit. */
const pairOf = (path: string, pair: ProxyKeyPair): ProxyKeyPair => {
  const { publicKey, privateKey } = keyOf(path, { apiPublicKey: pair.publicKey, apiPrivateKey: pair.privateKey })
  return { publicKey, privateKey }
}

const OF_OTHERS = 0o077

const mustBePrivate = async (path: string): Promise<void> => {
  if (process.platform === 'win32') return // it has no such modes
  const { mode } = await stat(path).catch((error: unknown) => {
    throw unusable(`cannot read ${path}: ${systemReason(error)}`)
  })
  if ((mode & OF_OTHERS) !== 0)
    throw unusable(`others than the owner have rights on the keys of the proxy ${path}: chmod 600 ${path}`)
}
