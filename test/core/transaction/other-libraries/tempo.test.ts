import fc from 'fast-check'
import { RLP } from 'micro-eth-signer/core/rlp.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Transaction } from 'viem/tempo'
import { encodeHex } from '../../../../core/bytes.ts'
import { withEip55 } from '../../../../core/keys/addresses/ethereum.ts'
import { tempo } from '../../../../core/policy/keywords/tempo.ts'
import { isStruct, type Type } from '../../../../core/policy/value-types.ts'
import { parseTempo } from '../../../../core/transaction/tempo.ts'
import { anyBytes, bytes } from '../../keys/keys.ts'
import { ADDRESS, codeOf, factsOf, messageOf, parsedBy, signedBy, signerOf } from '../ethereum-account.ts'
import { assertFits } from '../fits.ts'
import { hexOf, members, TO, TOKEN } from '../tempo-transactions.ts'

const it = suite('Tempo transactions')

const transactionType = ((): Type => {
  const type = isStruct(tempo) ? tempo.fields['tx'] : undefined
  if (type === undefined) throw new Error('expected a type of tempo.tx')
  return type
})()

it('shows the calls and the fees', async () => {
  const facts = await factsOf(hexOf(), undefined, parseTempo)
  assertFits(transactionType, facts)
  assert.equal(facts, {
    chain_id: 42_431n,
    from: ADDRESS,
    nonce: 7n,
    gas_limit: 21_000n,
    max_fee_per_gas: 9n,
    max_priority_fee_per_gas: 2n,
    fee_token: withEip55(TOKEN.slice(2)),
    valid_before: 200n,
    valid_after: 100n,
    calls: [
      { to: withEip55(TO.slice(2)), input: '0x1234567890', function_signature: '0x12345678' },
      { to: '', input: '0x', function_signature: '' },
    ],
  })
})

it('shows what is not set as nothing', async () => {
  const list = [1n, 0n, 0n, 0n, [['0x', 0n, '0x123456']], [], 0n, 0n, 0n, 0n, '0x', '0x', []]
  const facts = await factsOf(hexOf(list), undefined, parseTempo)
  assertFits(transactionType, facts)
  const { chain_id, from, fee_token, calls, ...numbers } = facts
  assert.is(chain_id, 1n)
  assert.is(from, ADDRESS)
  assert.is(fee_token, '')
  assert.equal(calls, [{ to: '', input: '0x123456', function_signature: '' }])
  assert.equal(Object.values(numbers), [0n, 0n, 0n, 0n, 0n, 0n])
})

it('signs what viem takes for signed by the sender', async () => {
  const signed = await signedBy(parseTempo, hexOf())
  const { from, signature } = Transaction.deserialize(`0x76${signed.slice(2)}`)
  assert.is(from?.toLowerCase(), ADDRESS.toLowerCase())
  assert.is(signature?.type, 'secp256k1')
})

it('drops the signature of a transaction that is signed already', async () => {
  const signed = await signedBy(parseTempo, hexOf())
  for (const other of [signed, await signedBy(parseTempo, hexOf(), '02'.repeat(32))]) {
    assert.is(messageOf(await parsedBy(parseTempo, other)), messageOf(await parsedBy(parseTempo, hexOf())))
    assert.is(await signedBy(parseTempo, other), signed)
    assert.equal(await factsOf(other, undefined, parseTempo), await factsOf(hexOf(), undefined, parseTempo))
  }
})

it('signs with a key of secp256k1 by ECDSA alone', async () => {
  const transaction = await parsedBy(parseTempo, hexOf())
  for (const wrong of [
    { ...signerOf(), curve: 'CURVE_P256' },
    { ...signerOf(), scheme: 'schnorr' },
  ] as const)
    assert.is(transaction.messagesFor(wrong)._tag, 'Left')
})

const SIGNATURE = `0x${'11'.repeat(64)}1b`

