import { concat, encodeUtf8 } from '../../../core/bytes.ts'
import type { CborValue } from '../../../core/stamp/cbor.ts'

/** Writes CBOR as authenticators do: lengths in their shortest form. Members of a map keep their order. */
export const encodeCbor = (value: CborValue): Uint8Array => {
  if (value === null) return Uint8Array.of(0xf6)
  if (typeof value === 'boolean') return Uint8Array.of(value ? 0xf5 : 0xf4)
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') {
    const text = encodeUtf8(value)
    return concat([head(3, text.length), text])
  }
  if (value instanceof Uint8Array) return concat([head(2, value.length), value])
  if (value instanceof Map) return concat([head(5, value.size), ...[...value].flat().map(encodeCbor)])
  const list = value as readonly CborValue[] // a map was written before
  return concat([head(4, list.length), ...list.map(encodeCbor)])
}

const head = (type: number, value: number): Uint8Array => {
  const bytes = value < 24 ? 0 : value < 0x100 ? 1 : value < 0x1_0000 ? 2 : 4
  const short = bytes === 0 ? value : 23 + Math.max(1, Math.log2(bytes) + 1)
  const behind = Array.from({ length: bytes }, (_, i) => Math.floor(value / 256 ** (bytes - 1 - i)) % 256)
  return Uint8Array.of((type << 5) | short, ...behind)
}
