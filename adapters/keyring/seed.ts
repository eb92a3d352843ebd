import { pbkdf2Sync } from 'node:crypto'
import { mnemonicOf, type Mnemonic } from '../../core/keys/mnemonic.ts'

/**
 * The seed of 64 bytes (BIP-39). Node computes it some ten times as fast as a library in JavaScript.
 *
 * @throws for entropy of another length
 */
export const seedOf = (mnemonic: Mnemonic): Uint8Array =>
  pbkdf2Sync(composed(mnemonicOf(mnemonic)), composed(`mnemonic${mnemonic.passphrase}`), 2048, 64, 'sha512')

const composed = (text: string): string => text.normalize('NFKD')
