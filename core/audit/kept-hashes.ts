import { decodeHex, encodeHex } from '../bytes.ts'

const HASH_BYTES = 32
const FIRST_ROOM = 64

/** Hashes of the lines of a log, from one line on: 32 bytes each. An erasure may name any of them. */
export type KeptHashes = {
  /** Keeps the hash of the next line. */
  readonly push: (hash: string) => void
  /** The hash of the line of a sequence; undefined where it was not kept. */
  readonly at: (sequence: bigint) => string | undefined
}

/** @param from  the sequence of the first line */
export const keptHashes = (from: bigint): KeptHashes => {
  let bytes = new Uint8Array(FIRST_ROOM * HASH_BYTES)
  let count = 0
  return {
    push: (hash) => {
      const end = count * HASH_BYTES
      if (end === bytes.length) {
        const more = new Uint8Array(2 * bytes.length)
        more.set(bytes)
        bytes = more
      }
      bytes.set(decodeHex(hash) ?? new Uint8Array(HASH_BYTES), end)
      count += 1
    },
    at: (sequence) => {
      const index = sequence - from
      if (index < 0n || index >= BigInt(count)) return undefined
      const begin = Number(index) * HASH_BYTES
      return encodeHex(bytes.subarray(begin, begin + HASH_BYTES))
    },
  }
}
