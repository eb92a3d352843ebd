import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { decodeUtf8, encodeUtf8 } from '../../../core/bytes.ts'
import type { Json } from '../../../core/failure.ts'
import { isPartName } from '../../../core/log/parts.ts'
import {
  decodePersonal,
  encodePersonal,
  personalPart,
  personOf,
  type Personal,
} from '../../../core/log/personal-part.ts'

const it = suite('a part with personal data')

const values = fc.array(fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as Json))
const part: fc.Arbitrary<Personal> = fc.record(
  { change: values, result: values, address: fc.string({ unit: 'binary' }) },
  { requiredKeys: [], noNullPrototype: true },
)

/** Nearly such a part: with other members, or with members of other kinds. */
const nearly = fc
  .dictionary(fc.constantFrom('change', 'result', 'address', 'other', '__proto__'), fc.jsonValue())
  .map((value) => encodeUtf8(JSON.stringify(value)))

const damaged = fc
  .tuple(part, fc.nat(200), fc.nat(3), fc.uint8Array({ maxLength: 3 }))
  .map(([given, at, taken, put]) => {
    const bytes = [...encodePersonal(given)]
    bytes.splice(at % (bytes.length + 1), taken, ...put)
    return new Uint8Array(bytes)
  })

it('is read as it was written', () =>
  fc.assert(
    fc.property(part, (given) => assert.equal(decodePersonal(encodePersonal(given)), given)),
    { numRuns: 1000 },
  ))

it('has its members in one order, and none that it does not need', () => {
  const text = (given: Personal) => decodeUtf8(encodePersonal(given))
  assert.is(text({ address: '192.0.2.7' }), '{"address":"192.0.2.7"}')
  assert.is(
    text({ address: 'a', result: [1], change: ['b', null] }),
    '{"change":["b",null],"result":[1],"address":"a"}',
  )
  assert.is(text({}), '{}')
})

it('is in its form or not read, whatever the bytes', () =>
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 100 }), fc.json().map(encodeUtf8), nearly, damaged), (bytes) => {
      const read = decodePersonal(bytes)
      if (read === undefined) return
      for (const list of [read.change, read.result]) assert.ok(list === undefined || Array.isArray(list))
      assert.ok(read.address === undefined || typeof read.address === 'string')
    }),
    { numRuns: 3000 },
  ))

it('is not read where it is something else', () => {
  for (const text of [
    '',
    'null',
    '[]',
    '1',
    '"x"',
    '{',
    '{"change":{}}',
    '{"result":"x"}',
    '{"address":null}',
    '{"change":null}',
  ])
    assert.is(decodePersonal(encodeUtf8(text)), undefined, text)
  assert.is(decodePersonal(Uint8Array.of(0x7b, 0xff, 0x7d)), undefined)
})

it('does not end the stack where it nests without end', () => {
  const deep = encodeUtf8(`{"change":${'['.repeat(200_000)}${']'.repeat(200_000)}}`)
  assert.not.throws(() => decodePersonal(deep))
})

it('is named after the person, and its name says whose it is', () =>
  fc.assert(
    fc.property(fc.uuid(), (userId) => {
      const name = personalPart(userId)
      assert.ok(isPartName(name))
      assert.is(personOf(name), userId)
    }),
  ))

it('is no part of another name', () => {
  for (const name of ['request', 'personal', 'person:x', 'xpersonal:x', '']) assert.is(personOf(name), undefined, name)
  for (const name of [
    'personal:',
    'personal:a b',
    'personal:"',
    `personal:${'a'.repeat(81)}`,
    'Personal:a',
    'personal:a:b',
  ])
    assert.is(isPartName(name), false, name)
})

it.run()
