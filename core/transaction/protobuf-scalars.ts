import { decodeHex, decodeUtf8, encodeHex, encodeUtf8 } from '../bytes.ts'
import type { Coder } from './protobuf.ts'

/** A number from 0 on. Negative ones, of ten bytes, are refused. */
const natural = (max: bigint): Coder<bigint> => ({
  wire: 0,
  read: (content) => {
    let value = 0n
    for (let i = content.length - 1; i >= 0; i--) value = (value << 7n) | BigInt((content[i] ?? 0) & 0x7f)
    return value <= max ? value : undefined
  },
  write: (value) => {
    const content: number[] = []
    for (let rest = value; rest > 0n; rest >>= 7n) content.push(Number(rest & 0x7fn) | (rest > 0x7fn ? 0x80 : 0))
    return Uint8Array.from(content)
  },
})

export const int64 = natural(2n ** 63n - 1n)
export const int32 = natural(2n ** 31n - 1n)

/** @param names  of the values 0, 1 and so on; others are refused */
export const enumeration = (names: readonly string[]): Coder<string> => ({
  wire: 0,
  read: (content) => names[Number(int32.read(content) ?? -1)],
  write: (name) => int32.write(BigInt(names.indexOf(name))),
})

export const bool: Coder<boolean> = {
  wire: 0,
  read: (content) => (int64.read(content) ?? 0n) > 0n,
  write: (value) => int64.write(value ? 1n : 0n),
}

export const bytes: Coder<Uint8Array> = { wire: 2, read: (content) => content, write: (value) => value }

/** Bytes, as lower-case hex. */
export const hex: Coder<string> = { wire: 2, read: encodeHex, write: (digits) => decodeHex(digits) ?? new Uint8Array() }

export const text: Coder<string> = { wire: 2, read: decodeUtf8, write: encodeUtf8 }
