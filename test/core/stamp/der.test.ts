import { p256 } from '@noble/curves/nist.js'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decodeHex, encodeHex } from '../../../core/bytes.ts'
import { encodeDer, normalizeDer, parseDer } from '../../../core/stamp/der.ts'

const it = suite('der')

const P256 = 'API_KEY_CURVE_P256'
const N = 'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551'
const N_LESS_ONE = 'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632550'

const bytes = (hex: string): Uint8Array => {
  const decoded = decodeHex(hex.replaceAll(' ', ''))
  if (decoded === undefined) throw new Error('bad hex in a test')
  return decoded
}
const normalized = (hex: string): string | undefined => {
  const der = normalizeDer(P256, bytes(hex))
  return der && encodeHex(der)
}
const zeros = (count: number): string => '00'.repeat(count)

it('reads the pair of a signature', () =>
  assert.is(encodeHex(parseDer(P256, bytes('3006 020101 020102')) ?? new Uint8Array()), `${zeros(31)}01${zeros(31)}02`))

it('leaves strict DER as it is', () =>
  fc.assert(
    fc.property(scalar(), scalar(), (r, s) => {
      const der = new p256.Signature(r, s).toHex('der')
      assert.is(normalized(der), der)
    }),
  ))

it('hands on strict DER without a copy, wherever a zero stands for the sign', () => {
  for (const r of [1n, 0x7fn, 0x80n, 0x81n, 0xffn, 0x100n, 0x7fffn, 0x8000n, BigInt(`0x${N_LESS_ONE}`)])
    for (const s of [1n, 0x7fn, 0x80n, 0x81n]) {
      const signature = new p256.Signature(r, s)
      const der = signature.toBytes('der')
      assert.is(normalizeDer(P256, der), der)
      assert.equal(encodeDer(signature.toBytes('compact')), Uint8Array.from(der))
    }
})

it('writes a pair as strict DER', () =>
  fc.assert(
    fc.property(scalar(), scalar(), (r, s) => {
      const signature = new p256.Signature(r, s)
      assert.is(encodeHex(encodeDer(signature.toBytes('compact'))), signature.toHex('der'))
    }),
  ))

it('accepts surplus leading zeros up to 33 bytes, and takes them away', () => {
  assert.is(normalized('3008 02020001 02020002'), '3006020101020102')
  assert.is(normalized('3007 02020001 020102'), '3006020101020102')
  assert.is(normalized('3007 020101 02020002'), '3006020101020102')
  assert.is(normalized(`3026 0221${zeros(32)}01 020102`), '3006020101020102')
  assert.is(normalized(`3046 0221${zeros(32)}01 0221${zeros(32)}02`), '3006020101020102')
})

it('accepts r and s just below the order', () => {
  const der = `3046 022100${N_LESS_ONE} 022100${N_LESS_ONE}`
  assert.is(normalized(der), der.replaceAll(' ', ''))
})

for (const [hex, why] of [
  ['', 'nothing'],
  ['30', 'a tag alone'],
  ['3000', 'an empty sequence'],
  ['3106 020101 020102', 'another tag than a sequence'],
  ['3006 030101 020102', 'another tag than an integer'],
  ['3006 020101 030102', 'another tag than an integer for s'],
  ['3003 020101', 'no s'],
  ['3006 020101 020102 00', 'a byte behind the end'],
  ['3007 020101 020102 00', 'a byte behind s, inside'],
  ['3009 020101 020102 020103', 'a third integer'],
  ['3005 020101 020102', 'a length that is too short'],
  ['3007 020101 020102', 'a length that is too long'],
  ['308106 020101 020102', 'a long-form length'],
  ['30800 2010102 01020000', 'an indefinite length'],
  ['3007 02810101 020102', 'a long-form length of r'],
  ['3005 0200 020102', 'an empty r'],
  ['3005 020101 0200', 'an empty s'],
  ['3006 020100 020102', 'r = 0'],
  ['3006 020101 020100', 's = 0'],
  [`3025 020100 0220${'7f'.repeat(32)}`, 'r = 0 beside a long s'],
  [`3025 0220${'7f'.repeat(32)} 020100`, 's = 0 beside a long r'],
  ['3006 020181 020102', 'a negative r'],
  ['3006 020101 020182', 'a negative s'],
  ['3006 020180 020102', 'the least r that is negative'],
  ['3006 020101 020180', 'the least s that is negative'],
  ['3006 0201ff 020102', 'r = -1'],
  [`3026 022100${N} 020101`, 'r = n'],
  [`3026 020101 022100${N}`, 's = n'],
  [`3026 022100${'ff'.repeat(32)} 020101`, 'r = 2^256 - 1'],
  [`3026 022101${zeros(32)} 020101`, 'r = 2^256'],
  [`3027 0222${zeros(33)}01 020102`, 'an integer of 34 bytes'],
  ['3006 027f01 020102', 'an r that reaches behind the end'],
  ['3006 020301 020102', 'an r that takes the place of s'],
] as const)
  it(`refuses ${why}`, () => assert.is(normalized(hex), undefined))

it('refuses s between the orders of the two curves on the one whose order is smaller', () => {
  const der = `3026 020101 022100${N}`
  assert.is(normalizeDer('API_KEY_CURVE_SECP256K1', bytes(der))?.length, 40)
  assert.is(normalizeDer(P256, bytes(der)), undefined)
})

it('never throws', () =>
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 80 }), almostDer()), (signature) => {
      const der = normalizeDer(P256, signature)
      if (der !== undefined) assert.equal(normalizeDer(P256, der), der)
    }),
    { numRuns: 5000 },
  ))

const scalar = (): fc.Arbitrary<bigint> => fc.oneof(fc.bigInt(1n, 300n), fc.bigInt(1n, BigInt(`0x${N_LESS_ONE}`)))

const almostDer = (): fc.Arbitrary<Uint8Array> =>
  fc.tuple(scalar(), scalar(), fc.nat(80), fc.nat(255)).map(([r, s, at, byte]) => {
    const der = new p256.Signature(r, s).toBytes('der')
    der[at % der.length] = byte
    return der
  })

it.run()
