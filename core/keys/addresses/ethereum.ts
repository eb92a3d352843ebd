import { keccak_256 } from '@noble/hashes/sha3.js'
import { base58 } from '@scure/base'
import { concat, decodeHex, encodeHex, encodeUtf8 } from '../../bytes.ts'
import { uncompressed } from '../public-key.ts'
import { withChecksum } from './checksums.ts'

/** `0x` and 40 digits with the checksum of EIP-55. */
export const ethereumAddress = (publicKey: string): string => withEip55(encodeHex(accountOf(publicKey)))

/**
 * Writes the checksum of EIP-55 into an address.
 *
 * @param digits  40, in lower case, without `0x`
 */
export const withEip55 = (digits: string): string => {
  const hash = encodeHex(keccak_256(encodeUtf8(digits)))
  return `0x${Array.from(digits, (digit, i) => ((hash[i] ?? '') >= '8' ? digit.toUpperCase() : digit)).join('')}`
}

export const tronAddress = (publicKey: string): string =>
  base58.encode(withChecksum(concat([TRON, accountOf(publicKey)])))

const TRON = Uint8Array.of(0x41)

/** The last 20 bytes of the hash of the point's coordinates. */
const accountOf = (publicKey: string): Uint8Array => {
  const coordinates = decodeHex(uncompressed('CURVE_SECP256K1', publicKey).slice(2)) ?? new Uint8Array()
  return keccak_256(coordinates).subarray(12)
}
