import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decodeHex } from '../../../core/bytes.ts'
import { decodeCbor, decodeFirstCbor, decodeFlatMap, type CborValue } from '../../../core/stamp/cbor.ts'
import { encodeCbor } from '../world/encode-cbor.ts'

const it = suite('CBOR')

const hex = (text: string): Uint8Array => decodeHex(text) ?? new Uint8Array()

const { value } = fc.letrec<{ value: CborValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.integer({ min: -0x1_0000_0000, max: 0xffff_ffff }),
    fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed()),
    fc.boolean(),
    fc.constant(null),
    fc.uint8Array({ maxLength: 300 }).map((bytes) => new Uint8Array(bytes)),
    fc.array(tie('value'), { maxLength: 30 }),
    fc
      .uniqueArray(fc.tuple(fc.oneof(fc.integer({ min: -300, max: 300 }), fc.string()), tie('value')), {
        selector: ([name]) => name,
        maxLength: 30,
      })
      .map((members) => new Map(members)),
  ),
}))

it('is read as it was written, to the last byte', () => {
  fc.assert(
    fc.property(value, fc.uint8Array({ minLength: 1, maxLength: 4 }), (written, behind) => {
      const bytes = encodeCbor(written)
      assert.equal(decodeCbor(bytes), written)
      const longer = new Uint8Array([...bytes, ...behind])
      assert.is(decodeCbor(longer), undefined)
      assert.equal(decodeFirstCbor(longer), { value: written, length: bytes.length })
    }),
  )
})

it('is not read where it is cut', () => {
  fc.assert(
    fc.property(value, fc.nat(), (written, at) => {
      const bytes = encodeCbor(written)
      assert.is(decodeCbor(bytes.subarray(0, at % bytes.length)), undefined)
    }),
  )
})

for (const [what, text] of [
  ['a number that is longer than it needs', '1817'],
  ['a length that is longer than it needs', '580101'],
  ['a number of 64 bits', '1b0000000100000000'],
  ['a name twice', 'a201000100'],
  ['a name that is a list', 'a18000'],
  ['a map without an end', 'bf0100ff'],
  ['bytes without an end', '5f4101ff'],
  ['a tag', 'c100'],
  ['a fraction', 'f93c00'],
  ['undefined', 'f7'],
  ['a text that is no UTF-8', '61ff'],
  ['a list that is longer than the bytes', '9affffffff00'],
  ['a list nine deep', '81818181818181818100'],
] as const)
  it(`refuses ${what}`, () => assert.is(decodeCbor(hex(text)), undefined))

it('reads a list eight deep', () => assert.ok(decodeCbor(hex('818181818181818100'))))

it('reads flat maps of numbers and bytes only', () => {
  assert.equal(decodeFlatMap(hex('a2012620410a')), new Map<number, number | Uint8Array>([[1, -7], [-1, hex('0a')]])) // prettier-ignore
  for (const text of ['a1616100', 'a1016161', 'a10180', 'a101a0', 'a101f6', '80', '00', ''])
    assert.is(decodeFlatMap(hex(text)), undefined, text)
})

it('never throws, whatever the bytes are', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      decodeCbor(bytes)
      return true
    }),
    { numRuns: 2_000 },
  )
})

it.run()
