import fc from 'fast-check'
import { encodeHex } from '../../../core/bytes.ts'
import { withEip55 } from '../../../core/keys/addresses/ethereum.ts'
import { anyBytes } from './keys.ts'

type Member = { readonly name: string; readonly type: string }

/** Typed data as JSON has it. */
export type TypedData = {
  readonly domain: Readonly<Record<string, string | number>>
  readonly types: { readonly [name: string]: Member[] } // ethers takes no readonly list
  readonly primaryType: string
  readonly message: Readonly<Record<string, unknown>>
}

type Mail = TypedData & { readonly types: Record<'EIP712Domain' | 'Person' | 'Mail', Member[]> }

/** The example of EIP-712. */
export const mail: Mail = {
  domain: {
    name: 'Ether Mail',
    version: '1',
    chainId: 1,
    verifyingContract: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC',
  },
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
    Person: [
      { name: 'name', type: 'string' },
      { name: 'wallet', type: 'address' },
    ],
    Mail: [
      { name: 'from', type: 'Person' },
      { name: 'to', type: 'Person' },
      { name: 'contents', type: 'string' },
    ],
  },
  primaryType: 'Mail',
  message: {
    from: { name: 'Cow', wallet: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826' },
    to: { name: 'Bob', wallet: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB' },
    contents: 'Hello, Bob!',
  },
}

type Typed = { readonly type: string; readonly value: unknown }

const hex = (length: number): fc.Arbitrary<string> => anyBytes(length).map((bytes) => `0x${encodeHex(bytes)}`)

const anyInteger = (): fc.Arbitrary<Typed> =>
  fc.tuple(fc.constantFrom('uint', 'int'), fc.integer({ min: 1, max: 32 })).chain(([kind, bytes]) => {
    const bits = BigInt(8 * bytes)
    const [min, max] = kind === 'uint' ? [0n, 2n ** bits - 1n] : [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n]
    return fc.bigInt({ min, max }).map((integer) => ({
      type: `${kind}${bits}`,
      value: integer >= -1000n && integer <= 1000n ? Number(integer) : String(integer),
    }))
  })

const anyAddress = (): fc.Arbitrary<string> =>
  fc.tuple(anyBytes(20), fc.boolean()).map(([bytes, isChecked]) => {
    const digits = encodeHex(bytes)
    return isChecked ? withEip55(digits) : `0x${digits}`
  })

const anyLeaf = (): fc.Arbitrary<Typed> =>
  fc.oneof(
    anyInteger(),
    fc.boolean().map((value) => ({ type: 'bool', value })),
    fc.string({ unit: 'grapheme' }).map((value) => ({ type: 'string', value })),
    anyAddress().map((value) => ({ type: 'address', value })),
    fc.integer({ min: 0, max: 40 }).chain((length) => hex(length).map((value) => ({ type: 'bytes', value }))),
    fc.integer({ min: 1, max: 32 }).chain((size) => hex(size).map((value) => ({ type: `bytes${size}`, value }))),
  )

/** A value, alone or in lists, of the same value often enough that all have one type. */
const listed = ({ type, value }: Typed): fc.Arbitrary<Typed> =>
  fc.array(fc.tuple(fc.integer({ min: 0, max: 2 }), fc.boolean()), { maxLength: 2 }).map((lists) =>
    lists.reduce<Typed>(
      (inner, [length, isFixed]) => ({
        type: `${inner.type}[${isFixed && length > 0 ? length : ''}]`,
        value: Array.from({ length }, () => inner.value),
      }),
      { type, value },
    ),
  )

const structOf = (
  name: string,
  members: readonly Typed[],
): { readonly types: TypedData['types']; readonly typed: Typed } => ({
  types: { [name]: members.map(({ type }, i) => ({ name: `m${i}`, type })) },
  typed: { type: name, value: Object.fromEntries(members.map(({ value }, i) => [`m${i}`, value])) },
})

const anyDomain = (): fc.Arbitrary<TypedData['domain']> =>
  fc.record(
    {
      name: fc.string(),
      version: fc.string({ minLength: 1 }),
      chainId: fc.maxSafeNat(),
      verifyingContract: anyAddress(),
      salt: hex(32),
    },
    { requiredKeys: [] },
  )

/** Typed data of a struct in a struct in a struct, each with leaves and lists, that viem and ethers take, too. */
export const anyTypedData = (): fc.Arbitrary<TypedData> => {
  const leaves = fc.array(anyLeaf().chain(listed), { minLength: 1, maxLength: 3 })
  return fc.tuple(anyDomain(), leaves, leaves, leaves).chain(([domain, first, second, third]) => {
    const inner = structOf('Zebra', first)
    return listed(inner.typed).chain((listedInner) => {
      const middle = structOf('Ant', [listedInner, ...second])
      return listed(middle.typed).map((listedMiddle) => {
        const outer = structOf('Main', [...third, listedMiddle, inner.typed])
        return {
          domain,
          types: { ...inner.types, ...middle.types, ...outer.types },
          primaryType: 'Main',
          message: Object.fromEntries([...third, listedMiddle, inner.typed].map(({ value }, i) => [`m${i}`, value])),
        }
      })
    })
  })
}
