import { blake2b } from '@noble/hashes/blake2.js'
import { sha3_256 } from '@noble/hashes/sha3.js'
import { base32, base58 } from '@scure/base'
import { concat, encodeHex } from '../../bytes.ts'
import { crc16 } from './checksums.ts'

/** Of a key of 32 bytes, as the three others here. */
export const solanaAddress = (key: Uint8Array): string => base58.encode(key)

/** The key behind the flag of its scheme, hashed. */
export const suiAddress = (key: Uint8Array): string =>
  `0x${encodeHex(blake2b(concat([Uint8Array.of(0), key]), { dkLen: 32 }))}`

/** The authentication key of one key: the id of its scheme stands behind it. */
export const aptosAddress = (key: Uint8Array): string => `0x${encodeHex(sha3_256(concat([key, Uint8Array.of(0)])))}`

/** The StrKey of an account, `G…` (SEP-23). */
export const stellarAddress = (key: Uint8Array): string => {
  const payload = concat([Uint8Array.of(6 << 3), key])
  const crc = crc16(payload)
  return base32.encode(concat([payload, Uint8Array.of(crc & 0xff, crc >> 8)]))
}
