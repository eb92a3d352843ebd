import { Interface, Transaction } from 'ethers'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  decodeFunctionData,
  encodeFunctionData,
  parseTransaction,
  serializeTransaction,
  type Abi,
  type TransactionSerializable,
  type TransactionSerialized,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { decodeHex, encodeHex } from '../../../../core/bytes.ts'
import type { Fact } from '../../../../core/policy/fact.ts'
import { callFacts, readEthereumInterface } from '../../../../core/transaction/ethereum-interface.ts'
import { parseEthereum } from '../../../../core/transaction/ethereum.ts'
import { typedDataFacts } from '../../../../core/transaction/typed-data-facts.ts'
import { anyBytes } from '../../keys/keys.ts'
import { anyTypedData } from '../../keys/typed-data.ts'
import { ADDRESS, factsOf, PRIVATE_KEY, signedBy, type Facts } from '../ethereum-account.ts'

const it = suite('Ethereum transactions of other libraries')

const account = privateKeyToAccount(`0x${PRIVATE_KEY}`)
const runs = { numRuns: 200, seed: 37 } as const

const anyHex = (length: number) => anyBytes(length).map((one) => `0x${encodeHex(one)}` as const)
const anyAddress = () => anyHex(20)
const anyData = () => fc.uint8Array({ maxLength: 300 }).map((data) => `0x${encodeHex(data)}` as const)
const anyAmount = (bits: bigint) => fc.bigInt({ min: 0n, max: 2n ** bits - 1n })

const common = () => ({
  nonce: fc.maxSafeNat(),
  gas: anyAmount(63n),
  to: fc.option(anyAddress(), { nil: undefined }),
  value: anyAmount(256n),
  data: anyData(),
})
const chainId = fc.integer({ min: 1, max: 2 ** 40 })
const accessList = fc.array(fc.record({ address: anyAddress(), storageKeys: fc.array(anyHex(32), { maxLength: 2 }) }), {
  maxLength: 3,
})
const fees = fc.tuple(anyAmount(100n), anyAmount(100n)).map((two) => {
  const [maxPriorityFeePerGas, maxFeePerGas] = two.toSorted((a, b) => (a < b ? -1 : 1)) as [bigint, bigint] // two are two
  return { maxPriorityFeePerGas, maxFeePerGas }
})
const withFees = <A extends object>(one: fc.Arbitrary<A>) => fc.tuple(one, fees).map(([a, b]) => ({ ...a, ...b }))

const authorization = fc.record({
  chainId: fc.nat(),
  address: anyAddress(),
  nonce: fc.nat(),
  r: anyHex(31),
  s: anyHex(31),
  yParity: fc.integer({ min: 0, max: 1 }),
})

const types: Readonly<Record<string, fc.Arbitrary<TransactionSerializable>>> = {
  'LEGACY without a chain id': fc.record({
    ...common(),
    gasPrice: anyAmount(100n),
    type: fc.constant('legacy' as const),
  }),
  LEGACY: fc.record({ ...common(), chainId, gasPrice: anyAmount(100n), type: fc.constant('legacy' as const) }),
  TYPE_1: fc.record({
    ...common(),
    chainId,
    gasPrice: anyAmount(100n),
    accessList,
    type: fc.constant('eip2930' as const),
  }),
  TYPE_2: withFees(fc.record({ ...common(), chainId, accessList, type: fc.constant('eip1559' as const) })),
  TYPE_3: withFees(
    fc.record({
      ...common(),
      to: anyAddress(),
      chainId,
      accessList,
      maxFeePerBlobGas: anyAmount(100n),
      blobVersionedHashes: fc.array(
        anyBytes(31).map((hash) => `0x01${encodeHex(hash)}` as const),
        { minLength: 1, maxLength: 3 },
      ),
      type: fc.constant('eip4844' as const),
    }),
  ),
  TYPE_4: withFees(
    fc.record({
      ...common(),
      to: anyAddress(),
      chainId,
      accessList,
      authorizationList: fc.array(authorization, { minLength: 1, maxLength: 3 }),
      type: fc.constant('eip7702' as const),
    }),
  ),
}

