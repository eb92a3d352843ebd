import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parsePath, PATH_LEVELS_MAX } from '../../../core/keys/path.ts'

const it = suite('key path')

it('reads indexes and which of them are hardened', () =>
  assert.equal(parsePath("m/44'/60'/0'/0/2147483647"), {
    indexes: [44, 60, 0, 0, 2_147_483_647],
    hardened: [true, true, true, false, false],
  }))

it('reads the root', () => assert.equal(parsePath('m'), { indexes: [], hardened: [] }))

for (const text of [
  '',
  'm/',
  '/0',
  '0/1',
  'M/0',
  'm//0',
  'm/0/',
  'm/00',
  'm/01',
  'm/-1',
  'm/+1',
  'm/1.0',
  'm/1e3',
  'm/0x1',
  "m/0''",
  'm/0h',
  'm/0H',
  'm/0’',
  "m/'",
  'm/ 0',
  'm/0 ',
  'm/0\n',
  'm/2147483648',
  "m/2147483648'",
  'm/99999999999',
  'm/٣',
])
  it(`refuses ${JSON.stringify(text)}`, () => assert.is(parsePath(text), undefined))

it('reads as many levels as a key of BIP-32 can say, and no more', () => {
  assert.is(parsePath(`m${'/0'.repeat(PATH_LEVELS_MAX)}`)?.indexes.length, 255)
  assert.is(parsePath(`m${'/0'.repeat(PATH_LEVELS_MAX + 1)}`), undefined)
  assert.is(parsePath(`m${'/0'.repeat(100_000)}`), undefined)
})

it.run()
