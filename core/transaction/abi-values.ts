import { decodeUtf8, encodeHex } from '../bytes.ts'
import type { Fact } from '../policy/fact.ts'

/** A type of Solidity's ABI, ready to read values. */
export type AbiType = {
  /** How many bytes each value has, if all have as many. It can be larger than any data, and is not exact then. */
  readonly size: number | undefined
} & (
  | { readonly kind: 'word'; readonly read: (word: Uint8Array) => Fact | undefined }
  | { readonly kind: 'bytes' | 'string' }
  /** Of any length if it has none. */
  | { readonly kind: 'array'; readonly element: AbiType; readonly length: number | undefined }
  | { readonly kind: 'tuple'; readonly members: readonly AbiType[] }
)

/** A type with this name that is neither an array nor a tuple; `undefined` if there is none. */
export const elementaryType = (name: string): AbiType | undefined => {
  if (name === 'bytes' || name === 'string') return { kind: name, size: undefined }
  if (name === 'bool') return wordType(readBool)
  if (name === 'address') return wordType(readAddress)
  if (name === 'function') return wordType(readBytes(24)) // an address and a selector
  const [, kind, digits] = SIZED.exec(name) ?? []
  const size = Number(digits)
  if (kind === 'bytes') return size <= WORD ? wordType(readBytes(size)) : undefined
  if (kind === undefined || size % 8 !== 0 || size > 256) return undefined
  return wordType(kind === 'uint' ? readUint(size) : readInt(size))
}

/** @param length  at least 1, or `undefined` for any */
export const arrayType = (element: AbiType, length: number | undefined): AbiType => {
  const size = length === undefined || element.size === undefined ? undefined : length * element.size
  return { kind: 'array', element, length, size }
}

/** @param members  at least one: where values take no room, few bytes could stand for any number of them */
export const tupleType = (members: readonly AbiType[]): AbiType => {
  const size = members.reduce<number | undefined>(
    (sum, member) => (sum === undefined || member.size === undefined ? undefined : sum + member.size),
    0,
  )
  return { kind: 'tuple', members, size }
}

/**
 * Reads values in the one form in which Solidity writes them: without gaps, each value behind the one before it, padded with zeros, to the
 * end of the data. So each byte is read once, and data that could be mistaken for other data have no values.
 *
 * @param types  nested as deep as the stack allows: the caller has a limit
 * @returns integers as `bigint`, addresses and bytes as lower-case hex with `0x`, tuples and arrays as lists; `undefined` for other data
 */
export const decodeAbi = (types: readonly AbiType[], data: Uint8Array): readonly Fact[] | undefined => {
  const decoded = sequence(data, 0, types.length, (i) => types[i])
  return decoded?.end === data.length ? decoded.value : undefined
}

const SIZED = /^(u?int|bytes)([1-9]\d{0,2})$/
const WORD = 32

const wordType = (read: (word: Uint8Array) => Fact | undefined): AbiType => ({ kind: 'word', read, size: WORD })

type Decoded<F extends Fact = Fact> = { readonly value: F; readonly end: number }

/**
 * Values in a row: first those whose size is known, and the distances to the others; then the others.
 *
 * @param start  where they stand, and from where distances count
 */
const sequence = (
  data: Uint8Array,
  start: number,
  count: number,
  typeAt: (index: number) => AbiType | undefined,
): Decoded<readonly Fact[]> | undefined => {
  let end = start
  for (let i = 0; i < count && end <= data.length; i += 1) end += typeAt(i)?.size ?? WORD
  if (end > data.length) return undefined
  const values: Fact[] = []
  let at = start
  for (let i = 0; i < count; i += 1) {
    const type = typeAt(i)
    if (type === undefined) return undefined
    const { size } = type
    if (size === undefined && lengthAt(data, at) !== end - start) return undefined
    const decoded = decode(type, data, size === undefined ? end : at)
    if (decoded === undefined) return undefined
    values.push(decoded.value)
    if (size === undefined) end = decoded.end
    at += size ?? WORD
  }
  return { value: values, end }
}

const decode = (type: AbiType, data: Uint8Array, at: number): Decoded | undefined => {
  if (type.kind === 'word') {
    const value = wordAt(data, at, type.read)
    return value === undefined ? undefined : { value, end: at + WORD }
  }
  if (type.kind === 'tuple') return sequence(data, at, type.members.length, (i) => type.members[i])
  if (type.kind === 'array' && type.length !== undefined) return sequence(data, at, type.length, () => type.element)
  const length = lengthAt(data, at)
  if (length === undefined) return undefined
  return type.kind === 'array'
    ? sequence(data, at + WORD, length, () => type.element)
    : decodeBytes(type.kind, data, at + WORD, length)
}

const decodeBytes = (
  kind: 'bytes' | 'string',
  data: Uint8Array,
  at: number,
  length: number,
): Decoded<string> | undefined => {
  const end = at + Math.ceil(length / WORD) * WORD
  if (end > data.length || !isZero(data.subarray(at + length, end))) return undefined
  const bytes = data.subarray(at, at + length)
  const value = kind === 'string' ? decodeUtf8(bytes) : `0x${encodeHex(bytes)}`
  return value === undefined ? undefined : { value, end }
}

/** `undefined` where no word stands. */
const wordAt = <A>(data: Uint8Array, at: number, read: (word: Uint8Array) => A | undefined): A | undefined =>
  at + WORD <= data.length ? read(data.subarray(at, at + WORD)) : undefined

/** A distance or a length: one that is larger than all data is none. */
const lengthAt = (data: Uint8Array, at: number): number | undefined =>
  wordAt(data, at, (word) => {
    const length = integerOf(word)
    return length <= data.length ? Number(length) : undefined
  })

const integerOf = (word: Uint8Array): bigint => BigInt(`0x${encodeHex(word)}`)

const isZero = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0)

const readUint =
  (bits: number) =>
  (word: Uint8Array): bigint | undefined => {
    const integer = integerOf(word)
    return BigInt.asUintN(bits, integer) === integer ? integer : undefined
  }

const readInt =
  (bits: number) =>
  (word: Uint8Array): bigint | undefined => {
    const integer = BigInt.asIntN(256, integerOf(word))
    return BigInt.asIntN(bits, integer) === integer ? integer : undefined
  }

const readBool = (word: Uint8Array): boolean | undefined => {
  const integer = integerOf(word)
  return integer <= 1n ? integer === 1n : undefined
}

const readAddress = (word: Uint8Array): string | undefined =>
  isZero(word.subarray(0, 12)) ? `0x${encodeHex(word.subarray(12))}` : undefined

const readBytes =
  (size: number) =>
  (word: Uint8Array): string | undefined =>
    isZero(word.subarray(size)) ? `0x${encodeHex(word.subarray(0, size))}` : undefined
