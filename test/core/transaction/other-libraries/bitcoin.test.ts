import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { initEccLib, networks, payments, Psbt, Transaction } from 'bitcoinjs-lib'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encodeHex } from '../../../../core/bytes.ts'
import type { Fact } from '../../../../core/policy/fact.ts'
import { bitcoin } from '../../../../core/policy/keywords/bitcoin.ts'
import type { ScriptType } from '../../../../core/transaction/bitcoin-scripts.ts'
import { bytes } from '../../../core/keys/keys.ts'
import { assertFits } from '../fits.ts'
import { ada, grace, keyOf, read, schemeOfType, SCRIPT_TYPES, signed, signerOf, type Key } from '../psbts.ts'

/*
 * PSBTs that bitcoinjs-lib makes: it reads the same in them, and takes our signatures.
 */
const it = suite('bitcoin transactions of bitcoinjs-lib')

const { Fn, BASE } = secp256k1.Point

const lift = (key: Uint8Array) => schnorr.utils.lift_x(BigInt(`0x${encodeHex(key)}`))

const isXOnlyPoint = (key: Uint8Array): boolean => {
  try {
    lift(key)
    return true
  } catch {
    return false
  }
}

initEccLib({
  isXOnlyPoint,
  xOnlyPointAddTweak: (key, tweak) => {
    const factor = BigInt(`0x${encodeHex(tweak)}`)
    if (!isXOnlyPoint(key) || factor >= Fn.ORDER) return null
    const sum = factor === 0n ? lift(key) : lift(key).add(BASE.multiply(factor))
    if (sum.is0()) return null
    return { parity: sum.y % 2n === 0n ? 0 : 1, xOnlyPubkey: schnorr.utils.pointToBytes(sum) }
  },
})

const isValid = (publicKey: Uint8Array, digest: Uint8Array, signature: Uint8Array): boolean =>
  publicKey.length === 32
    ? schnorr.verify(signature, digest, publicKey)
    : secp256k1.verify(signature, digest, publicKey, { prehash: false, lowS: true })

const NETWORKS = { MAINNET: networks.bitcoin, TESTNET: networks.testnet, REGTEST: networks.regtest } as const

type Output = { readonly type: ScriptType | 'DATA'; readonly key: number; readonly value: number }
type Input = {
  readonly key: Key
  /** Of a script of two keys, how many of them sign. */
  readonly needed: 1 | 2
  readonly value: number
  readonly before: Uint8Array
  readonly index: number
  readonly sequence: number
}

const anyOutput: fc.Arbitrary<Output> = fc.record({
  type: fc.constantFrom(...SCRIPT_TYPES, 'DATA'),
  key: fc.integer({ min: 10, max: 60 }),
  value: fc.integer({ min: 0, max: 1_000 }),
})

const anyInput: fc.Arbitrary<Input> = fc.record({
  key: fc.constantFrom(ada, ada, grace),
  needed: fc.constantFrom(1, 2),
  value: fc.integer({ min: 4_000, max: 2_000_000_000 }),
  before: fc.uint8Array({ minLength: 32, maxLength: 32 }),
  index: fc.nat(3),
  sequence: fc.constantFrom(0, 0xffff_fffd, 0xffff_ffff),
})

const anyTransaction = fc.record({
  inputs: fc.array(anyInput, { minLength: 1, maxLength: 4 }),
  outputs: fc.array(anyOutput, { minLength: 1, maxLength: 4 }),
  version: fc.constantFrom(1, 2, 3),
  locktime: fc.constantFrom(0, 800_000, 499_999_999, 500_000_000, 4_000_000_000),
  network: fc.constantFrom('MAINNET', 'TESTNET', 'REGTEST'),
})

const present = <A>(value: A | undefined): A => {
  if (value === undefined) throw new Error('expected bitcoinjs-lib to make it')
  return value
}

/** The signer first, or a key that signs nothing. */
const scriptOfTwo = ({ key, needed }: Input): Uint8Array => {
  const other = needed === 1 ? keyOf(9) : key === ada ? grace : ada
  return present(payments.p2ms({ m: needed, pubkeys: [key.publicKey, other.publicKey] }).output)
}

const outputScript = ({ type, key }: Output): Uint8Array => {
  const { publicKey: pubkey } = keyOf(key)
  if (type === 'DATA') return present(payments.embed({ data: [pubkey] }).output)
  if (type === 'P2PKH') return present(payments.p2pkh({ pubkey }).output)
  if (type === 'P2WPKH') return present(payments.p2wpkh({ pubkey }).output)
  if (type === 'P2TR') return present(payments.p2tr({ internalPubkey: pubkey.subarray(1) }).output)
  const redeem = payments.p2pk({ pubkey })
  return present((type === 'P2SH' ? payments.p2sh : payments.p2wsh)({ redeem }).output)
}

