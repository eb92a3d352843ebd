import { RLP, type RLPInput } from 'micro-eth-signer/core/rlp.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { encodeHex } from '../../../core/bytes.ts'
import { ethereum } from '../../../core/policy/keywords/ethereum.ts'
import { parseEthereum } from '../../../core/transaction/ethereum.ts'
import { isStruct, type Type } from '../../../core/policy/value-types.ts'
import {
  ADDRESS,
  codeOf,
  factsOf,
  messageOf,
  parsedBy,
  signedBy,
  signerOf,
  transactionHex,
} from './ethereum-account.ts'
import { assertFits } from './fits.ts'

const it = suite('Ethereum transactions')

const TO = `0x${'ab'.repeat(20)}`
const CHECKED_TO = '0xABaBaBaBABabABabAbAbABAbABabababaBaBABaB'

/** The members of a type, in order, without those of a signature. */
const legacy = ({
  nonce = 7n,
  gasPrice = 9n,
  gas = 21_000n,
  to = TO,
  value = 5n,
  data = '0x1234567890',
} = {}): RLPInput[] => [nonce, gasPrice, gas, to, value, data]
const access: RLPInput[] = [[TO, [`0x${'11'.repeat(32)}`]]]
const type1: RLPInput[] = [1n, ...legacy(), access]
const type2: RLPInput[] = [1n, 7n, 2n, 9n, 21_000n, TO, 5n, '0x1234567890', access]
const type3: RLPInput[] = [...type2, 3n, [`0x01${'22'.repeat(31)}`]]
const authorization: RLPInput[] = [0n, TO, 1n, 0n, 1n, 1n]
const type4: RLPInput[] = [...type2, [authorization]]

const forms: readonly (readonly [name: string, hex: string, type: string, gasPrice: bigint])[] = [
  ['legacy without a chain id', transactionHex(undefined, legacy()), 'LEGACY', 9n],
  ['legacy with a chain id', transactionHex(undefined, [...legacy(), 1n, 0n, 0n]), 'LEGACY', 9n],
  ['type 1', transactionHex(1, type1), 'TYPE_1', 9n],
  ['type 2', transactionHex(2, type2), 'TYPE_2', 9n],
  ['type 3', transactionHex(3, type3), 'TYPE_3', 9n],
  ['type 4', transactionHex(4, type4), 'TYPE_4', 9n],
]

const transactionType = ((): Type => {
  const type = isStruct(ethereum) ? ethereum.fields['tx'] : undefined
  if (type === undefined) throw new Error('expected a type of eth.tx')
  return type
})()

for (const [name, hex, type, gasPrice] of forms) {
  it(`shows and signs: ${name}`, async () => {
    const facts = await factsOf(hex)
    assertFits(transactionType, facts)
    const { chain_id, max_fee_per_gas, max_priority_fee_per_gas, max_fee_per_blob_gas, ...rest } = facts
    assert.equal(rest, {
      from: ADDRESS,
      to: CHECKED_TO,
      data: '0x1234567890',
      value: 5n,
      gas: 21_000n,
      gas_price: gasPrice,
      nonce: 7n,
      type,
    })
    assert.is(chain_id, name === 'legacy without a chain id' ? 0n : 1n)
    const hasFees = ['TYPE_2', 'TYPE_3', 'TYPE_4'].includes(type)
    assert.is(max_fee_per_gas, hasFees ? 9n : undefined)
    assert.is(max_priority_fee_per_gas, hasFees ? 2n : undefined)
    assert.is(max_fee_per_blob_gas, type === 'TYPE_3' ? 3n : undefined)
  })

  it(`drops the signature of a transaction that is signed already: ${name}`, async () => {
    const signed = await signedBy(parseEthereum, hex)
    const byAnother = await signedBy(parseEthereum, hex, '02'.repeat(32))
    assert.is.not(signed, byAnother)
    for (const other of [signed, byAnother, withHighS(byAnother)]) {
      assert.is(messageOf(await parsedBy(parseEthereum, other)), messageOf(await parsedBy(parseEthereum, hex)))
      assert.is(await signedBy(parseEthereum, other), signed)
      assert.equal(await factsOf(other), await factsOf(hex))
    }
  })

  it(`refuses all bytes that are cut off, or that have more behind them: ${name}`, async () => {
    for (let length = 0; length < hex.length; length += 2)
      assert.is(await codeOf(parseEthereum, hex.slice(0, length)), 'INVALID_TRANSACTION', String(length))
    for (const more of ['00', '80', 'c0', hex])
      assert.is(await codeOf(parseEthereum, hex + more), 'INVALID_TRANSACTION', more)
  })
}

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** With the other `s` of the same signature. */
function withHighS(hex: string): string {
  const s = hex.slice(-64)
  return hex.slice(0, -64) + (ORDER - BigInt(`0x${s}`)).toString(16).padStart(64, '0')
}

