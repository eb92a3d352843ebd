import { keccak_256 } from '@noble/hashes/sha3.js'
import { encodeHex, encodeUtf8 } from '../bytes.ts'
import { boundedMap } from '../collections/bounded-map.ts'
import type { Failure, Json } from '../failure.ts'
import { parseStrict } from '../json/strict-json.ts'
import { isObject, memberOf } from '../keys/typed-data-types.ts'
import type { Fact } from '../policy/fact.ts'
import { E, pipe } from '../prelude.ts'
import { arrayType, decodeAbi, elementaryType, tupleType, type AbiType } from './abi-values.ts'

/** The functions of a contract by their selectors: 8 hex digits. */
export type EthereumInterface = ReadonlyMap<string, ContractFunction>

type ContractFunction = {
  readonly name: string
  readonly parameters: readonly string[]
  readonly types: readonly AbiType[]
}

/** What policies see of a call, once the contract's interface is known. */
export type CallFacts = {
  readonly function_name: string
  /** The selector: `0x` and 8 digits. */
  readonly function_signature: string
  readonly contract_call_args: { readonly [parameter: string]: Fact }
}

/**
 * Reads the interface of a contract: the ABI of Solidity and Vyper in JSON, of whose entries only functions matter here.
 *
 * @param text  its length is the caller's to limit
 * @returns the interface; or what was expected, and at which place. Nothing of the text is in it
 */
export const readEthereumInterface = (text: string): E.Either<string, EthereumInterface> =>
  pipe(
    jsonOf(text),
    E.flatMap((json) => (Array.isArray(json) ? functionsOf(json) : E.left('a list of functions, events and errors'))),
  )

/**
 * The call that data stand for.
 *
 * @returns `undefined` for data that call no function of the interface, or that are no arguments of it in the form in which Solidity writes them
 */
export const callFacts = (contract: EthereumInterface, data: Uint8Array): CallFacts | undefined => {
  const selector = encodeHex(data.subarray(0, SELECTOR))
  const called = contract.get(selector)
  if (called === undefined) return undefined
  const values = decodeAbi(called.types, data.subarray(SELECTOR))
  if (values === undefined) return undefined
  return {
    function_name: called.name,
    function_signature: `0x${selector}`,
    // A name such as `__proto__` becomes a member like any other.
    contract_call_args: Object.fromEntries(called.parameters.map((name, i) => [name, values[i] ?? ''])),
  }
}

/** `callFacts` of the text of an interface, which is read once for many calls. */
export const callFactsOf = (text: string, data: Uint8Array): CallFacts | undefined => {
  const known = interfaces.get(text) ?? readEthereumInterface(text)
  interfaces.set(text, known)
  return known._tag === 'Left' ? undefined : callFacts(known.right, data)
}

/** An interface takes some ten times the memory of its text. */
const TEXTS_LENGTH_MAX = 2_000_000
const interfaces = boundedMap<string, E.Either<string, EthereumInterface>>(TEXTS_LENGTH_MAX, {
  weightOf: (_, text) => text.length,
})

const SELECTOR = 4
/** More than 400,000 characters have room for in an ABI. */
const VALUES_MAX = 100_000
/** How deep arrays and tuples are in each other. */
const DEPTH_MAX = 32

const IDENTIFIER = /^[A-Za-z_$][\w$]{0,127}$/
const TYPE = /^([a-z]+\d*)((?:\[(?:[1-9]\d{0,5})?\]){0,32})$/
const ENTRIES = new Set(['function', 'constructor', 'receive', 'fallback', 'event', 'error'])

const jsonOf = (text: string): E.Either<string, Json> =>
  text.isWellFormed()
    ? E.mapLeft(({ message }: Failure) => `JSON (${message})`)(parseStrict(encodeUtf8(text), { valuesMax: VALUES_MAX }))
    : E.left('a text without halves of characters')

