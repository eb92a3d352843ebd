import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nearestOf } from '../../core/nearest.ts'

const it = suite('nearest name')

const names = ['gas', 'gas_price', 'max_fee_per_gas', 'to', 'from', 'function_name', 'resource', 'type']

for (const [wrong, right] of [
  ['gasPrice', 'gas_price'],
  ['resorce', 'resource'],
  ['Resource', 'resource'],
  ['maxFeePerGas', 'max_fee_per_gas'],
  ['fron', 'from'],
  ['form', 'from'],
  ['tpye', 'type'],
  ['functon_nmae', 'function_name'],
  ['x', undefined],
  ['ot', undefined],
  ['value', undefined],
  ['recipient', undefined],
  ['', undefined],
  ['_', undefined],
  ['gas_price'.repeat(10), undefined],
] as const)
  it(`finds ${right ?? 'none'} for '${wrong}'`, () => assert.is(nearestOf(wrong, names), right))

/** The distance by its definition. */
const naive = (a: string, b: string): number => {
  if (a === '' || b === '') return a.length + b.length
  const [x, y] = [a.slice(1), b.slice(1)]
  const swapped =
    a.length > 1 && b.length > 1 && a[0] === b[1] && a[1] === b[0] ? 1 + naive(a.slice(2), b.slice(2)) : 99
  return Math.min(naive(x, y) + (a[0] === b[0] ? 0 : 1), naive(x, b) + 1, naive(a, y) + 1, swapped)
}

it('counts letters that are added, left out, changed or swapped', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(word, word, (wrong, name) => {
      const isNear = name !== wrong && naive(wrong, name) <= Math.floor(wrong.length / 3)
      assert.is(nearestOf(wrong, [name]), isNear ? name : undefined)
    }),
    { numRuns: 500 },
  )
})

it.run()
