import { encodeHex } from '../bytes.ts'
import type { Json } from '../failure.ts'
import { readAuthorization } from '../keys/authorization.ts'
import { payloadJson } from '../keys/payload.ts'
import { hexBytesOf, integerOf, wordOf } from '../keys/solidity-values.ts'
import { DOMAIN, readTypedData } from '../keys/typed-data.ts'
import { arrayOf, isObject, memberOf, type Member, type StructTypes } from '../keys/typed-data-types.ts'
import type { Fact } from '../policy/fact.ts'
import { E, pipe } from '../prelude.ts'

/**
 * What policies see of a payload of PAYLOAD_ENCODING_EIP712: the value of `eth.eip_712`.
 *
 * It has what is hashed: of the message, the members that the types name; of the domain, the four of the language, each if it has the type
 * that EIP-712 gives it. The salt of a domain is not there.
 *
 * @returns integers as `bigint`, addresses and bytes as lower-case hex; `undefined` for a payload that has no digest
 */
export const typedDataFacts = (payload: string): Fact | undefined => {
  const data = pipe(payloadJson(payload), E.flatMap(readTypedData))
  if (data._tag === 'Left') return undefined
  const { types, primaryType, domain, message } = data.right
  const valueOf = reader(types)
  const [ofDomain, ofMessage] = [valueOf(DOMAIN, domain), valueOf(primaryType, message)]
  if (ofDomain === undefined || ofMessage === undefined) return undefined
  return { primary_type: primaryType, domain: domainFacts(types.get(DOMAIN) ?? [], ofDomain), message: ofMessage }
}

/**
 * What policies see of a payload of PAYLOAD_ENCODING_EIP7702_AUTHORIZATION: the value of `eth.eip_7702_authorization`. The chain id 0 stands
 * for every chain.
 *
 * @returns `undefined` for a payload that has no digest
 */
export const authorizationFacts = (payload: string): Fact | undefined => {
  const authorization = pipe(payloadJson(payload), E.flatMap(readAuthorization))
  if (authorization._tag === 'Left') return undefined
  const { address, chainId, nonce } = authorization.right
  return { address: `0x${encodeHex(address)}`, chain_id: chainId, nonce }
}

/** The members of a domain that policies see: their names here and there, and their type. */
const domainMembers: readonly (readonly [name: string, shown: string, type: RegExp])[] = [
  ['name', 'name', /^string$/],
  ['version', 'version', /^string$/],
  ['chainId', 'chain_id', /^u?int\d+$/],
  ['verifyingContract', 'verifying_contract', /^address$/],
]

const domainFacts = (members: readonly Member[], domain: Fact): Fact => {
  const typeOf = new Map(members.map(({ name, type }) => [name, type]))
  const values = new Map<string, Fact>(Object.entries(domain))
  return Object.fromEntries(
    domainMembers.flatMap(([name, shown, type]) => {
      const value = values.get(name)
      return value !== undefined && type.test(typeOf.get(name) ?? '') ? [[shown, value]] : []
    }),
  )
}

type Read = (type: string, value: Json | undefined) => Fact | undefined

/** Reads a value as it is hashed; `undefined` for one that cannot be. */
const reader = (types: StructTypes): Read => {
  const read: Read = (type, value) => {
    const array = arrayOf(type)
    if (array !== undefined) return readArray(array, value)
    const members = types.get(type)
    return members === undefined ? leafOf(type, value) : readStruct(members, value)
  }
  const readArray = (
    { element, length }: { readonly element: string; readonly length: number | undefined },
    value: Json | undefined,
  ): Fact | undefined => {
    if (!Array.isArray(value) || (length !== undefined && value.length !== length)) return undefined
    return allOf((value as readonly Json[]).map((item) => () => read(element, item)))
  }
  const readStruct = (members: readonly Member[], value: Json | undefined): Fact | undefined => {
    if (!isObject(value)) return undefined
    const values = allOf(
      members.map(
        ({ name, type }) =>
          () =>
            read(type, memberOf(value, name)),
      ),
    )
    return values && Object.fromEntries(members.map(({ name }, i) => [name, values[i] ?? '']))
  }
  return read
}

/** All values, or `undefined` at the first that is none. */
const allOf = (values: readonly (() => Fact | undefined)[]): readonly Fact[] | undefined => {
  const all: Fact[] = []
  for (const value of values) {
    const one = value()
    if (one === undefined) return undefined
    all.push(one)
  }
  return all
}

const leafOf = (type: string, value: Json | undefined): Fact | undefined => {
  if (type === 'string') return typeof value === 'string' ? value : undefined
  if (type === 'bytes') return hexOf(hexBytesOf(value))
  const word = wordOf(type, value)
  if (word === undefined) return undefined
  if (type === 'bool') return value === true
  if (type === 'address') return hexOf(word.subarray(12))
  return type.startsWith('bytes') ? hexOf(hexBytesOf(value)) : integerOf(value)
}

const hexOf = (bytes: Uint8Array | undefined): string | undefined => bytes && `0x${encodeHex(bytes)}`