const functionsOf = (entries: readonly Json[]): E.Either<string, EthereumInterface> => {
  const functions = new Map<string, ContractFunction>()
  for (const [i, entry] of entries.entries()) {
    if (!isObject(entry)) return E.left(`an object at [${i}]`)
    const type = memberOf(entry, 'type') ?? 'function' // the standard's default
    if (typeof type !== 'string' || !ENTRIES.has(type))
      return E.left(`the type of an entry, such as function, at [${i}].type`)
    if (type !== 'function') continue
    const read = functionOf(entry, `[${i}]`)
    if (read._tag === 'Left') return read
    const [selector, called] = read.right
    if (functions.has(selector)) return E.left(`no other function with the selector 0x${selector} at [${i}]`)
    functions.set(selector, called)
  }
  return E.right(functions)
}

type JsonObject = { readonly [key: string]: Json }

const functionOf = (
  entry: JsonObject,
  place: string,
): E.Either<string, readonly [selector: string, ContractFunction]> => {
  const name = memberOf(entry, 'name')
  if (typeof name !== 'string' || !IDENTIFIER.test(name)) return E.left(`the name of a function at ${place}.name`)
  return pipe(
    typesOf(memberOf(entry, 'inputs'), `${place}.inputs`, 0),
    E.flatMap((inputs) => {
      const parameters = inputs.map((input, i) => (input.name === '' ? String(i) : input.name))
      if (new Set(parameters).size < parameters.length)
        return E.left(`a name for each parameter once at ${place}.inputs`)
      const signature = `${name}(${inputs.map(({ text }) => text).join(',')})`
      const selector = encodeHex(keccak_256(encodeUtf8(signature)).subarray(0, SELECTOR))
      return E.right([selector, { name, parameters, types: inputs.map(({ type }) => type) }] as const)
    }),
  )
}

/** @param text  as it stands in the signature of a function */
type Input = { readonly name: string; readonly text: string; readonly type: AbiType }

const typesOf = (json: Json | undefined, place: string, depth: number): E.Either<string, readonly Input[]> => {
  if (!Array.isArray(json)) return E.left(`a list at ${place}`)
  const inputs: Input[] = []
  for (const [i, one] of (json as readonly Json[]).entries()) {
    const read = inputOf(one, `${place}[${i}]`, depth)
    if (read._tag === 'Left') return read
    inputs.push(read.right)
  }
  return E.right(inputs)
}

const inputOf = (json: Json, place: string, depth: number): E.Either<string, Input> => {
  if (!isObject(json)) return E.left(`an object at ${place}`)
  const [name = '', type] = [memberOf(json, 'name'), memberOf(json, 'type')]
  if (typeof name !== 'string' || (name !== '' && !IDENTIFIER.test(name)))
    return E.left(`the name of a parameter at ${place}.name`)
  const [, base, brackets = ''] = typeof type === 'string' ? (TYPE.exec(type) ?? []) : []
  if (base === undefined) return E.left(`a type of an ABI, such as uint256, at ${place}.type`)
  const lengths = Array.from(brackets.matchAll(/\[(\d*)\]/g), ([, digits = '']) =>
    digits === '' ? undefined : Number(digits),
  )
  const inside = depth + lengths.length
  if (inside > DEPTH_MAX) return E.left(`at most ${DEPTH_MAX} arrays and tuples in each other at ${place}`)
  return pipe(
    base === 'tuple' ? tupleOf(json, place, inside + 1) : elementaryOf(base, place),
    E.map(([text, element]) => ({ name, text: text + brackets, type: lengths.reduce(arrayType, element) })),
  )
}

type Named = E.Either<string, readonly [text: string, AbiType]>

const elementaryOf = (base: string, place: string): Named => {
  const type = elementaryType(base)
  return type === undefined ? E.left(`a type of an ABI, such as uint256, at ${place}.type`) : E.right([base, type])
}

const tupleOf = (json: JsonObject, place: string, depth: number): Named =>
  pipe(
    typesOf(memberOf(json, 'components'), `${place}.components`, depth),
    E.flatMap((members) =>
      members.length === 0
        ? E.left(`a component at ${place}.components`)
        : E.right([
            `(${members.map(({ text }) => text).join(',')})`,
            tupleType(members.map(({ type }) => type)),
          ] as const),
    ),
  )
