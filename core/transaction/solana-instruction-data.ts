import { decodeUtf8, encodeHex } from '../bytes.ts'
import { solanaAddress } from '../keys/addresses/ed25519.ts'
import type { Fact } from '../policy/fact.ts'
import type { IdlFields, IdlType, IdlVariant } from './solana-idl-types.ts'
import type { IdlInstruction, SolanaInterface } from './solana-interface.ts'
import type { SolanaInstruction } from './solana-message.ts'

/** How many values may still be read. Values without bytes would have no other bound. */
export type Budget = { left: number }

/** The most values of a transaction: no call whose values take bytes has as many. */
export const VALUES_MAX = 10_000

/**
 * An instruction with the names of its program, as `parsed_instruction_data`:
 *
 * - whole numbers as they are, and fractional ones as the text of their double;
 * - public keys in base58, `bytes` in hex without `0x`, `vec` and `array` as lists, also of bytes;
 * - a struct as its fields by name, or as a list if they have none;
 * - an enum as its variant's name in `name`, and, if the variant has fields, these in a member of that name: `{ name: 'Limit', Limit: [5] }`;
 * - an option as its value: without one, its member is absent. In a list, whose places count, stands a struct without members.
 *
 * @returns `undefined` if the interface has no such instruction, the data is not exactly that of its arguments, or accounts are missing
 */
export const parsedInstructionData = (
  { instructions, discriminatorLengths }: SolanaInterface,
  { accounts, data }: SolanaInstruction,
  budget: Budget,
): Fact | undefined => {
  const instruction = discriminatorLengths
    .map((length) => instructions.get(encodeHex(data.subarray(0, length))))
    .find((found) => found !== undefined)
  if (instruction === undefined || accounts.length < instruction.accounts.length) return undefined
  const args = readArguments(instruction, data, budget)
  if (args === undefined) return undefined
  const named = record()
  for (const [index, name] of instruction.accounts.entries()) named[name] = accounts[index]?.key ?? ''
  return {
    instruction_name: instruction.name,
    discriminator: instruction.discriminator,
    named_accounts: named,
    named_account: named,
    program_call_args: args,
  }
}

/** A value, `NONE` for an option without one, or `undefined` for data that is no such value. */
type Read = Fact | typeof NONE | undefined
const NONE = Symbol('an option without a value')

type Reader = { readonly bytes: Uint8Array; readonly view: DataView; readonly budget: Budget; at: number }

/** Without a prototype, because an interface gives the names. */
const record = (): Record<string, Fact> => Object.create(null) as Record<string, Fact> // it has no members yet

const readArguments = ({ discriminator, args }: IdlInstruction, data: Uint8Array, budget: Budget): Fact | undefined => {
  const view = new DataView(data.buffer, data.byteOffset, data.length)
  const reader: Reader = { bytes: data, view, budget, at: discriminator.length / 2 }
  const values = readFields(reader, args)
  return reader.at === data.length ? values : undefined
}

const readFields = (reader: Reader, { names, types }: IdlFields): Fact | undefined => {
  if (names === undefined) return readItems(reader, types.length, (index) => types[index])
  const struct = record()
  for (const [index, type] of types.entries()) {
    const value = read(reader, type)
    if (value === undefined) return undefined
    if (value !== NONE) struct[names[index] ?? ''] = value
  }
  return struct
}

const readItems = (
  reader: Reader,
  length: number,
  typeAt: (index: number) => IdlType | undefined,
): Fact | undefined => {
  const items: Fact[] = []
  for (let index = 0; index < length; index += 1) {
    const type = typeAt(index)
    const value = type === undefined ? undefined : read(reader, type)
    if (value === undefined) return undefined
    items.push(value === NONE ? record() : value)
  }
  return items
}

const read = (reader: Reader, type: IdlType): Read => {
  if (reader.budget.left === 0) return undefined
  reader.budget.left -= 1
  switch (type.kind) {
    case 'bool':
      return flag(reader)
    case 'integer':
      return integer(reader, type.bytes, type.isSigned)
    case 'f32':
    case 'f64':
      return float(reader, type.kind)
    case 'publicKey': {
      const key = take(reader, 32)
      return key === undefined ? undefined : solanaAddress(key)
    }
    case 'bytes': {
      const bytes = take(reader, lengthOf(reader))
      return bytes === undefined ? undefined : encodeHex(bytes)
    }
    case 'string': {
      const bytes = take(reader, lengthOf(reader))
      return bytes === undefined ? undefined : decodeUtf8(bytes)
    }
    case 'list':
      return list(reader, type.of, type.length ?? lengthOf(reader))
    case 'option':
      return option(reader, type.of)
    case 'struct':
      return readFields(reader, type.fields)
    case 'enum':
      return variant(reader, type.variants)
    default:
      return type satisfies never
  }
}

const take = (reader: Reader, length: number | undefined): Uint8Array | undefined => {
  const { at, bytes } = reader
  if (length === undefined || length > bytes.length - at) return undefined
  reader.at += length
  return bytes.subarray(at, at + length)
}

const byte = (reader: Reader): number | undefined => take(reader, 1)?.[0]

const lengthOf = (reader: Reader): number | undefined => {
  const { at, view } = reader
  return take(reader, 4) === undefined ? undefined : view.getUint32(at, true)
}

/** A byte that is 0 or 1. */
const flag = (reader: Reader): boolean | undefined => {
  const value = byte(reader)
  return value === undefined || value > 1 ? undefined : value === 1
}

const integer = (reader: Reader, length: number, isSigned: boolean): bigint | undefined => {
  const bytes = take(reader, length)
  if (bytes === undefined) return undefined
  const value = bytes.reduceRight((sum, digit) => (sum << 8n) | BigInt(digit), 0n)
  return isSigned ? BigInt.asIntN(8 * length, value) : value
}

/** Borsh has no way to write what is not a number. */
const float = (reader: Reader, kind: 'f32' | 'f64'): string | undefined => {
  const { at, view } = reader
  if (take(reader, kind === 'f32' ? 4 : 8) === undefined) return undefined
  const value = kind === 'f32' ? view.getFloat32(at, true) : view.getFloat64(at, true)
  if (Number.isNaN(value)) return undefined
  return Object.is(value, -0) ? '-0' : String(value)
}

/** Each item takes a byte at least. */
const list = (reader: Reader, of: IdlType, length: number | undefined): Fact | undefined =>
  length === undefined || length > reader.bytes.length - reader.at ? undefined : readItems(reader, length, () => of)

const option = (reader: Reader, of: IdlType): Read => {
  const isThere = flag(reader)
  return isThere === true ? read(reader, of) : isThere === false ? NONE : undefined
}

const variant = (reader: Reader, variants: readonly IdlVariant[]): Fact | undefined => {
  const found = variants[byte(reader) ?? -1]
  if (found === undefined) return undefined
  const value = record()
  value['name'] = found.name
  if (found.fields.types.length === 0) return value
  const fields = readFields(reader, found.fields)
  if (fields === undefined) return undefined
  value[found.name] = fields
  return value
}