it('signs with v of the chain id, or with the parity', async () => {
  const vOf = async (hex: string): Promise<string> => {
    const list = RLP.decode(Uint8Array.from(Buffer.from(await signedBy(parseEthereum, hex), 'hex')))
    const v = Array.isArray(list) ? list.at(-3) : undefined
    return v instanceof Uint8Array ? encodeHex(v) : ''
  }
  assert.match(await vOf(transactionHex(undefined, legacy())), /^1[bc]$/)
  assert.match(await vOf(transactionHex(undefined, [...legacy(), 1n, 0n, 0n])), /^2[56]$/)
  assert.match(await vOf(transactionHex(undefined, [...legacy(), 0xffff_ffffn, 0n, 0n])), /^02000000[23][0-9a-f]$/)
})

it('shows a creation with an empty address', async () => {
  assert.is((await factsOf(transactionHex(undefined, legacy({ to: '0x' })))).to, '')
  const asked: string[] = []
  await factsOf(transactionHex(undefined, legacy({ to: '0x' })), (address) => void asked.push(address))
  await factsOf(transactionHex(undefined, legacy()), (address) => void asked.push(address))
  assert.equal(asked, [TO])
})

it('shows numbers beyond those of JSON', async () => {
  const value = 2n ** 256n - 1n
  const { value: shown, chain_id } = await factsOf(transactionHex(2, [2n ** 64n, 0n, 0n, 0n, 0n, TO, value, '0x', []]))
  assert.is(shown, value)
  assert.is(chain_id, 2n ** 64n)
})

it('takes the largest chain id whose signature has a v of 256 bits', async () => {
  const max = (2n ** 256n - 37n) / 2n
  const hex = (chainId: bigint): string => transactionHex(undefined, [...legacy(), chainId, 0n, 0n])
  assert.is((await factsOf(hex(max))).chain_id, max)
  assert.is((await factsOf(await signedBy(parseEthereum, hex(max)))).chain_id, max)
  assert.is(await codeOf(parseEthereum, hex(max + 1n)), 'INVALID_TRANSACTION')
})

it('signs with a key of secp256k1 by ECDSA alone', async () => {
  const transaction = await parsedBy(parseEthereum, transactionHex(2, type2))
  for (const wrong of [
    { ...signerOf(), curve: 'CURVE_P256' },
    { ...signerOf(), scheme: 'taproot' },
    { ...signerOf(), scheme: 'schnorr' },
    { ...signerOf(), curve: 'CURVE_ED25519', scheme: 'eddsa' },
  ] as const)
    assert.equal(transaction.messagesFor(wrong), {
      _tag: 'Left',
      left: 'a key of secp256k1 that signs with ECDSA',
    })
})

const blob = `0x${'00'.repeat(64)}`

const unsupported: Readonly<Record<string, string>> = {
  'type 0': `00${transactionHex(undefined, legacy())}`,
  'type 5': transactionHex(5, type2),
  'type of Tempo': transactionHex(0x76, type2),
  'highest type': transactionHex(0x7f, type2),
  text: '80',
  'text of the RLP of a transaction': encodeHex(RLP.encode(`0x${transactionHex(2, type2)}`)),
  'reserved byte': `ff${transactionHex(undefined, legacy())}`,
  blobs: transactionHex(3, [type3, [blob], [blob], [blob]]),
  'blobs of a later form': transactionHex(3, [type3, 1n, [blob], [blob], [blob]]),
}
for (const [name, hex] of Object.entries(unsupported))
  it(`does not sign: ${name}`, async () => assert.is(await codeOf(parseEthereum, hex), 'UNSUPPORTED_TRANSACTION_TYPE'))

/** A list of RLP whose members are bytes of RLP already. */
const listOf = (...members: readonly string[]): string => {
  const inside = members.join('')
  const length = inside.length / 2
  if (length < 56) return (0xc0 + length).toString(16) + inside
  return length < 256
    ? `f8${length.toString(16).padStart(2, '0')}${inside}`
    : `f9${length.toString(16).padStart(4, '0')}${inside}`
}
const item = (value: RLPInput): string => encodeHex(RLP.encode(value))
const legacyWith = (place: number, raw: string): string =>
  listOf(...legacy().map((value, i) => (i === place ? raw : item(value))))