/** What ethers reads, in the words of the facts. */
const byEthers = (hex: string): Facts => {
  const read = Transaction.from(hex)
  const type = read.type ?? 0
  return defined({
    from: ADDRESS,
    to: read.to ?? '',
    data: read.data,
    value: read.value,
    gas: read.gasLimit,
    gas_price: type >= 2 ? read.maxFeePerGas : read.gasPrice,
    chain_id: read.chainId,
    nonce: BigInt(read.nonce),
    max_fee_per_gas: type >= 2 ? read.maxFeePerGas : null,
    max_priority_fee_per_gas: type >= 2 ? read.maxPriorityFeePerGas : null,
    max_fee_per_blob_gas: type === 3 ? read.maxFeePerBlobGas : null,
    type: type === 0 ? 'LEGACY' : `TYPE_${type}`,
  })
}

/** What viem reads, in the words of the facts; addresses in lower case. */
const byViem = (hex: TransactionSerialized): Facts => {
  const read = parseTransaction(hex)
  const number = { legacy: 'LEGACY', eip2930: 'TYPE_1', eip1559: 'TYPE_2', eip4844: 'TYPE_3', eip7702: 'TYPE_4' }
  return defined({
    from: ADDRESS.toLowerCase(),
    to: read.to ?? '',
    data: read.data ?? '0x',
    value: read.value ?? 0n,
    gas: read.gas ?? 0n,
    gas_price: read.gasPrice ?? read.maxFeePerGas ?? 0n,
    chain_id: BigInt(read.chainId ?? 0),
    nonce: BigInt(read.nonce ?? 0),
    ...(['eip1559', 'eip4844', 'eip7702'].includes(read.type ?? '')
      ? { max_fee_per_gas: read.maxFeePerGas ?? 0n, max_priority_fee_per_gas: read.maxPriorityFeePerGas ?? 0n }
      : {}),
    ...(read.type === 'eip4844' ? { max_fee_per_blob_gas: read.maxFeePerBlobGas ?? 0n } : {}),
    type: number[read.type ?? 'legacy'],
  })
}

const defined = (members: Readonly<Record<string, Fact | null>>): Facts =>
  Object.fromEntries(Object.entries(members).filter((entry): entry is [string, Fact] => entry[1] !== null))

for (const [name, transactions] of Object.entries(types))
  it(`shows and signs 200 transactions as viem and ethers do: ${name}`, () =>
    fc.assert(
      fc.asyncProperty(transactions, async (transaction) => {
        const hex = serializeTransaction(transaction)
        const facts = await factsOf(hex)
        assert.equal(facts, byEthers(hex))
        const lower = { ...facts, from: ADDRESS.toLowerCase(), to: (facts['to'] as string).toLowerCase() } // a text
        assert.equal(lower, byViem(hex))
        const signed = `0x${await signedBy(parseEthereum, hex)}`
        assert.is(signed, await account.signTransaction(transaction))
        const read = Transaction.from(signed)
        assert.is(read.from, ADDRESS)
        assert.is(read.unsignedSerialized, hex)
      }),
      runs,
    ))

type Parameter = { readonly name: string; readonly type: string; readonly components?: readonly Parameter[] }
/** A value as viem takes it, and as it is shown. */
type Typed = { readonly parameter: Parameter; readonly value: unknown; readonly shown: Fact }

const typed = (type: string, value: unknown, shown: Fact): Typed => ({ parameter: { name: '', type }, value, shown })

const anyInteger = (): fc.Arbitrary<Typed> =>
  fc.tuple(fc.constantFrom('uint', 'int'), fc.integer({ min: 1, max: 32 })).chain(([kind, size]) => {
    const bits = BigInt(8 * size)
    const [min, max] = kind === 'uint' ? [0n, 2n ** bits - 1n] : [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n]
    // viem takes numbers for integers of up to 48 bits.
    return fc.bigInt({ min, max }).map((one) => typed(`${kind}${bits}`, bits > 48n ? one : Number(one), one))
  })

const anyLeaf = (): fc.Arbitrary<Typed> =>
  fc.oneof(
    anyInteger(),
    fc.boolean().map((one) => typed('bool', one, one)),
    fc.string({ unit: 'grapheme' }).map((one) => typed('string', one, one)),
    anyAddress().map((one) => typed('address', one, one)),
    anyData().map((one) => typed('bytes', one, one)),
    fc.integer({ min: 1, max: 32 }).chain((size) => anyHex(size).map((one) => typed(`bytes${size}`, one, one))),
  )

