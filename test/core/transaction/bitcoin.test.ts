import { Transaction } from '@scure/btc-signer'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encodeHex } from '../../../core/bytes.ts'
import { addressOf } from '../../../core/keys/address-formats.ts'
import { sign } from '../../../core/keys/signing.ts'
import { bitcoin } from '../../../core/policy/keywords/bitcoin.ts'
import { E } from '../../../core/prelude.ts'
import { parseBitcoin } from '../../../core/transaction/bitcoin.ts'
import { INPUT } from '../../../core/transaction/psbt-fields.ts'
import { readMaps, valueOf, withEntry, writeMaps, type PsbtMap } from '../../../core/transaction/psbt-maps.ts'
import { bytes } from '../keys/keys.ts'
import { assertFits } from './fits.ts'
import {
  ada,
  entry,
  FINAL,
  grace,
  inputOf,
  keyOf,
  messagesOf,
  payment,
  psbtOf,
  read,
  schemeOfType,
  SCRIPT_TYPES,
  scriptOf,
  segwitInput,
  signed,
  signerOf,
  withField,
} from './psbts.ts'

const it = suite('bitcoin transactions')

/** A signature of this size: what stands in it does not matter. */
const partialSignature = (key: Uint8Array, fill: number) =>
  entry(INPUT.partialSignature, new Uint8Array(71).fill(fill), key)

const withoutSignatures = (maps: readonly PsbtMap[], inputCount: number): Uint8Array =>
  writeMaps(maps.map((map, i) => (i > inputCount ? map : map.filter(({ key }) => key[0] !== INPUT.partialSignature))))

const inputs = SCRIPT_TYPES.map((type, i) => inputOf(type, ada, 10_000n * BigInt(i + 1), i))

it('signs each kind of input as the library does', async () => {
  for (const type of SCRIPT_TYPES) {
    const psbt = psbtOf({ inputs: [inputOf(type, ada, 10_000n), inputOf('P2WPKH', grace, 5_000n, 1)] })
    const other = Transaction.fromPSBT(psbt)
    other.signIdx(ada.privateKey, 0, undefined, new Uint8Array(32))
    assert.is(await signed(psbt, ada, schemeOfType(type)), encodeHex(other.toPSBT()), type)
  }
})

it('signs all inputs of the key in one go, in their order, and leaves those of other schemes', async () => {
  const psbt = psbtOf({ inputs })
  const other = Transaction.fromPSBT(psbt)
  for (const i of [0, 1, 2, 3]) other.signIdx(ada.privateKey, i)
  const half = await signed(psbt, ada)
  assert.is(half, encodeHex(other.toPSBT()))
  other.signIdx(ada.privateKey, 4, undefined, new Uint8Array(32))
  const whole = await signed(bytes(half), ada, 'taproot')
  assert.is(whole, encodeHex(other.toPSBT()))
  assert.is(messagesOf(await read(psbt), signerOf(ada)).length, 4)
  assert.is(messagesOf(await read(psbt), signerOf(ada, 'taproot')).length, 1)
})

it('drops the signature of a transaction that is signed already, and keeps those of others', async () => {
  for (const [type, own] of [
    ['P2SH', partialSignature(ada.publicKey, 1)],
    ['P2WSH', partialSignature(ada.publicKey, 1)],
    ['P2TR', entry(INPUT.tapKeySignature, new Uint8Array(64).fill(1))],
  ] as const) {
    const others = partialSignature(grace.publicKey, 2)
    const input = type === 'P2TR' ? inputOf(type, ada, 9_000n) : withField(inputOf(type, ada, 9_000n), others)
    const before = await signed(psbtOf({ inputs: [input] }), ada, schemeOfType(type))
    assert.is(await signed(psbtOf({ inputs: [withField(input, own)] }), ada, schemeOfType(type)), before, type)
    assert.is(await signed(bytes(before), ada, schemeOfType(type)), before, `${type} again`)
    if (type !== 'P2TR') assert.ok(before.includes(encodeHex(others.key) + '47' + '02'.repeat(71)), type)
  }
})

it('keeps the order of keys, unknown fields and those of outputs as they are', async () => {
  const unknown = [entry(0xf0, bytes('01'), bytes('02')), entry(0xfc, bytes('05'), bytes('0161016203'))]
  const input = { ...inputOf('P2WSH', ada, 9_000n) }
  const shuffled = { ...input, map: [...unknown, ...input.map.toReversed()] }
  const outputMaps = [[entry(0x02, bytes('d90c6a4f00000080'), grace.publicKey), ...unknown]]
  const psbt = psbtOf({ inputs: [shuffled], global: unknown, outputMaps })
  const maps = readMaps(bytes(await signed(psbt, ada))) ?? []
  assert.is(encodeHex(withoutSignatures(maps, 1)), encodeHex(psbt))
  assert.is(maps[1]?.length, shuffled.map.length + 1)
})

