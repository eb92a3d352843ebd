import { base58, bech32, bech32m } from '@scure/base'
import { sha256 } from '@noble/hashes/sha2.js'
import { concat } from '../../bytes.ts'
import { outputKeyOf } from '../taproot.ts'
import { hash160, withChecksum } from './checksums.ts'

/** What tells the addresses of one network from those of another. */
export type BitcoinNetwork = { readonly p2pkh: number; readonly p2sh: number; readonly prefix: string }

export const bitcoinNetworks = {
  MAINNET: { p2pkh: 0x00, p2sh: 0x05, prefix: 'bc' },
  TESTNET: { p2pkh: 0x6f, p2sh: 0xc4, prefix: 'tb' },
  SIGNET: { p2pkh: 0x6f, p2sh: 0xc4, prefix: 'tb' },
  REGTEST: { p2pkh: 0x6f, p2sh: 0xc4, prefix: 'bcrt' },
} as const satisfies Readonly<Record<string, BitcoinNetwork>>

/** Of a compressed key, for each kind of script. */
export const bitcoinAddresses = {
  P2PKH: ({ p2pkh }: BitcoinNetwork, key: Uint8Array) => p2pkhOf(p2pkh, key),
  /** P2WPKH inside P2SH (BIP-49). */
  P2SH: ({ p2sh }: BitcoinNetwork, key: Uint8Array) =>
    hashAddress(p2sh, hash160(concat([V0_OF_20_BYTES, hash160(key)]))),
  P2WPKH: ({ prefix }: BitcoinNetwork, key: Uint8Array) => witnessAddress(prefix, 0, hash160(key)),
  /** The witness script is the key and OP_CHECKSIG. */
  P2WSH: ({ prefix }: BitcoinNetwork, key: Uint8Array) =>
    witnessAddress(prefix, 0, sha256(concat([PUSH_33, key, OP_CHECKSIG]))),
  /** The key path alone (BIP-86). */
  P2TR: ({ prefix }: BitcoinNetwork, key: Uint8Array) => witnessAddress(prefix, 1, outputKeyOf(key.subarray(1))),
} as const

/** Pay to the hash of a compressed key, with the version byte of a network, also of one that is no Bitcoin's. */
export const p2pkhOf = (version: number, key: Uint8Array): string => hashAddress(version, hash160(key))

/** Of the hash of a key or script, with the version byte that says which it is, and of which network. */
export const hashAddress = (version: number, hash: Uint8Array): string =>
  base58.encode(withChecksum(concat([Uint8Array.of(version), hash])))

/** Of a witness program: BIP-173 for version 0, BIP-350 for all others. */
export const witnessAddress = (prefix: string, version: number, program: Uint8Array): string => {
  const coder = version === 0 ? bech32 : bech32m
  return coder.encode(prefix, [version, ...coder.toWords(program)])
}

const V0_OF_20_BYTES = Uint8Array.of(0x00, 0x14)
const PUSH_33 = Uint8Array.of(0x21)
const OP_CHECKSIG = Uint8Array.of(0xac)