const anyTyped = (depth: number): fc.Arbitrary<Typed> =>
  depth === 0
    ? anyLeaf()
    : fc.oneof(
        anyLeaf(),
        fc.tuple(anyTyped(depth - 1), fc.integer({ min: 0, max: 3 }), fc.boolean()).map(([one, length, isFixed]) => ({
          parameter: { ...one.parameter, type: `${one.parameter.type}[${isFixed && length > 0 ? length : ''}]` },
          value: Array.from({ length }, () => one.value),
          shown: Array.from({ length }, () => one.shown),
        })),
        fc.array(anyTyped(depth - 1), { minLength: 1, maxLength: 3 }).map((all) => ({
          parameter: {
            name: '',
            type: 'tuple',
            components: all.map(({ parameter }, i) => ({ ...parameter, name: `m${i}` })),
          },
          value: Object.fromEntries(all.map(({ value }, i) => [`m${i}`, value])),
          shown: all.map(({ shown }) => shown),
        })),
      )

const anyCall = () =>
  fc.array(anyTyped(3), { maxLength: 4 }).map((all) => {
    const inputs = all.map(({ parameter }, i) => ({ ...parameter, name: `a${i}` }))
    const entry = { type: 'function', name: 'f', inputs, outputs: [], stateMutability: 'nonpayable' }
    return {
      abi: [entry] as Abi, // made as one
      args: all.map(({ value }) => value),
      shown: Object.fromEntries(all.map(({ shown }, i) => [`a${i}`, shown])),
    }
  })

const read = (abi: Abi, data: string) => {
  const contract = readEthereumInterface(JSON.stringify(abi))
  const bytes = decodeHex(data.slice(2))
  if (contract._tag === 'Left' || bytes === undefined) throw new Error('expected an interface and hex')
  return callFacts(contract.right, bytes)
}

it('reads what viem and ethers write for 500 functions', () =>
  fc.assert(
    fc.property(anyCall(), ({ abi, args, shown }) => {
      const data = encodeFunctionData({ abi, functionName: 'f', args })
      const ofEthers = new Interface(JSON.stringify(abi))
      assert.is(ofEthers.encodeFunctionData('f', args), data)
      assert.equal(read(abi, data), {
        function_name: 'f',
        function_signature: data.slice(0, 10),
        contract_call_args: shown,
      })
      assert.is(ofEthers.getFunction('f')?.selector, data.slice(0, 10))
    }),
    { numRuns: 500, seed: 37 },
  ))

it('reads of changed call data only what viem reads and writes in the same way', () =>
  fc.assert(
    fc.property(anyCall(), fc.nat(), fc.integer({ min: 0, max: 255 }), ({ abi, args }, at, byte) => {
      const data = encodeFunctionData({ abi, functionName: 'f', args })
      if (data.length <= 10) return
      const place = 10 + 2 * (at % ((data.length - 10) / 2))
      const changed =
        `0x${(data.slice(0, place) + byte.toString(16).padStart(2, '0') + data.slice(place + 2)).slice(2)}` as const
      const again = (): string | undefined => {
        try {
          const decoded = decodeFunctionData({ abi, data: changed })
          return encodeFunctionData({ abi, functionName: 'f', args: decoded.args ?? [] })
        } catch {
          return undefined
        }
      }
      assert.is(read(abi, changed) !== undefined, again() === changed)
    }),
    { numRuns: 1000, seed: 37 },
  ))

it('shows of typed data the values that the object has', () => {
  /** As they are shown: integers without quotes and hex in lower case, whose types are not looked at. */
  const normal = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(normal)
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, normal(one)]))
    return typeof value === 'bigint' || typeof value === 'number'
      ? String(value)
      : typeof value === 'string' && /^0x[0-9a-f]*$/i.test(value)
        ? value.toLowerCase()
        : value
  }
  return fc.assert(
    fc.property(anyTypedData(), (data) => {
      const { domain, message, primaryType } = data
      const { name, version, chainId, verifyingContract } = domain
      const all = { name, version, chain_id: chainId, verifying_contract: verifyingContract }
      const shown = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
      assert.equal(
        normal(typedDataFacts(JSON.stringify(data))),
        normal({ primary_type: primaryType, domain: shown, message }),
      )
    }),
    runs,
  )
})

it.run()
