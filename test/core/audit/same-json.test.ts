import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isSame } from '../../../core/audit/same-json.ts'

const it = suite('the same JSON')

const value = fc.anything({ withDate: true, withNullPrototype: true, maxDepth: 3, maxKeys: 3 })

it('is what is written alike, of any two values', () =>
  fc.assert(
    fc.property(value, value, (a, b) => assert.is(isSame(a, b), JSON.stringify(a) === JSON.stringify(b))),
    { numRuns: 500 },
  ))

it('is a value and what is read of its text', () =>
  fc.assert(fc.property(fc.jsonValue(), (a) => assert.ok(isSame(a, JSON.parse(JSON.stringify(a)))))))

for (const [why, a, b] of [
  ['members in another order', { a: 1, b: 2 }, { b: 2, a: 1 }],
  ['one member more', { a: 1 }, { a: 1, b: 2 }],
  ['another value inside', { a: [{ b: 1 }] }, { a: [{ b: 2 }] }],
  ['a list in place of an object', {}, []],
  ['two instants', new Date(0), new Date(1)],
] as const)
  it(`is not ${why}`, () => assert.not.ok(isSame(a, b)))

it.run()
