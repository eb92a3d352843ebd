import { entropyToMnemonic, mnemonicToSeedSync } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'

/** The lengths of a mnemonic that BIP-39 has, in words, each with the bytes of entropy that it needs. */
const entropyBytes: Readonly<Record<number, number>> = { 12: 16, 15: 20, 18: 24, 21: 28, 24: 32 }

export const mnemonicLengths: readonly number[] = Object.keys(entropyBytes).map(Number)

/** How many random bytes a mnemonic of so many words is made of (BIP-39); `undefined` for a number of words that it does not have. */
export const entropyBytesOf = (words: number): number | undefined => entropyBytes[words]

/**
 * The English mnemonic of BIP-39, words with one space between them.
 *
 * @param entropy  16, 20, 24, 28 or 32 bytes
 * @throws for any other number of bytes
 */
export const mnemonicOf = (entropy: Uint8Array): string => entropyToMnemonic(entropy, wordlist)

/**
 * The seed of 64 bytes of the entropy's English mnemonic (BIP-39, PBKDF2 with 2048 rounds: it takes some milliseconds).
 *
 * @param entropy  as for `mnemonicOf`
 * @throws for any other number of bytes
 */
export const seedOf = (entropy: Uint8Array, passphrase = ''): Uint8Array =>
  mnemonicToSeedSync(mnemonicOf(entropy), passphrase)
