import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  concat,
  decodeBase64,
  decodeCanonicalBase64,
  decodeHex,
  decodeLatin1,
  decodeUtf8,
  encodeBase64,
  encodeBase64Url,
  encodeHex,
  encodeUtf8,
  equal,
} from '../../core/bytes.ts'

const it = suite('bytes')

it('spells bytes as the platform does', () =>
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      const buffer = Buffer.from(bytes)
      assert.is(encodeHex(bytes), buffer.toString('hex'))
      assert.is(encodeBase64(bytes), buffer.toString('base64'))
      assert.is(encodeBase64Url(bytes), buffer.toString('base64url'))
    }),
  ))

it('reads what it spelled', () =>
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      assert.equal(decodeHex(encodeHex(bytes)), bytes)
      assert.equal(decodeHex(encodeHex(bytes).toUpperCase()), bytes)
      assert.equal(decodeBase64(encodeBase64(bytes)), bytes)
      assert.equal(decodeBase64(encodeBase64Url(bytes)), bytes)
      assert.equal(decodeCanonicalBase64(encodeBase64(bytes)), bytes)
    }),
  ))

it('reads base64 to the same bytes as the platform, or not at all', () =>
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'AQgw/+-_= \n%é'), maxLength: 12 }), (text) => {
      const bytes = decodeBase64(text)
      if (bytes !== undefined) assert.equal(bytes, new Uint8Array(Buffer.from(text, 'base64')))
    }),
  ))

it('reads bytes of which each was a character', () =>
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) =>
      assert.equal(decodeLatin1(Buffer.from(bytes).toString('latin1')), bytes),
    ),
  ))

it('gives bytes one canonical spelling', () =>
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'AQgw/+-_='), maxLength: 12 }), (text) => {
      const bytes = decodeCanonicalBase64(text)
      if (bytes !== undefined) assert.is(encodeBase64(bytes), text)
    }),
  ))

for (const [text, why] of [
  ['0', 'an odd number of digits'],
  ['0x00', 'a prefix'],
  ['3044zz', 'a character that is no digit'],
  ['00 0', 'a space'],
  ['0\u0130', 'a character beyond ASCII'],
] as const)
  it(`refuses hex with ${why}`, () => assert.is(decodeHex(text), undefined))

for (const [text, why] of [
  ['A', 'a single character'],
  ['QUJ', 'bits set behind the last byte'],
  ['QR==', 'bits set behind the last byte, padded'],
  ['QQ=', 'half of its padding'],
  ['QQ===', 'too much padding'],
  ['QUJD====', 'padding that it does not need'],
  ['Q=Q=', 'padding inside'],
  ['QUJD QUJD', 'a space'],
  ['QUJD\n', 'a line feed'],
  ['QUJD,QUJD', 'a comma, as two headers joined have'],
  ['QUJ\u0151', 'a character beyond ASCII'],
] as const)
  it(`refuses base64 with ${why}`, () => assert.is(decodeBase64(text), undefined))

for (const [text, why] of [
  ['_-8=', 'the other alphabet'],
  ['QQ', 'no padding'],
] as const)
  it(`refuses canonical base64 with ${why}`, () => {
    assert.is.not(decodeBase64(text), undefined)
    assert.is(decodeCanonicalBase64(text), undefined)
  })

it('reads UTF-8, and nothing that is not', () => {
  assert.is(decodeUtf8(encodeUtf8('Ünïcødé 🙂 \u0000')), 'Ünïcødé 🙂 \u0000')
  assert.is(decodeUtf8(Uint8Array.of(0xc0, 0xaf)), undefined)
  assert.is(decodeUtf8(Uint8Array.of(0xed, 0xa0, 0x80)), undefined)
  assert.is(decodeUtf8(Uint8Array.of(0xe2, 0x82)), undefined)
})

it('keeps a byte order mark', () => assert.is(decodeUtf8(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61)), '\ufeffa'))

it('joins and compares bytes', () => {
  const joined = concat([Uint8Array.of(1), new Uint8Array(0), Uint8Array.of(2, 3)])
  assert.ok(equal(joined, Uint8Array.of(1, 2, 3)))
  assert.not.ok(equal(joined, Uint8Array.of(1, 2, 4)))
  assert.not.ok(equal(joined, Uint8Array.of(1, 2)))
})

it.run()
