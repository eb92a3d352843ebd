import fc from 'fast-check'
import * as t from 'io-ts'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isUuid, refined, Uuid } from '../../../core/codec/codec.ts'
import { E } from '../../../core/prelude.ts'

const it = suite('codec')

const FORM = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** UUIDs in either case, most of them with one character too few, too many or another one. */
const nearlyUuid = fc
  .tuple(fc.uuid(), fc.boolean(), fc.nat(37), fc.constantFrom('', 'g', 'G', '-', '0', 'F', '\n', 'ı', 'K'), fc.nat(1))
  .map(([uuid, isUpper, at, other, taken]) => {
    const text = isUpper ? uuid.toUpperCase() : uuid
    return text.slice(0, at) + other + text.slice(at + taken)
  })

it('takes for a UUID what is in its form, and decodes the same to lower case', () =>
  fc.assert(
    fc.property(fc.oneof(fc.uuid(), nearlyUuid, fc.string()), (text) => {
      const expected = FORM.test(text)
      assert.equal([isUuid(text), Uuid.is(text)], [expected, expected])
      const decoded = Uuid.decode(text)
      assert.is(E.isRight(decoded) ? decoded.right : undefined, expected ? text.toLowerCase() : undefined)
    }),
  ))

it('takes a value for refined where it can be decoded', () => {
  const Short = refined(t.string, 'a short text', (text) => text.length < 3)
  for (const value of ['', 'ab', 'abc', 1, null, undefined])
    assert.is(Short.is(value), E.isRight(Short.decode(value)), String(value))
})

it.run()
