import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { barText, type Passed } from '../../../adapters/cli/progress.ts'

const it = suite('the progress bar')

const half: Passed = { total: 10_000n, done: 4_200n, count: 4_200, unit: 'events', elapsedMs: 2_000 }

const bar = (full: number, empty: number): string => `${'█'.repeat(full)}${'░'.repeat(empty)}`

it('says how much is done, how fast, and how long it takes', () => {
  assert.is(barText(half, 80), `${bar(16, 23)}   42 %  4,200 events  2,100/s  3 s left`)
  assert.is(barText({ ...half, elapsedMs: 10 }, 80), `${bar(17, 23)}   42 %  4,200 events`)
})

it('leaves out what does not fit', () => {
  assert.is(barText(half, 50), `${bar(8, 11)}   42 %  4,200 events  2,100/s`)
  assert.is(barText(half, 20), `${bar(5, 7)}   42 %`)
  assert.is(barText(half, 10), ' 42 %')
  assert.is(barText(half, 3), '')
})

it('is shorter than the terminal is wide, whatever the numbers', () => {
  const numbers = fc.record({
    total: fc.bigInt(0n, 2n ** 64n),
    done: fc.bigInt(0n, 2n ** 64n),
    count: fc.nat(),
    unit: fc.constantFrom('', 'events'),
    elapsedMs: fc.double({ min: 0, max: 1e12, noNaN: true }),
  })
  fc.assert(
    fc.property(numbers, fc.integer({ min: 1, max: 300 }), (passed, columns) => {
      const text = barText(passed, columns)
      return text.length < Math.max(2, columns) && !/NaN|Infinity|undefined/.test(text)
    }),
  )
})

it.run()
