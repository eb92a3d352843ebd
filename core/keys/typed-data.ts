import { keccak_256 } from '@noble/hashes/sha3.js'
import { concat, encodeUtf8 } from '../bytes.ts'
import type { Json } from '../failure.ts'
import { E, pipe } from '../prelude.ts'
import { hexBytesOf, wordOf } from './solidity-values.ts'
import {
  arrayOf,
  isObject,
  memberOf,
  structTypesOf,
  typeText,
  type Member,
  type StructTypes,
} from './typed-data-types.ts'

/** Typed data whose types are right; whether their values are, shows when they are encoded. */
export type TypedData = {
  /** With that of the domain. */
  readonly types: StructTypes
  readonly primaryType: string
  readonly domain: Json | undefined
  readonly message: Json | undefined
}

/**
 * Reads typed data (EIP-712) up to their values.
 *
 * Where `types` has no `EIP712Domain`, it is made of the domain's members, in the standard's order.
 *
 * @param json  `{domain, types, primaryType, message}`
 * @returns the typed data; or what was expected, and at which member
 */
export const readTypedData = (json: Json): E.Either<string, TypedData> => {
  if (!isObject(json)) return E.left('an object of domain, types, primaryType and message')
  const { domain, types: definitions, primaryType, message } = json
  return pipe(
    structTypesOf(definitions),
    E.flatMap((types) => withDomainType(types, domain)),
    E.flatMap((types) =>
      typeof primaryType !== 'string' || primaryType === DOMAIN || !types.has(primaryType)
        ? E.left(`the name of a type other than ${DOMAIN} at primaryType`)
        : E.right({ types, primaryType, domain, message }),
    ),
  )
}

/**
 * The digest of typed data (EIP-712): 32 bytes.
 *
 * Members of a message that no type names are left out, as viem and ethers do it. A domain has no such members: the libraries differ there.
 *
 * @param json  as for `readTypedData`
 * @returns the digest; or what was expected, and at which member
 */
export const typedDataDigest = (json: Json): E.Either<string, Uint8Array> =>
  pipe(
    readTypedData(json),
    E.flatMap(({ types, primaryType, domain, message }) => {
      const encoder = encoderOf(types)
      return pipe(
        encoder(DOMAIN, domain, 'domain'),
        E.flatMap((separator) =>
          pipe(
            encoder(primaryType, message, 'message'),
            E.map((struct) => keccak_256(concat([PREFIX, separator, struct]))),
          ),
        ),
      )
    }),
  )

const PREFIX = Uint8Array.of(0x19, 0x01)
/** The name of the type of the domain. */
export const DOMAIN = 'EIP712Domain'

const domainMembers: readonly Member[] = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
]

const withDomainType = (types: StructTypes, domain: Json | undefined): E.Either<string, StructTypes> => {
  if (!isObject(domain)) return E.left('an object at domain')
  const given = types.get(DOMAIN)
  const members = given ?? domainMembers.filter(({ name }) => Object.hasOwn(domain, name))
  if (Object.keys(domain).some((name) => members.every((member) => member.name !== name)))
    return E.left(`no member at domain that ${given === undefined ? 'EIP-712' : `types.${DOMAIN}`} does not name`)
  // viem leaves an empty version out, and ethers does not
  if (given === undefined && domain['version'] === '')
    return E.left(`types.${DOMAIN}, or no empty text, at domain.version`)
  return E.right(new Map([...types, [DOMAIN, members]]))
}

type Encoded = E.Either<string, Uint8Array>
type Encode = (type: string, value: Json | undefined, place: string) => Encoded

/** Encodes a value as 32 bytes: what is longer is hashed (EIP-712, `encodeData`). */
const encoderOf = (types: StructTypes): Encode => {
  const typeHashes = new Map<string, Uint8Array>()
  const typeHash = (name: string): Uint8Array => {
    const hash = typeHashes.get(name) ?? keccak_256(encodeUtf8(typeText(types, name)))
    typeHashes.set(name, hash)
    return hash
  }
  const encode: Encode = (type, value, place) => {
    const array = arrayOf(type)
    if (array !== undefined) return encodeArray(array, value, place)
    const members = types.get(type)
    if (members !== undefined) return encodeStruct(type, members, value, place)
    if (type === 'string') return expected(typeof value === 'string' ? encodeUtf8(value) : undefined, type, place, true)
    if (type === 'bytes') return expected(hexBytesOf(value), type, place, true)
    return expected(wordOf(type, value), type, place, false)
  }
  const encodeArray = (
    { element, length }: { readonly element: string; readonly length: number | undefined },
    value: Json | undefined,
    place: string,
  ): Encoded => {
    if (!Array.isArray(value)) return E.left(`a list at ${place}`)
    const items: readonly Json[] = value
    if (length !== undefined && items.length !== length) return E.left(`a list of ${length} at ${place}`)
    return hashOf(items.map((item, i) => () => encode(element, item, `${place}[${i}]`)))
  }
  const encodeStruct = (type: string, members: readonly Member[], value: Json | undefined, place: string): Encoded => {
    if (!isObject(value)) return E.left(`an object of type ${type} at ${place}`)
    return hashOf([
      () => E.right(typeHash(type)),
      ...members.map((member) => () => encode(member.type, memberOf(value, member.name), `${place}.${member.name}`)),
    ])
  }
  return encode
}

const expected = (bytes: Uint8Array | undefined, type: string, place: string, isHashed: boolean): Encoded => {
  if (bytes === undefined) return E.left(`a value of type ${type} at ${place}`)
  return E.right(isHashed ? keccak_256(bytes) : bytes)
}

/** The hash of all parts together, or what was expected of the first that has a fault. */
const hashOf = (parts: readonly (() => Encoded)[]): Encoded => {
  const whole: Uint8Array[] = []
  for (const part of parts) {
    const encoded = part()
    if (E.isLeft(encoded)) return encoded
    whole.push(encoded.right)
  }
  return E.right(keccak_256(concat(whole)))
}
