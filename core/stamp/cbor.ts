import { decodeUtf8 } from '../bytes.ts'

/** A value of CBOR. Numbers are whole, of up to 32 bits. */
export type CborValue = number | string | boolean | null | Uint8Array | readonly CborValue[] | CborMap
export type CborMap = ReadonlyMap<number | string, CborValue>

/**
 * Reads one value of CBOR that fills all the bytes: whole numbers of up to 32 bits, texts, byte strings, lists, maps, `true`, `false` and
 * `null`; lengths in their shortest form, no name of a map twice. Authenticators have to write it so.
 *
 * @returns `undefined` for anything else
 * @see https://www.rfc-editor.org/rfc/rfc8949 and https://www.w3.org/TR/webauthn-3/#sctn-conforming-all-classes
 */
export const decodeCbor = (bytes: Uint8Array): CborValue | undefined => {
  const first = decodeFirstCbor(bytes)
  return first?.length === bytes.length ? first.value : undefined
}

/** As `decodeCbor`, but reads the first value only, and tells how many bytes it takes. */
export const decodeFirstCbor = (
  bytes: Uint8Array,
): { readonly value: CborValue; readonly length: number } | undefined => {
  const reader = new Reader(bytes)
  const value = reader.value()
  return value === undefined ? undefined : { value, length: reader.at }
}

/**
 * Reads one flat map that fills all the bytes: whole numbers as names, whole numbers or byte strings as values.
 *
 * @returns the map; `undefined` for anything else
 */
export const decodeFlatMap = (bytes: Uint8Array): ReadonlyMap<number, number | Uint8Array> | undefined => {
  const map = decodeCbor(bytes)
  if (!isCborMap(map)) return undefined
  const flat = new Map<number, number | Uint8Array>()
  for (const [name, value] of map) {
    if (typeof name !== 'number' || (typeof value !== 'number' && !(value instanceof Uint8Array))) return undefined
    flat.set(name, value)
  }
  return flat
}

export const isCborMap = (value: CborValue | undefined): value is CborMap => value instanceof Map

const [UNSIGNED, NEGATIVE, BYTES, TEXT, LIST, MAP, SIMPLE] = [0, 1, 2, 3, 4, 5, 7]

/** Far more than attestations need: four maps or lists, one in the other. */
const DEPTH_MAX = 8

class Reader {
  at = 0
  private depth = 0
  private readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  value(): CborValue | undefined {
    if ((this.bytes[this.at] ?? 0) >> 5 === SIMPLE) return SIMPLES.get(this.bytes[this.at++] ?? 0)
    const head = this.head()
    if (head === undefined) return undefined
    const { type, value } = head
    if (type === UNSIGNED) return value
    if (type === NEGATIVE) return -1 - value
    if (type === BYTES) return this.slice(value)
    if (type === TEXT) return decodeUtf8(this.slice(value) ?? NO_TEXT)
    if ((type !== LIST && type !== MAP) || this.depth === DEPTH_MAX) return undefined
    this.depth += 1
    const inside = type === LIST ? this.list(value) : this.map(value)
    this.depth -= 1
    return inside
  }

  private slice(length: number): Uint8Array | undefined {
    if (this.at + length > this.bytes.length) return undefined
    this.at += length
    return this.bytes.subarray(this.at - length, this.at)
  }

  private list(count: number): readonly CborValue[] | undefined {
    const list: CborValue[] = []
    for (let left = count; left > 0; left -= 1) {
      const value = this.value()
      if (value === undefined) return undefined
      list.push(value)
    }
    return list
  }

  private map(count: number): CborMap | undefined {
    const map = new Map<number | string, CborValue>()
    for (let left = count; left > 0; left -= 1) {
      const name = this.value()
      if ((typeof name !== 'number' && typeof name !== 'string') || map.has(name)) return undefined
      const value = this.value()
      if (value === undefined) return undefined
      map.set(name, value)
    }
    return map
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
const SIMPLES = new Map<number, CborValue>([
  [0xf4, false],
  [0xf5, true],
  [0xf6, null],
])
/** No UTF-8. */
const NO_TEXT = Uint8Array.of(0xff)