it('leaves an input of the signer that is finalized already', async () => {
  const final = [entry(INPUT.finalScriptSig, bytes('00')), entry(INPUT.finalScriptWitness, bytes('0100'))]
  for (const field of final) {
    const finalized = withField(inputOf('P2WPKH', ada, 9_000n), field)
    const both = await read(psbtOf({ inputs: [finalized, inputOf('P2WPKH', ada, 8_000n, 1)] }))
    assert.is(messagesOf(both, signerOf(ada)).length, 1)
    const alone = await read(psbtOf({ inputs: [finalized] }))
    assert.equal(alone.messagesFor(signerOf(ada)), E.left('a key that an input of the transaction needs'))
  }
})

it('shows policies the transaction', async () => {
  const outputs = [
    { amount: 1_500n, script: scriptOf('P2TR', grace) },
    { amount: 0n, script: bytes('6a0568656c6c6f') },
  ]
  const spends = [
    { ...inputOf('P2WPKH', ada, 2_000n), vout: 7, sequence: 0xffff_fffd },
    inputOf('P2PKH', ada, 1_000n, 1),
  ]
  const parsed = await read(psbtOf({ inputs: spends, outputs, version: 1n, lockTime: 840_000n }))
  const facts = parsed.facts(signerOf(ada), () => undefined)
  assert.equal(facts, {
    version: '1',
    inputs: [
      { tx_id: encodeHex((spends[0]?.txid ?? new Uint8Array()).toReversed()), vout: 7n, sequence: 0xffff_fffdn },
      { tx_id: encodeHex((spends[1]?.txid ?? new Uint8Array()).toReversed()), vout: 0n, sequence: BigInt(FINAL) },
    ],
    outputs: [
      {
        value: 1_500n,
        script_pubkey: encodeHex(scriptOf('P2TR', grace)),
        address: 'bc1p8w057ulzw9v6up4vhgastwp3elzfqumkrpsf04rjkj0w9dp6yy2qcpdmce',
        address_type: 'P2TR',
      },
      { value: 0n, script_pubkey: '6a0568656c6c6f' },
    ],
    locktime: { amount: 840_000n, type: 'Blocks' },
    fee: 1_500n,
  })
  assertFits(bitcoin.fields['tx'] ?? 'dynamic', facts)
})

it('shows a change output with another script', async () => {
  const change = { amount: 7_000n, script: scriptOf('P2WPKH', keyOf(66)) }
  const parsed = await read(psbtOf({ inputs: [inputOf('P2WPKH', ada, 9_000n)], outputs: [payment, change] }))
  const facts = parsed.facts(signerOf(ada), () => undefined)
  assert.ok(typeof facts === 'object' && 'outputs' in facts && Array.isArray(facts.outputs))
  assert.equal(facts.outputs[1], {
    value: 7_000n,
    script_pubkey: encodeHex(change.script),
    address: addressOf('ADDRESS_FORMAT_BITCOIN_MAINNET_P2WPKH', 'CURVE_SECP256K1', encodeHex(keyOf(66).publicKey)),
    address_type: 'P2WPKH',
  })
})

it('reads the version without a sign', async () => {
  for (const version of [0n, 1n, 2n, 0xffff_ffffn]) {
    const facts = (await read(psbtOf({ inputs, version }))).facts(signerOf(ada), () => undefined)
    assert.ok(typeof facts === 'object' && 'version' in facts)
    assert.is(facts.version, String(version))
  }
})

it('shows addresses of the network of the address that signs', async () => {
  const outputs = [...SCRIPT_TYPES.map((type) => ({ amount: 10n, script: scriptOf(type, grace) }))]
  const parsed = await read(psbtOf({ inputs: [inputOf('P2WPKH', ada, 2_000n)], outputs }))
  const startsOf = (format?: string) => {
    const facts = parsed.facts(signerOf(ada, 'ecdsa', format), () => undefined)
    assertFits(bitcoin.fields['tx'] ?? 'dynamic', facts)
    return [
      ...JSON.stringify(facts, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)).matchAll(
        /"address":"(.{4})/g,
      ),
    ]
      .map(([, start = '']) => start.replace(/^([13mn2]).*/, '$1'))
      .join(' ')
  }
  for (const [format, starts] of [
    [undefined, '1 3 bc1q bc1q bc1p'],
    ['ADDRESS_FORMAT_ETHEREUM', '1 3 bc1q bc1q bc1p'],
    ['ADDRESS_FORMAT_BITCOIN_MAINNET_P2TR', '1 3 bc1q bc1q bc1p'],
    ['ADDRESS_FORMAT_BITCOIN_TESTNET_P2WPKH', 'm 2 tb1q tb1q tb1p'],
    ['ADDRESS_FORMAT_BITCOIN_SIGNET_P2PKH', 'm 2 tb1q tb1q tb1p'],
    ['ADDRESS_FORMAT_BITCOIN_REGTEST_P2SH', 'm 2 bcrt bcrt bcrt'],
  ] as const)
    assert.is(startsOf(format).replaceAll(/\bn\b/g, 'm'), starts, format ?? 'the key')
})