const unsupported: Readonly<Record<string, string>> = {
  nothing: '',
  'another type': `02${hexOf().slice(2)}`,
  'form for a sponsor': `78${hexOf().slice(2)}`,
  'place for a sponsor': hexOf(members.with(11, '0x00')),
  'signature of a sponsor': hexOf(members.with(11, [0n, 1n, 1n])),
  'address of a sender': hexOf(members.with(11, TO)),
  'delegations of accounts': hexOf(members.with(12, [[1n, TO, 1n, SIGNATURE]])),
  'authorized key': hexOf([...members, [1n, 0n, TO]]),
  'authorized key with a signature': hexOf([...members, [1n, 0n, TO], SIGNATURE]),
  'signature of P-256': hexOf([...members, `0x01${'11'.repeat(129)}`]),
  'signature of a key of the account': hexOf([...members, `0x03${'11'.repeat(85)}`]),
  'empty signature': hexOf([...members, '0x']),
  'amount of a native coin': hexOf(members.with(4, [[TO, 1n, '0x']])),
}
for (const [name, hex] of Object.entries(unsupported))
  it(`does not sign: ${name}`, async () => assert.is(await codeOf(parseTempo, hex), 'UNSUPPORTED_TRANSACTION_TYPE'))

const zero = Uint8Array.of(0)
const integerPlaces = [0, 1, 2, 3, 6, 7, 8, 9]

const invalid: Readonly<Record<string, string>> = {
  'type alone': '76',
  text: '76820102',
  'trailing byte': `${hexOf()}00`,
  'cut off': hexOf().slice(0, -2),
  'twelve members': hexOf(members.slice(0, 12)),
  'length in more bytes than it needs': `76f900${hexOf().slice(4)}`,
  'chain id 0': hexOf(members.with(0, 0n)),
  'chain id beyond 2^53': hexOf(members.with(0, 2n ** 60n)),
  'time beyond 2^53': hexOf(members.with(8, 2n ** 60n)),
  'no calls': hexOf(members.with(4, [])),
  'calls that are a text': hexOf(members.with(4, '0x')),
  'call that is a text': hexOf(members.with(4, ['0x'])),
  'call of two members': hexOf(members.with(4, [[TO, 0n]])),
  'call of four members': hexOf(members.with(4, [[TO, 0n, '0x', '0x']])),
  'call of 19 bytes': hexOf(members.with(4, [[TO.slice(0, -2), 0n, '0x']])),
  'data that are a list': hexOf(members.with(4, [[TO, 0n, [TO]]])),
  'address that is a list': hexOf(members.with(4, [[[TO], 0n, '0x']])),
  'token of 19 bytes': hexOf(members.with(10, TOKEN.slice(0, -2))),
  'window that is closed': hexOf(members.with(8, 100n)),
  'priority fee above the fee': hexOf(members.with(1, 10n)),
  'access list with a short key': hexOf(members.with(5, [[TO, ['0x11']]])),
  'access list with a list as an address': hexOf(members.with(5, [[[TO], []]])),
  'access list with a list as a key': hexOf(members.with(5, [[TO, [[`0x${'11'.repeat(32)}`]]]])),
  'access list with a text for keys': hexOf(members.with(5, [[TO, '0x']])),
  'token that is a list': hexOf(members.with(10, [TOKEN])),
  'access list that is a text': hexOf(members.with(5, '0x11')),
  'signature with an s of 0': hexOf([...members, `0x${'11'.repeat(32)}${'00'.repeat(33)}`]),
  ...Object.fromEntries(
    integerPlaces.flatMap((place) => [
      [`zero byte at ${place}`, hexOf(members.with(place, zero))],
      [`leading zero at ${place}`, hexOf(members.with(place, Uint8Array.of(0, 200)))],
      [`list at ${place}`, hexOf(members.with(place, [1n]))],
      [`33 bytes at ${place}`, hexOf(members.with(place, 2n ** 256n))],
    ]),
  ),
}
for (const [name, hex] of Object.entries(invalid))
  it(`refuses: ${name}`, async () => assert.is(await codeOf(parseTempo, hex), 'INVALID_TRANSACTION'))

