import { base58 } from '@scure/base'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { concat, encodeHex } from '../../../core/bytes.ts'
import type { Json } from '../../../core/failure.ts'
import { bytes } from '../keys/keys.ts'
import { arg, argsOf, defined, idlOf, order, parsedOf, point, structOf, txOf } from './anchor-idls.ts'
import { otherAddress, SYSTEM } from './solana-transactions.ts'

const it = suite('data of Anchor instructions')

const key = otherAddress(5)
const keyHex = encodeHex(base58.decode(key))

/** A type, the bytes of a value, and what policies see. */
const values: readonly (readonly [Json, string, unknown, Json?])[] = [
  ['bool', '00', false],
  ['bool', '01', true],
  ['u8', 'ff', 255n],
  ['i8', 'ff', -1n],
  ['u16', '0102', 513n],
  ['i16', 'feff', -2n],
  ['u32', '00000080', 2_147_483_648n],
  ['i32', '00000080', -2_147_483_648n],
  ['u64', 'ffffffffffffffff', 2n ** 64n - 1n],
  ['i64', '0000000000000080', -(2n ** 63n)],
  ['u128', 'ff'.repeat(16), 2n ** 128n - 1n],
  ['i128', `${'00'.repeat(15)}80`, -(2n ** 127n)],
  ['f32', '0000003f', '0.5'],
  ['f64', '000000000000f83f', '1.5'],
  ['f64', '0000000000000080', '-0'],
  ['f64', '000000000000f0ff', '-Infinity'],
  ['publicKey', keyHex, key],
  ['pubkey', '00'.repeat(32), SYSTEM],
  ['bytes', '0200000000ff', '00ff'],
  ['bytes', '00000000', ''],
  ['string', '03000000e282ac', '€'],
  ['string', '04000000efbbbf61', '\u{feff}a'],
  [{ vec: 'u8' }, '020000000107', [1n, 7n]],
  [{ vec: { vec: 'bool' } }, '02000000000000000100000001', [[], [true]]],
  [{ array: ['u16', 2] }, '01000200', [1n, 2n]],
  [{ array: ['u16', 0] }, '', []],
  [{ option: 'u8' }, '0105', 5n],
  [{ option: { array: ['u8', 2] } }, '010506', [5n, 6n]],
  [{ vec: { option: 'u8' } }, '02000000000105', [{}, 5n]],
  [defined('Point'), '0701feff', { left: 7n, right: -2n }, [point]],
  [{ defined: { name: 'Point' } }, '0700', { left: 7n }, [point]],
  [{ defined: { name: 'Point', generics: [] } }, '0700', { left: 7n }, [point]],
  [defined('Pair'), '0102', [1n, 2n], [structOf('Pair', ['u8', 'u8'])]],
  [defined('Nothing'), '', [], [structOf('Nothing')]],
  [defined('Nothing'), '', [], [structOf('Nothing', [])]],
  [defined('Old'), '05', 5n, [{ name: 'Old', type: { kind: 'alias', value: 'u8' } }]],
  [defined('New'), '05', 5n, [{ name: 'New', type: { kind: 'type', alias: 'u8' } }]],
  [defined('Order'), '00', { name: 'Market' }, [order]],
  [defined('Order'), '010500', { name: 'Limit', Limit: [5n, {}] }, [order]],
  [defined('Order'), '01050106', { name: 'Limit', Limit: [5n, 6n] }, [order]],
  [defined('Order'), '020001', { name: 'Stop', Stop: { price: 256n } }, [order]],
]
for (const [type, data, expected, types = []] of values)
  it(`reads ${JSON.stringify(type)} of ${data === '' ? 'no bytes' : data}`, async () =>
    assert.equal(await argsOf(idlOf(arg(type), types), data), { x: expected }))

it('leaves out the member of an option without a value', async () =>
  assert.equal(await argsOf(idlOf(arg({ option: 'u8' })), '00'), {}))

/** Data that is no value of the type, or not written as Borsh writes it. */
const unreadable: readonly (readonly [string, Json, string, Json?])[] = [
  ['a boolean of 2', 'bool', '02'],
  ['an option of 2', { option: 'u8' }, '0205'],
  ['a byte behind the arguments', 'u8', '0505'],
  ['a byte less', 'u16', '05'],
  ['no byte', 'bool', ''],
  ['half a key', 'publicKey', '00'.repeat(16)],
  ['a text that is not UTF-8', 'string', '01000000ff'],
  ['half a surrogate', 'string', '03000000eda080'],
  ['an overlong text', 'string', '02000000c080'],
  ['a text that ends too early', 'string', '0500000061'],
  ['half a length', 'bytes', '0100'],
  ['four thousand millions of bytes', 'bytes', 'ffffffff00'],
  ['four thousand millions of items', { vec: 'u8' }, 'ffffffff00'],
  ['an array that ends too early', { array: ['u8', 3] }, '0102'],
  ['an array of four thousand millions', { array: ['u8', 2 ** 32 - 1] }, '0102'],
  ['what is not a number, of 4 bytes', 'f32', '0000c07f'],
  ['what is not a number, of 8 bytes', 'f64', '010000000000f07f'],
  ['a variant that is not there', defined('Order'), '03', [order]],
  ['a variant whose fields are not there', defined('Order'), '01', [order]],
]
for (const [name, type, data, types = []] of unreadable)
  it(`shows no arguments for ${name}`, async () => assert.is(await argsOf(idlOf(arg(type), types), data), undefined))

it('reads no instruction whose discriminator it does not know, or only the beginning of', async () => {
  const idl = JSON.stringify({
    instructions: [{ name: 'a', discriminator: [1, 2], accounts: [], args: [] }],
    types: [],
  })
  assert.is(await parsedOf(idl, '0103'), undefined)
  assert.is(await parsedOf(idl, '01'), undefined)
  assert.is(await parsedOf(idl, ''), undefined)
  assert.ok((await parsedOf(idl, '0102')) !== undefined)
})

it('bounds the values without bytes of all instructions together', async () => {
  const types = Array.from({ length: 20 }, (_, at) =>
    structOf(`T${at}`, at === 0 ? [] : [defined(`T${at - 1}`), defined(`T${at - 1}`)]),
  )
  assert.is(await argsOf(idlOf(arg(defined('T19')), types), ''), undefined)
  const idl = idlOf(arg(defined('T10')), types) // 2047 values
  const { instructions } = await txOf(
    idl,
    Array.from({ length: 5 }, () => [2, [], '01'] as const),
  )
  assert.equal(
    instructions.map((instruction) => 'parsed_instruction_data' in instruction),
    [true, true, true, true, false],
  )
})

it('never throws for any data', async () => {
  const idl = idlOf(
    [
      { name: 'a', type: { vec: defined('Order') } },
      { name: 'b', type: { option: defined('Point') } },
      { name: 'c', type: 'string' },
    ],
    [order, point],
  )
  const sample = concat([bytes('0102000000010500020001010701feff0100000061')])
  assert.ok((await parsedOf(idl, encodeHex(sample))) !== undefined)
  for (let at = 0; at < sample.length; at += 1) {
    const changed = sample.slice()
    changed[at] = 0xff
    await parsedOf(idl, encodeHex(changed))
    await parsedOf(idl, encodeHex(sample.subarray(0, at)))
  }
})

it.run()