const previousOf = ({ value, before, index }: Input, script: Uint8Array): Transaction => {
  const previous = new Transaction()
  previous.addInput(before, 0)
  for (let i = 0; i <= index; i += 1) previous.addOutput(script, BigInt(value + i))
  return previous
}

const inputOf = (type: ScriptType, input: Input): Parameters<Psbt['addInput']>[0] => {
  const { key, index, sequence, value, before } = input
  const pubkey = key.publicKey
  const place = { index, sequence }
  const spent = (script: Uint8Array | undefined) => {
    const previous = previousOf(input, present(script))
    return { ...place, hash: previous.getId(), nonWitnessUtxo: previous.toBuffer() }
  }
  const claimed = (script: Uint8Array | undefined) => ({
    ...place,
    hash: before,
    witnessUtxo: { script: present(script), value: BigInt(value) },
  })
  if (type === 'P2PKH') return spent(payments.p2pkh({ pubkey }).output)
  if (type === 'P2WPKH') return claimed(payments.p2wpkh({ pubkey }).output)
  const internal = pubkey.subarray(1)
  if (type === 'P2TR')
    return { ...claimed(payments.p2tr({ internalPubkey: internal }).output), tapInternalKey: internal }
  const script = scriptOfTwo(input)
  if (type === 'P2SH') return { ...spent(payments.p2sh({ redeem: { output: script } }).output), redeemScript: script }
  return { ...claimed(payments.p2wsh({ redeem: { output: script } }).output), witnessScript: script }
}

/** What bitcoinjs-lib reads, in the form of our facts. */
const factsOf = (psbt: Psbt, outputs: readonly Output[], fee: bigint): Fact => ({
  version: String(psbt.version),
  inputs: psbt.txInputs.map(({ hash, index, sequence }) => ({
    tx_id: encodeHex(hash.toReversed()),
    vout: BigInt(index),
    sequence: BigInt(sequence ?? 0xffff_ffff),
  })),
  outputs: psbt.txOutputs.map(({ script, value, address }, i) => ({
    value,
    script_pubkey: encodeHex(script),
    ...(address === undefined ? {} : { address, address_type: outputs[i]?.type ?? '' }),
  })),
  locktime: { amount: BigInt(psbt.locktime), type: psbt.locktime < 500_000_000 ? 'Blocks' : 'Seconds' },
  fee,
})

const signedByAll = async (psbt: Uint8Array, type: ScriptType, inputs: readonly Input[]): Promise<string> => {
  const isNeeded = (key: Key): boolean =>
    inputs.some((input) => input.key === key || ((type === 'P2SH' || type === 'P2WSH') && input.needed === 2))
  let whole = encodeHex(psbt)
  for (const key of [ada, grace]) if (isNeeded(key)) whole = await signed(bytes(whole), key, schemeOfType(type))
  return whole
}

for (const type of SCRIPT_TYPES)
  it(`shows the same of 200 transactions that spend ${type}, and signs them so that they are accepted`, async () => {
    for (const { inputs, outputs, version, locktime, network } of fc.sample(anyTransaction, {
      numRuns: 200,
      seed: 37,
    })) {
      const psbt = new Psbt({ network: NETWORKS[network] })
      psbt.setVersion(version).setLocktime(locktime)
      for (const input of inputs) psbt.addInput(inputOf(type, input))
      for (const output of outputs) psbt.addOutput({ script: outputScript(output), value: BigInt(output.value) })
      const unsigned = psbt.toBuffer()
      const whole = Psbt.fromHex(await signedByAll(unsigned, type, inputs), { network: NETWORKS[network] })
      for (const i of inputs.keys()) assert.ok(whole.validateSignaturesOfInput(i, isValid), `${type} ${i}`)
      whole.finalizeAllInputs()
      const final = whole.extractTransaction(true)
      assert.is(final.ins.length, inputs.length)
      const parsed = await read(unsigned)
      const facts = parsed.facts(
        signerOf(ada, schemeOfType(type), `ADDRESS_FORMAT_BITCOIN_${network}_${type}`),
        () => undefined,
      )
      assert.equal(facts, factsOf(psbt, outputs, whole.getFee()))
      assertFits(bitcoin.fields['tx'] ?? 'dynamic', facts)
    }
  })

it.run()
