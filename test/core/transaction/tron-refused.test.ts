import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { concat } from '../../../core/bytes.ts'
import { E } from '../../../core/prelude.ts'
import { parseTron } from '../../../core/transaction/tron.ts'
import { bytes } from '../keys/keys.ts'
import { address, field, key, NAMES, owner, rawData, TRANSFER, varint } from './tron-bytes.ts'

const it = suite('transactions of TRON that are refused')

const refusedAs = async (code: string, raw: Uint8Array): Promise<void> => {
  const result = await parseTron(raw)
  assert.is(E.isLeft(result) ? result.left.code : 'none', code)
}

const TRANSFER_LONG = [field(1, address(1)), field(2, address(2)), Uint8Array.of(0x18, 0x81, 0)]
const ACTIVE = field(4, concat([field(1, 2n), field(3, 'pay'), key(2, 1n)]))
const transfer = (...body: readonly Uint8Array[]): Uint8Array => rawData({ body: [...TRANSFER, ...body] })
const permissions = (...body: readonly Uint8Array[]): Uint8Array => rawData({ type: 46n, body: [owner, ...body] })
const ref = [field(1, Uint8Array.of(0xab, 0xcd)), field(4, new Uint8Array(8))]

/** Each would be something else to another reader, or has something that policies cannot see. */
const invalid: { readonly [what: string]: Uint8Array } = {
  'no bytes': new Uint8Array(),
  'random text': bytes('68656c6c6f'),
  'no contract': rawData({ contracts: 0 }),
  'two contracts': rawData({ contracts: 2 }),
  '40,000 contracts': concat([...ref, ...Array.from({ length: 40_000 }, () => field(11, ''))]),
  'a contract without parameter': concat([...ref, field(11, field(1, 1n))]),
  'an empty parameter': concat([...ref, field(11, concat([field(1, 1n), field(2, '')]))]),
  'the type of another contract': rawData({ typeUrl: 'type.googleapis.com/protocol.TriggerSmartContract' }),
  'the number of another contract': rawData({ type: 31n, typeUrl: 'type.googleapis.com/protocol.TransferContract' }),
  'another host of the type': rawData({ typeUrl: 'example.com/protocol.TransferContract' }),
  'a type that is longer': rawData({ typeUrl: 'type.googleapis.com/protocol.TransferContract\0' }),
  'a type that is no UTF-8': concat([
    ...ref,
    field(11, concat([field(1, 1n), field(2, concat([field(1, Uint8Array.of(0xff)), field(2, concat(TRANSFER))]))])),
  ]),
  'an unknown field of the transaction': rawData({ behind: [field(99, 1n)] }),
  ref_block_num: rawData({ ref: [field(1, Uint8Array.of(1, 2)), field(3, 5n), field(4, new Uint8Array(8))] }),
  auths: rawData({ before: [field(8, 1n), field(9, field(2, 'active'))] }),
  scripts: rawData({ behind: [field(12, 'script'), field(14, 1n)] }),
  'a provider': rawData({ inContract: [field(3, 'provider')] }),
  'a name of the contract': rawData({ inContract: [field(4, 'name')] }),
  'an unknown field of the contract': rawData({ inContract: [field(6, 1n)] }),
  'an unknown field of the parameter': rawData({ inParameter: [field(3, 1n)] }),
  'an unknown field of a transfer': transfer(field(4, 1n)),
  'an unknown field of a permission': permissions(field(2, concat([key(1, 1n), field(8, 1n)]))),
  'an unknown field of a key': permissions(field(2, field(7, concat([field(1, address(1)), field(3, 1n)])))),
  'two amounts': transfer(field(3, 1n)),
  'two receivers': rawData({ body: [field(1, address(1)), field(2, address(2)), field(2, address(3)), field(3, 1n)] }),
  'two parameters': rawData({
    inContract: [
      field(2, concat([field(1, 'type.googleapis.com/protocol.TransferContract'), field(2, concat(TRANSFER))])),
    ],
  }),
  'two values of the parameter': rawData({ inParameter: [field(2, concat(TRANSFER))] }),
  'two memos': rawData({ before: [field(10, 'a'), field(10, 'b')] }),
  'two owners': permissions(field(2, key(1, 1n)), field(2, key(2, 1n))),
  'members in another order': rawData({ body: [field(2, address(2)), field(1, address(1)), field(3, 1n)] }),
  'fields in another order': rawData({ before: [field(18, 1n), field(8, 1n)] }),
  'an active before the owner': permissions(ACTIVE, field(2, key(1, 1n))),
  'a default value': rawData({ body: [...TRANSFER.slice(0, 2), field(3, 0n)] }),
  'an empty memo': rawData({ before: [field(10, '')] }),
  'a lock that is 2': rawData({ type: 57n, body: [owner, field(4, address(2)), field(5, 2n)] }),
  'a lock that is false': rawData({ type: 57n, body: [owner, field(4, address(2)), field(5, 0n)] }),
  'a number that is longer than it must be': rawData({ body: TRANSFER_LONG }),
  'a length that is longer than it must be': concat([
    Uint8Array.of(0x0a, 0x82, 0, 1, 2),
    rawData({ ref: ref.slice(1) }),
  ]),
  'a tag that is longer than it must be': concat([Uint8Array.of(0x8a, 0, 2, 1, 2), rawData({ ref: ref.slice(1) })]),
  'a number where bytes belong': rawData({ body: [field(1, 5n), field(2, address(2))] }),
  'bytes where a number belongs': rawData({ body: [...TRANSFER.slice(0, 2), field(3, 'a')] }),
  'a group': concat([rawData(), Uint8Array.of(0x9b, 1, 0x9c, 1)]),
  'four bytes of no field': concat([rawData(), Uint8Array.of(0x45, 0, 0, 0, 0)]),
  'a trailing zero': concat([rawData(), Uint8Array.of(0)]),
  'an amount below zero': rawData({ body: [...TRANSFER.slice(0, 2), field(3, -1n)] }),
  'a call value below zero': rawData({ type: 31n, body: [owner, field(2, address(2)), field(3, -(2n ** 63n))] }),
  'an expiration of 2^63': rawData({ before: [field(8, 2n ** 63n)] }),
  'an expiration of 2^64 + 1': rawData({ before: [bytes('4081808080808080808002')] }),
  'a permission of 2^31': rawData({ inContract: [field(5, 2n ** 31n)] }),
  'a type of 2^32 + 1': rawData({ type: 2n ** 32n + 1n, typeUrl: 'type.googleapis.com/protocol.TransferContract' }),
  'a permission below zero': rawData({ inContract: [field(5, -1n)] }),
  'a resource of 3': rawData({ type: 54n, body: [owner, field(2, 1n), field(3, 3n)] }),
  'a kind of permission of 3': permissions(field(4, field(1, 3n))),
  'no owner': rawData({ body: TRANSFER.slice(1) }),
  'no receiver': rawData({ body: [field(1, address(1)), field(3, 1n)] }),
  'an address of 20 bytes': rawData({ body: [owner, field(2, address(2).subarray(0, 20)), field(3, 1n)] }),
  'an address of 22 bytes': rawData({ body: [owner, field(2, concat([address(2), Uint8Array.of(0)])), field(3, 1n)] }),
  'an address of another network': rawData({
    body: [owner, field(2, concat([Uint8Array.of(0xa0), address(2).subarray(1)])), field(3, 1n)],
  }),
  'an address that is text': rawData({ body: [owner, field(2, 'TA9pkx4DFxrEw8JZzUtyDrh2uAat1LDuJL'), field(3, 1n)] }),
  'a key without address': permissions(field(2, field(7, field(2, 1n)))),
  'a name that is no UTF-8': permissions(field(2, field(3, Uint8Array.of(0xc0, 0x80)))),
  'six keys': permissions(field(2, concat([1, 2, 3, 4, 5, 6].map((byte) => key(byte, 1n))))),
  'nine actives': permissions(...Array.from({ length: 9 }, () => ACTIVE)),
  '30,000 actives': permissions(...Array.from({ length: 30_000 }, () => field(4, ''))),
  '5,000 keys': permissions(field(4, concat(Array.from({ length: 5000 }, () => key(1, 1n))))),
  'the same field 60,000 times': rawData({ before: Array.from({ length: 60_000 }, () => field(8, 1n)) }),
  'messages in messages': Array.from({ length: 1000 }).reduce<Uint8Array>(
    (inner) => field(11, field(2, inner)),
    address(1),
  ),
  'a length behind the end': Uint8Array.of(0x0a, 0x7f, 1),
  'a length of 2^63 - 1': concat([Uint8Array.of(0x0a), varint(2n ** 63n - 1n), new Uint8Array(100)]),
  'a varint without end': new Uint8Array(100_000).fill(0xff),
  'ref_block_bytes of 3 bytes': rawData({ ref: [field(1, 'abc'), field(4, '12345678')] }),
  'ref_block_hash of 7 bytes': rawData({ ref: [field(1, 'ab'), field(4, '1234567')] }),
  'no reference block': rawData({ ref: [] }),
  'a whole transaction': field(1, rawData()),
  'a transaction that is signed already': concat([field(1, rawData()), field(2, new Uint8Array(65))]),
}

for (const [what, raw] of Object.entries(invalid)) it(`refuses ${what}`, () => refusedAs('INVALID_TRANSACTION', raw))

it('refuses contracts of other types', async () => {
  for (let type = 0n; type < 100n; type += 1n)
    if (!Object.hasOwn(NAMES, type.toString()))
      await refusedAs(
        'UNSUPPORTED_TRANSACTION_TYPE',
        rawData({ type, typeUrl: 'type.googleapis.com/protocol.TransferContract' }),
      )
})

it('says nothing of the input', async () => {
  const result = await parseTron(rawData({ typeUrl: 'type.googleapis.com/protocol.Secret' }))
  assert.ok(E.isLeft(result) && !result.left.message.includes('Secret'))
})

it.run()
