import { createHash } from 'node:crypto'
import { encodeHex } from '../../../../core/bytes.ts'
import { keyCurves } from '../../../../core/keys/curve.ts'
import { deriveAt, rootOf } from '../../../../core/keys/derive.ts'
import { seedOf } from '../../../../adapters/keyring/seed.ts'
import { englishOf, mnemonicOf, type Mnemonic } from '../../../../core/keys/mnemonic.ts'
import { parsePath } from '../../../../core/keys/path.ts'
import { newPrivateKey, randomBytesOf } from '../../../../core/keys/public-key.ts'
import type { Brought } from '../../../core/audit/border-log.ts'
import { secretBytes, secretText, type Secret } from '../secret.ts'

/** Random bytes that a test knows, and all that is secret of what was made of them. */
export type KnownKeys = {
  readonly random: (length: number) => Uint8Array
  /** @param paths  at which the wallets have keys */
  readonly secrets: (paths: readonly string[]) => readonly Secret[]
}

export const knownKeys = (seed: string): KnownKeys => {
  const given: Uint8Array[] = []
  return {
    random: (length) => {
      const bytes = createHash('shake256', { outputLength: length }).update(`${seed} ${given.length}`).digest()
      given.push(Uint8Array.from(bytes)) // the keyring overwrites what it gets
      return bytes
    },
    secrets: (paths) =>
      given.flatMap((bytes, index) => [
        secretBytes(`random bytes ${index}`, encodeHex(bytes)),
        ...privateKeysOf(bytes, index),
        ...(bytes.length <= ENTROPY_MAX ? seedSecrets(englishOf(bytes), String(index), paths) : []),
      ]),
  }
}

const ENTROPY_MAX = 32
const WORDS_SHOWN = 3

/** The private keys that such random bytes make. */
const privateKeysOf = (bytes: Uint8Array, index: number): readonly Secret[] =>
  keyCurves
    .filter((curve) => randomBytesOf(curve) === bytes.length && bytes.length > ENTROPY_MAX)
    .map((curve) => secretBytes(`private key ${index} of ${curve}`, encodeHex(newPrivateKey(curve, bytes))))

/** All that is secret of what somebody brings. @param paths  at which the wallets have keys */
export const broughtSecrets = ({ wallets, keys, secrets }: Brought, paths: readonly string[]): readonly Secret[] => [
  ...wallets.flatMap((wallet) => [
    secretBytes(`entropy in ${wallet.language}`, encodeHex(wallet.entropy)),
    ...(wallet.passphrase === '' ? [] : [secretText('a passphrase', wallet.passphrase)]),
    ...seedSecrets(wallet, wallet.language, paths),
    ...seedSecrets({ ...wallet, language: 'MNEMONIC_LANGUAGE_SPANISH' }, `${wallet.language} in Spanish`, []),
  ]),
  ...keys.map(({ curve, key }) => secretBytes(`a key of ${curve}`, encodeHex(key))),
  ...secrets.map((text) => secretText('a secret', text)),
]

/** What follows from entropy: words, seed, and the keys at the paths and above them, with their chain codes. */
const seedSecrets = (mnemonic: Mnemonic, index: string, paths: readonly string[]): readonly Secret[] => {
  const words = mnemonicOf(mnemonic).split(' ')
  const seed = seedOf(mnemonic)
  const keys = keyCurves.flatMap((curve) => {
    const root = rootOf(seed, curve)
    return ['m', ...paths].flatMap((path) => {
      const { indexes, hardened } = parsePath(path) ?? { indexes: [], hardened: [] }
      const parts = [indexes.length - 1, indexes.length].filter((levels) => levels >= 0)
      return parts.flatMap((levels) => {
        const key = deriveAt(root, { indexes: indexes.slice(0, levels), hardened: hardened.slice(0, levels) })
        const name = `wallet ${index} at level ${levels} of ${path}, ${curve}`
        return [
          secretBytes(`the key of ${name}`, encodeHex(key.privateKey)),
          secretBytes(`the chain code of ${name}`, encodeHex(key.chainCode)),
        ]
      })
    })
  })
  return [
    secretBytes(`seed ${index}`, encodeHex(seed)),
    secretText(`mnemonic ${index}`, words.join(' ')),
    ...words
      .slice(0, 1 - WORDS_SHOWN)
      .map((_, at) => secretText(`words ${at} of ${index}`, words.slice(at, at + WORDS_SHOWN).join(' '))),
    ...keys,
  ]
}