it('refuses lists in lists of any depth, and lists of many members', async () => {
  for (const list of ['c1'.repeat(128_000), `fa01f400${'c0'.repeat(128_000)}`])
    assert.is.not(await codeOf(parseTempo, `76${list}`), 'read')
  const calls = Array.from({ length: 40_000 }, () => [])
  assert.is(await codeOf(parseTempo, hexOf(members.with(4, calls))), 'INVALID_TRANSACTION')
})

const anyAddress = () => anyBytes(20).map((address) => `0x${encodeHex(address)}` as const)
const anyData = () => fc.uint8Array({ maxLength: 300 }).map((data) => `0x${encodeHex(data)}` as const)
const anyAmount = (bits: bigint) => fc.bigInt({ min: 0n, max: 2n ** bits - 1n })
const maybe = <A>(value: fc.Arbitrary<A>) => fc.option(value, { nil: undefined })

const anyTransaction = () =>
  fc
    .record({
      chainId: fc.integer({ min: 1, max: 1_000_000 }),
      calls: fc.array(fc.record({ to: anyAddress(), data: anyData() }), { minLength: 1, maxLength: 4 }),
      accessList: fc.array(
        fc.record({
          address: anyAddress(),
          storageKeys: fc.array(
            anyBytes(32).map((key) => `0x${encodeHex(key)}` as const),
            { maxLength: 2 },
          ),
        }),
        { maxLength: 2 },
      ),
      nonce: fc.maxSafeNat(),
      gas: anyAmount(64n),
      maxFeePerGas: anyAmount(100n),
      feeToken: maybe(fc.constant(TOKEN)),
      validAfter: maybe(fc.integer({ min: 1, max: 1_000_000 })),
      validBefore: maybe(fc.integer({ min: 1_000_001, max: 2_000_000 })),
      nonceKey: maybe(anyAmount(192n)),
    })
    .map((transaction) => ({
      ...transaction,
      maxPriorityFeePerGas: transaction.maxFeePerGas / 2n,
      type: 'tempo' as const,
    }))

it('shows and signs 200 transactions as viem does', () =>
  fc.assert(
    fc.asyncProperty(anyTransaction(), async (transaction) => {
      const hex = await Transaction.serialize(transaction)
      const facts = await factsOf(hex, undefined, parseTempo)
      assertFits(transactionType, facts)
      assert.equal(
        [facts.chain_id, facts.nonce, facts.gas_limit, facts.max_fee_per_gas, facts.max_priority_fee_per_gas],
        [
          BigInt(transaction.chainId),
          BigInt(transaction.nonce),
          transaction.gas,
          transaction.maxFeePerGas,
          transaction.maxPriorityFeePerGas,
        ],
      )
      assert.equal(
        [facts.valid_after, facts.valid_before, facts.fee_token],
        [
          BigInt(transaction.validAfter ?? 0),
          BigInt(transaction.validBefore ?? 0),
          transaction.feeToken === undefined ? '' : withEip55(transaction.feeToken.slice(2)),
        ],
      )
      assert.equal(
        facts.calls,
        transaction.calls.map(({ to, data }) => ({
          to: withEip55(to.slice(2)),
          input: data,
          function_signature: data.length < 10 ? '' : data.slice(0, 10),
        })),
      )
      const signed = await signedBy(parseTempo, hex)
      const list = RLP.decode(bytes(signed).subarray(1))
      const last = Array.isArray(list) ? list.at(-1) : undefined
      if (!(last instanceof Uint8Array)) throw new Error('expected a signature')
      const [r, s] = [encodeHex(last.subarray(0, 32)), encodeHex(last.subarray(32, 64))]
      const signature = { r: `0x${r}`, s: `0x${s}`, yParity: (last[64] ?? 0) - 27 } as const
      assert.is(await Transaction.serialize(transaction, signature), `0x${signed}`)
      assert.is(Transaction.deserialize(`0x76${signed.slice(2)}`).from?.toLowerCase(), ADDRESS.toLowerCase())
    }),
    { numRuns: 200, seed: 37 },
  ))

it.run()
