/**
 * Reads one flat map of CBOR that fills all the bytes: whole numbers of up to 32 bits as names, whole numbers or byte strings as values, lengths
 * in their shortest form, no name twice.
 *
 * @returns the map; `undefined` for anything else
 * @see https://www.rfc-editor.org/rfc/rfc8949
 */
export const decodeFlatMap = (bytes: Uint8Array): ReadonlyMap<number, number | Uint8Array> | undefined => {
  const reader = new Reader(bytes)
  const map = reader.map()
  return map !== undefined && reader.at === bytes.length ? map : undefined
}

const [UNSIGNED, NEGATIVE, BYTES, MAP] = [0, 1, 2, 5]

class Reader {
  at = 0
  private readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  map(): ReadonlyMap<number, number | Uint8Array> | undefined {
    const head = this.head()
    if (head === undefined || head.type !== MAP) return undefined
    const map = new Map<number, number | Uint8Array>()
    for (let left = head.value; left > 0; left -= 1) {
      const name = this.value()
      const value = this.value()
      if (typeof name !== 'number' || value === undefined || map.has(name)) return undefined
      map.set(name, value)
    }
    return map
  }

  private value(): number | Uint8Array | undefined {
    const head = this.head()
    if (head === undefined) return undefined
    if (head.type === UNSIGNED) return head.value
    if (head.type === NEGATIVE) return -1 - head.value
    if (head.type !== BYTES || this.at + head.value > this.bytes.length) return undefined
    this.at += head.value
    return this.bytes.subarray(this.at - head.value, this.at)
  }

  /** The type of the next value, and the number behind it: itself, or a length. */
  private head(): { readonly type: number; readonly value: number } | undefined {
    const first = this.bytes[this.at]
    if (first === undefined) return undefined
    const [type, short] = [first >> 5, first & 0x1f]
    this.at += 1
    if (short < SHORT_MAX) return { type, value: short }
    const length = LENGTHS.get(short)
    if (length === undefined || this.at + length.bytes > this.bytes.length) return undefined
    let value = 0
    for (let left = length.bytes; left > 0; left -= 1) value = value * 256 + (this.bytes[this.at++] ?? 0)
    return value < length.least ? undefined : { type, value }
  }
}

const SHORT_MAX = 24
/** How many bytes follow, by what the first byte says, and the least number that needs so many. */
const LENGTHS = new Map([
  [24, { bytes: 1, least: 24 }],
  [25, { bytes: 2, least: 0x100 }],
  [26, { bytes: 4, least: 0x1_0000 }],
])