it('reads a locktime as blocks below 500,000,000, and as seconds from there on', async () => {
  for (const [lockTime, type] of [
    [0n, 'Blocks'],
    [499_999_999n, 'Blocks'],
    [500_000_000n, 'Seconds'],
    [0xffff_ffffn, 'Seconds'],
  ] as const) {
    const facts = (await read(psbtOf({ inputs, lockTime }))).facts(signerOf(ada), () => undefined)
    assert.ok(typeof facts === 'object' && 'locktime' in facts)
    assert.equal(facts.locktime, { amount: lockTime, type })
  }
})

it('gives no signer a message whose key no input needs', async () => {
  const parsed = await read(psbtOf({ inputs: [...inputs, inputOf('P2WSH', ada, 9_000n, 9)] }))
  const needed = E.left('a key that an input of the transaction needs')
  assert.equal(parsed.messagesFor(signerOf(keyOf(3))), needed)
  assert.equal(parsed.messagesFor(signerOf(grace, 'taproot')), needed)
  assert.equal(parsed.messagesFor(signerOf(ada, 'schnorr')), needed)
  assert.equal(parsed.messagesFor({ ...signerOf(ada), curve: 'CURVE_P256' }), needed)
  assert.equal(parsed.messagesFor({ ...signerOf(ada, 'eddsa'), curve: 'CURVE_ED25519' }), needed)
  assert.is(messagesOf(parsed, signerOf(grace)).length, 3, 'the scripts of two keys')
})

it('signs the amount that is claimed for an own input: a wrong one makes a signature that is not valid', async () => {
  const messages = async (amount: bigint, type: 'P2WPKH' | 'P2TR') =>
    messagesOf(await read(psbtOf({ inputs: [inputOf(type, ada, amount)] })), signerOf(ada, schemeOfType(type)))
  for (const type of ['P2WPKH', 'P2TR'] as const)
    assert.not.equal(await messages(9_000n, type), await messages(9_001n, type), type)
})

it('shows a wrong fee if the amount of an input of others is a lie, which only taproot signs', async () => {
  const psbtWith = (others: bigint) =>
    read(psbtOf({ inputs: [...inputs, segwitInput({ amount: others, script: scriptOf('P2WPKH', keyOf(3)) }, 9)] }))
  const [honest, lie] = [await psbtWith(5_000n), await psbtWith(500_000n)]
  const feeOf = (facts: unknown) =>
    typeof facts === 'object' && facts !== null && 'fee' in facts ? facts.fee : undefined
  const feeFor = (parsed: typeof honest) => feeOf(parsed.facts(signerOf(ada), () => undefined))
  assert.equal([feeFor(honest), feeFor(lie)], [154_000n, 649_000n])
  assert.equal(messagesOf(lie, signerOf(ada)), messagesOf(honest, signerOf(ada)))
  assert.not.equal(messagesOf(lie, signerOf(ada, 'taproot')), messagesOf(honest, signerOf(ada, 'taproot')))
})

it('never throws on changed bytes, and writes what it reads', async () => {
  const psbt = psbtOf({ inputs: SCRIPT_TYPES.slice(0, 4).map((type, i) => inputOf(type, ada, 9_000n, i)) })
  const signature = sign('ecdsa', 'CURVE_SECP256K1', ada.privateKey, new Uint8Array(32))
  const change = fc.record({ at: fc.nat(psbt.length - 1), byte: fc.nat(255), removed: fc.boolean() })
  const changes = fc.sample(change, { numRuns: 500, seed: 37 })
  let readable = 0
  for (const { at, byte, removed } of changes) {
    const changed = removed ? Uint8Array.from([...psbt.slice(0, at), ...psbt.slice(at + 1)]) : psbt.with(at, byte)
    const parsed = await parseBitcoin(changed)
    if (E.isLeft(parsed)) continue
    const messages = parsed.right.messagesFor(signerOf(ada))
    if (E.isLeft(messages)) continue
    readable += 1
    const whole = parsed.right.assemble(
      signerOf(ada),
      messages.right.map(() => signature),
    )
    assert.is(encodeHex(withoutSignatures(readMaps(bytes(whole)) ?? [], 4)), encodeHex(changed))
  }
  assert.ok(readable > 30)
})

it('puts an entry at its place in a sorted map', () => {
  const map = [entry(1, bytes('aa')), entry(3, bytes('bb'))]
  const sorted = withEntry(map, entry(2, bytes('cc')))
  assert.equal(
    sorted.map(({ key }) => key[0]),
    [1, 2, 3],
  )
  assert.equal(valueOf(withEntry(sorted, entry(2, bytes('dd'))), 2), bytes('dd'))
  assert.is(withEntry(map, entry(4, bytes('ee'))).at(-1)?.key[0], 4)
})

it.run()
