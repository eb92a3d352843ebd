import { entropyToMnemonic, mnemonicToEntropy } from '@scure/bip39'
import { wordlist as czech } from '@scure/bip39/wordlists/czech.js'
import { wordlist as english } from '@scure/bip39/wordlists/english.js'
import { wordlist as french } from '@scure/bip39/wordlists/french.js'
import { wordlist as italian } from '@scure/bip39/wordlists/italian.js'
import { wordlist as japanese } from '@scure/bip39/wordlists/japanese.js'
import { wordlist as korean } from '@scure/bip39/wordlists/korean.js'
import { wordlist as simplifiedChinese } from '@scure/bip39/wordlists/simplified-chinese.js'
import { wordlist as spanish } from '@scure/bip39/wordlists/spanish.js'
import { wordlist as traditionalChinese } from '@scure/bip39/wordlists/traditional-chinese.js'
import { mnemonicLanguages, type MnemonicLanguage } from './mnemonic-parameters.ts'

const wordlists: Readonly<Record<MnemonicLanguage, string[]>> = {
  MNEMONIC_LANGUAGE_ENGLISH: english,
  MNEMONIC_LANGUAGE_SIMPLIFIED_CHINESE: simplifiedChinese,
  MNEMONIC_LANGUAGE_TRADITIONAL_CHINESE: traditionalChinese,
  MNEMONIC_LANGUAGE_CZECH: czech,
  MNEMONIC_LANGUAGE_FRENCH: french,
  MNEMONIC_LANGUAGE_ITALIAN: italian,
  MNEMONIC_LANGUAGE_JAPANESE: japanese,
  MNEMONIC_LANGUAGE_KOREAN: korean,
  MNEMONIC_LANGUAGE_SPANISH: spanish,
}

/** What a wallet is made of. The seed comes from the words, so the same entropy in another language is another wallet. */
export type Mnemonic = {
  /** 16, 20, 24, 28 or 32 bytes. */
  readonly entropy: Uint8Array
  readonly language: MnemonicLanguage
  /** That of BIP-39; mostly empty. */
  readonly passphrase: string
}

/** The mnemonic of a wallet that is made here. */
export const englishOf = (entropy: Uint8Array, passphrase = ''): Mnemonic => ({
  entropy,
  language: 'MNEMONIC_LANGUAGE_ENGLISH',
  passphrase,
})

/**
 * The words (BIP-39), with one space between them.
 *
 * @throws for entropy of another length
 */
export const mnemonicOf = ({ entropy, language }: Pick<Mnemonic, 'entropy' | 'language'>): string =>
  entropyToMnemonic(entropy, wordlists[language]).replaceAll('\u3000', ' ') // between Japanese words stands another space

/**
 * The entropy of words, in the first of the languages that has all of them with their checksum; `undefined` where none has. White space stands
 * between them. A few words are in two lists: whichever it is, it gives the same words, and so the same seed.
 */
export const readMnemonic = (words: string): Omit<Mnemonic, 'passphrase'> | undefined => {
  const text = words.trim().split(/\s+/).join(' ')
  for (const language of mnemonicLanguages) {
    try {
      return { entropy: mnemonicToEntropy(text, wordlists[language]), language }
    } catch {
      // Not of this language.
    }
  }
  return undefined
}
