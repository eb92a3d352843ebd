import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concat } from '../../bytes.ts'

/** The account id of Bitcoin and its relatives: 20 bytes. */
export const hash160 = (bytes: Uint8Array): Uint8Array => ripemd160(sha256(bytes))

/** Two rounds of SHA-256: Bitcoin's hash of transactions, and of what has a checksum. */
export const doubleSha256 = (bytes: Uint8Array): Uint8Array => sha256(sha256(bytes))

/** The bytes with the checksum behind them that base58check has: the first 4 of two rounds of SHA-256. */
export const withChecksum = (bytes: Uint8Array): Uint8Array => concat([bytes, doubleSha256(bytes).subarray(0, 4)])

/** CRC-16/XMODEM: polynomial 0x1021, first value 0. */
export const crc16 = (bytes: Uint8Array): number => {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit += 1) crc = ((crc << 1) ^ ((crc & 0x8000) === 0 ? 0 : 0x1021)) & 0xffff
  }
  return crc
}