const invalid: Readonly<Record<string, string>> = {
  nothing: '',
  'type alone': '02',
  'empty list': 'c0',
  'type with a text behind it': `02${item('0x1234')}`,
  'nonce with a leading zero': legacyWith(0, '820007'),
  'nonce that is a zero byte': legacyWith(0, '00'),
  'nonce of one byte with a length': legacyWith(0, '8107'),
  'nonce that is a list': legacyWith(0, 'c107'),
  'nonce of 9 bytes': legacyWith(0, `89${'01'.repeat(9)}`),
  'last nonce': legacyWith(0, `88${'ff'.repeat(8)}`),
  'gas of 9 bytes': legacyWith(2, `89${'01'.repeat(9)}`),
  'value of 33 bytes': legacyWith(4, `a1${'01'.repeat(33)}`),
  'address of 19 bytes': legacyWith(3, `93${'ab'.repeat(19)}`),
  'address of 21 bytes': legacyWith(3, `95${'ab'.repeat(21)}`),
  'address of a zero byte': legacyWith(3, '00'),
  'address that is a list': legacyWith(3, 'c0'),
  'length in more bytes than it needs': legacyWith(5, 'b8051234567890'),
  'length with a leading zero': legacyWith(5, `b90040${'12'.repeat(64)}`),
  'length behind the end': legacyWith(5, 'bf7fffffffffffffff'),
  'five members': transactionHex(undefined, legacy().slice(1)),
  'seven members': transactionHex(undefined, [...legacy(), 1n]),
  'eight members': transactionHex(undefined, [...legacy(), 1n, 0n]),
  'ten members': transactionHex(undefined, [...legacy(), 1n, 0n, 0n, 0n]),
  'chain id 0': transactionHex(undefined, [...legacy(), 0n, 0n, 0n]),
  'chain id 0 in a signature': transactionHex(undefined, [...legacy(), 35n, 1n, 1n]),
  'v between the kinds': transactionHex(undefined, [...legacy(), 29n, 1n, 1n]),
  'r without s': transactionHex(undefined, [...legacy(), 37n, 1n, 0n]),
  'parity of 2': transactionHex(2, [...type2, 2n, 1n, 1n]),
  'members of a signature that are empty': transactionHex(2, [...type2, 0n, 0n, 0n]),
  'priority fee above the fee': transactionHex(2, [1n, 7n, 10n, 9n, 21_000n, TO, 5n, '0x', []]),
  'type 3 that creates': transactionHex(3, type3.with(5, '0x')),
  'hash of a blob of another version': transactionHex(3, type3.with(10, [`0x02${'22'.repeat(31)}`])),
  'type 4 that creates': transactionHex(4, type4.with(5, '0x')),
  'type 4 without authorizations': transactionHex(4, type4.with(9, [])),
  'type 4 with an authorization for 19 bytes': transactionHex(4, type4.with(9, [authorization.with(1, '0x11')])),
  'access list with a short address': transactionHex(1, type1.with(7, [['0x11', []]])),
  'access list with a short key': transactionHex(1, type1.with(7, [[TO, ['0x11']]])),
  'access list that is a text': transactionHex(1, type1.with(7, '0x')),
}
for (const [name, hex] of Object.entries(invalid))
  it(`refuses: ${name}`, async () => assert.is(await codeOf(parseEthereum, hex), 'INVALID_TRANSACTION'))

it('drops what stands in the place of a signature, also if it is none', async () => {
  for (const [r, s] of [
    [0n, 1n],
    [ORDER, 1n],
    [1n, 2n ** 256n - 1n],
  ] as const)
    assert.is(
      await signedBy(parseEthereum, transactionHex(2, [...type2, 0n, r, s])),
      await signedBy(parseEthereum, transactionHex(2, type2)),
    )
})

it('has a message for a chain id of 0 of a type, and shows it', async () =>
  // No chain takes it.
  assert.is((await factsOf(transactionHex(2, type2.with(0, 0n)))).chain_id, 0n))

it('refuses lists in lists of any depth, and lists of many members', async () => {
  const heads = 'c1'.repeat(128_000)
  let deep = 'c0'
  for (let i = 0; i < 5000; i += 1) deep = listOf(deep)
  const wide = `fa01f400${'c0'.repeat(128_000)}`
  for (const list of [heads, deep, wide, legacyWith(5, deep)])
    for (const type of ['', '01', '02', '03', '04'])
      assert.match(await codeOf(parseEthereum, type + list), /^(?:INVALID_TRANSACTION|UNSUPPORTED_TRANSACTION_TYPE)$/)
})

it('tells of no bytes', async () => {
  const parsed = await parseEthereum(Uint8Array.from(Buffer.from(legacyWith(3, `93${'ab'.repeat(19)}`), 'hex')))
  assert.is(parsed._tag, 'Left')
  assert.not.match(JSON.stringify(parsed), /abab/)
})

it.run()
