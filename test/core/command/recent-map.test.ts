import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { recentMap } from '../../../core/command/recent-map.ts'

const it = suite('recent map')

type Step = { readonly key: number; readonly weight: number; readonly isSet: boolean }

const anySteps = fc.array(
  fc.record({ key: fc.nat(30), weight: fc.integer({ min: 1, max: 12 }), isSet: fc.boolean() }),
  { maxLength: 200 },
)

/** Keys that were set or asked for last, newest first, as far as they weigh no more than a generation. */
const newestOf = (steps: readonly Step[], weights: ReadonlyMap<number, number>, generation: number): number[] => {
  const newest: number[] = []
  let weight = 0
  for (const { key } of steps.toReversed()) {
    if (newest.includes(key)) continue
    const own = weights.get(key) ?? 0
    if (own === 0 || own > generation) continue
    weight += own
    if (weight > generation) break
    newest.push(key)
  }
  return newest
}

it('has what was used last, up to the weight of a generation, and never more than two of them', () =>
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), anySteps, (generation, steps) => {
      const map = recentMap<number, { readonly weight: number }>(generation, ({ weight }) => weight)
      const weights = new Map<number, number>()
      const used: Step[] = []
      for (const step of steps) {
        if (step.isSet) {
          map.set(step.key, step)
          weights.set(step.key, step.weight)
          used.push(step)
        } else if (map.get(step.key) !== undefined) used.push(step)
      }
      for (const key of newestOf(used, weights, generation)) assert.is(map.get(key)?.weight, weights.get(key))
    }),
  ))

it('never weighs more than two generations', () =>
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), anySteps, (generation, steps) => {
      const map = recentMap<number, { readonly weight: number }>(generation, ({ weight }) => weight)
      for (const step of steps) map.set(step.key, step)
      const values = Array.from({ length: 31 }, (_, key) => map.get(key)) // at first sight of all
      const weight = values.reduce((sum, value) => sum + (value?.weight ?? 0), 0)
      assert.ok(weight <= 2 * generation, `${weight} of ${generation}`)
    }),
  ))

it('gives the last value of a key, also where an older one is of another generation', () => {
  const map = recentMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  map.set('c', 3)
  map.set('a', 4)
  assert.is(map.get('a'), 4)
})

it('forgets what is too heavy for it, and what it had under the same key', () => {
  const map = recentMap<string, string>(3, (text) => text.length)
  map.set('a', 'A')
  map.set('a', 'AAAA')
  assert.is(map.get('a'), undefined)
})

it('forgets at once what it is told to, young or old', () => {
  const map = recentMap<string, number>(2)
  for (const [value, key] of ['a', 'b', 'c'].entries()) map.set(key, value)
  map.delete('a')
  map.delete('c')
  assert.equal(['a', 'b', 'c'].map(map.get), [undefined, 1, undefined])
})

it.run()
