import { sha256 } from '@noble/hashes/sha2.js'
import { encodeHex, encodeUtf8 } from '../bytes.ts'
import { boundedMap } from '../collections/bounded-map.ts'
import type { Json } from '../failure.ts'
import { parseStrict } from '../json/strict-json.ts'
import { isObject, memberOf } from '../keys/typed-data-types.ts'
import { E } from '../prelude.ts'
import { isIdlName, readNamedFields, typeReader, type IdlFields, type ReadType } from './solana-idl-types.ts'

/** The instructions of a program, read from its Anchor IDL. */
export type SolanaInterface = {
  /** By discriminator. None of them is the beginning of another. */
  readonly instructions: ReadonlyMap<string, IdlInstruction>
  /** The lengths of all discriminators, in bytes. */
  readonly discriminatorLengths: readonly number[]
}

export type IdlInstruction = {
  readonly name: string
  /** The bytes with which its data begins, in lower-case hex. */
  readonly discriminator: string
  /** The names of its accounts, in order. One of a group is named `group.account`. */
  readonly accounts: readonly string[]
  readonly args: IdlFields
}

/**
 * Reads the IDL of an Anchor program, in the old or in the new form.
 *
 * @param text  JSON
 * @returns the interface; or what was expected, and at which place: it completes the sentence "expected …"
 */
export const readSolanaInterface = (text: string): E.Either<string, SolanaInterface> => {
  if (text.length > LENGTH_MAX) return E.left(`at most ${LENGTH_MAX} characters`)
  const json = parseStrict(encodeUtf8(text))
  if (E.isLeft(json)) return E.left('JSON, each member once, and at most 32 lists and objects inside each other')
  const idl = json.right
  if (!isObject(idl)) return E.left('an object with instructions and types')
  const list = memberOf(idl, 'instructions')
  const reader = typeReader(memberOf(idl, 'types'))
  if (E.isLeft(reader)) return reader
  if (!Array.isArray(list)) return E.left('a list at instructions')
  const instructions: IdlInstruction[] = []
  for (const [index, item] of (list as readonly Json[]).entries()) {
    const instruction = readInstruction(reader.right, item, `instructions[${index}]`)
    if (E.isLeft(instruction)) return instruction
    instructions.push(instruction.right)
  }
  return interfaceOf(instructions)
}

/** The interface of a text, `undefined` if it cannot be used. Those used last are kept: reading one takes milliseconds. */
export const compiledInterface = (text: string): SolanaInterface | undefined => {
  const kept = compiled.get(text)
  if (kept !== undefined) return kept.value
  const read = readSolanaInterface(text)
  const value = E.isRight(read) ? read.right : undefined
  compiled.set(text, { value })
  return value
}

const LENGTH_MAX = 400_000
const DISCRIMINATOR_LENGTH_MAX = 32

const compiled = boundedMap<string, { readonly value: SolanaInterface | undefined }>(5 * LENGTH_MAX, {
  weightOf: (_, text) => text.length,
})

const interfaceOf = (list: readonly IdlInstruction[]): E.Either<string, SolanaInterface> => {
  const instructions = new Map(list.map((instruction) => [instruction.discriminator, instruction]))
  // In this order, a text stands directly before those that begin with it, or before others of them.
  const sorted = list.map(({ discriminator }) => discriminator).toSorted()
  if (sorted.some((discriminator, index) => sorted[index + 1]?.startsWith(discriminator)))
    return E.left('discriminators of which none is the beginning of another, at instructions')
  const discriminatorLengths = [...new Set(sorted.map((discriminator) => discriminator.length / 2))]
  return E.right({ instructions, discriminatorLengths })
}

const readInstruction = (read: ReadType, json: Json, place: string): E.Either<string, IdlInstruction> => {
  const name = isObject(json) ? memberOf(json, 'name') : undefined
  if (!isObject(json) || !isIdlName(name))
    return E.left(`an instruction with a name of letters, digits and _ at ${place}`)
  const discriminator = readDiscriminator(memberOf(json, 'discriminator'), name)
  if (discriminator === undefined)
    return E.left(`1 to ${DISCRIMINATOR_LENGTH_MAX} bytes as numbers at ${place}.discriminator`)
  const accounts = readAccounts(memberOf(json, 'accounts'), `${place}.accounts`)
  if (E.isLeft(accounts)) return accounts
  if (new Set(accounts.right).size < accounts.right.length)
    return E.left(`the name of each account once at ${place}.accounts`)
  const list = memberOf(json, 'args')
  if (!Array.isArray(list)) return E.left(`a list at ${place}.args`)
  const args = readNamedFields(read, list, `${place}.args`)
  if (E.isLeft(args)) return args
  return E.right({ name, discriminator, accounts: accounts.right, args: args.right })
}

/** Where there is none, Anchor takes the beginning of a hash: of the name that the function has in Rust. */
const readDiscriminator = (json: Json | undefined, name: string): string | undefined => {
  if (json === undefined || json === null)
    return encodeHex(sha256(encodeUtf8(`global:${snakeCase(name)}`)).subarray(0, 8))
  if (!Array.isArray(json) || json.length === 0 || json.length > DISCRIMINATOR_LENGTH_MAX) return undefined
  const bytes: number[] = []
  for (const byte of json as readonly Json[]) {
    if (typeof byte !== 'number' || !Number.isInteger(byte) || byte < 0 || byte > 255) return undefined
    bytes.push(byte)
  }
  return encodeHex(Uint8Array.from(bytes))
}

/** Capitals that follow each other are one word, but the last of them begins the next word. */
const snakeCase = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()

/** The names of accounts. Groups stand at most as deep as JSON can. */
const readAccounts = (json: Json | undefined, place: string, group = ''): E.Either<string, readonly string[]> => {
  if (!Array.isArray(json)) return E.left(`a list at ${place}`)
  const names: string[] = []
  for (const [index, item] of (json as readonly Json[]).entries()) {
    const at = `${place}[${index}]`
    const name = isObject(item) ? memberOf(item, 'name') : undefined
    if (!isObject(item) || !isIdlName(name)) return E.left(`an account with a name of letters, digits and _ at ${at}`)
    if (!Object.hasOwn(item, 'accounts')) {
      names.push(group + name)
      continue
    }
    const inside = readAccounts(item['accounts'], `${at}.accounts`, `${group}${name}.`)
    if (E.isLeft(inside)) return inside
    for (const one of inside.right) names.push(one)
  }
  return E.right(names)
}
