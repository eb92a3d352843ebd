/** The languages of mnemonics (BIP-39), as the wire names them. */
export const mnemonicLanguages = [
  'MNEMONIC_LANGUAGE_ENGLISH',
  'MNEMONIC_LANGUAGE_SIMPLIFIED_CHINESE',
  'MNEMONIC_LANGUAGE_TRADITIONAL_CHINESE',
  'MNEMONIC_LANGUAGE_CZECH',
  'MNEMONIC_LANGUAGE_FRENCH',
  'MNEMONIC_LANGUAGE_ITALIAN',
  'MNEMONIC_LANGUAGE_JAPANESE',
  'MNEMONIC_LANGUAGE_KOREAN',
  'MNEMONIC_LANGUAGE_SPANISH',
] as const

export type MnemonicLanguage = (typeof mnemonicLanguages)[number]

/** The lengths of a mnemonic that BIP-39 has, in words, each with the bytes of entropy that it needs. */
const entropyBytes: Readonly<Record<number, number>> = { 12: 16, 15: 20, 18: 24, 21: 28, 24: 32 }

export const mnemonicLengths: readonly number[] = Object.keys(entropyBytes).map(Number)

/** How many random bytes a mnemonic of so many words is made of (BIP-39); `undefined` for a number of words that it does not have. */
export const entropyBytesOf = (words: number): number | undefined => entropyBytes[words]
