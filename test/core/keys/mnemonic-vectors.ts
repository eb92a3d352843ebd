import type { MnemonicLanguage } from '../../../core/keys/mnemonic-parameters.ts'
import { vectorFile } from '../../vectors.ts'
import { bytes } from './keys.ts'

type File = { readonly [language: string]: readonly (readonly [entropy: string, mnemonic: string, seed: string])[] }

/** The vectors of BIP-39 in a language; their passphrase is `TREZOR`. Without the file, there are none. */
export const mnemonicVectors = (language: MnemonicLanguage) => {
  const name = language.replace('MNEMONIC_LANGUAGE_', '').toLowerCase()
  const vectors = vectorFile<File>('bip39', 'vectors.json') ?? {}
  return (vectors[name.replace(/(\w+)_chinese/, 'chinese_$1')] ?? []).map(([entropy, mnemonic, seed]) => ({
    entropy: bytes(entropy),
    mnemonic,
    seed,
  }))
}
