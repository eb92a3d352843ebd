import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { boundedMap } from '../../../core/collections/bounded-map.ts'

const it = suite('bounded map')

it('forgets what was not used for longest, and tells of it', () => {
  const forgotten: string[] = []
  const map = boundedMap<string, string>(2, { onForgotten: (value) => forgotten.push(value) })
  map.set('a', 'A')
  map.set('b', 'B')
  assert.is(map.get('a'), 'A')
  map.set('c', 'C')
  assert.equal([map.get('a'), map.get('b'), map.get('c')], ['A', undefined, 'C'])
  assert.equal(forgotten, ['B'])
})

it('keeps what must not be forgotten, even beyond its bound, and always what came last', () => {
  const map = boundedMap<string, string>(1, { canForget: (value) => value === 'may go' })
  map.set('a', 'stays')
  map.set('b', 'may go')
  assert.equal([...map.values()], ['stays', 'may go'])
  map.set('c', 'may go')
  assert.equal([...map.values()], ['stays', 'may go'])
  assert.is(map.get('c'), 'may go')
})

it('does not tell of what was taken out', () => {
  const forgotten: string[] = []
  const map = boundedMap<string, string>(2, { onForgotten: (value) => forgotten.push(value) })
  map.set('a', 'A')
  map.delete('a')
  assert.equal([map.get('a'), map.size(), forgotten], [undefined, 0, []])
})

it('tells of what it forgot when that is gone already', () => {
  const seen: (string | undefined)[] = []
  const map = boundedMap<string, string>(2, { onForgotten: (value) => seen.push(map.get(value), map.get('b')) })
  for (const key of ['a', 'b', 'c']) map.set(key, key)
  assert.equal(seen, [undefined, 'b'])
})

it('passes over few of those that must not be forgotten, and forgets as many others as it has to', () => {
  const map = boundedMap<number, { readonly weight: number; readonly stays: boolean }>(40, {
    weightOf: ({ weight }) => weight,
    canForget: ({ stays }) => !stays,
  })
  for (let key = 0; key < 40; key += 1) map.set(key, { weight: 1, stays: key < 10 })
  map.set(40, { weight: 30, stays: false })
  assert.equal([map.size(), map.get(9)?.stays, map.get(39), map.get(40)?.weight], [11, true, undefined, 30])

  const full = boundedMap<number, number>(16, { canForget: (value) => value >= 16 })
  for (let key = 0; key < 18; key += 1) full.set(key, key)
  assert.is(full.size(), 18)
})

type Step = { readonly do: 'set' | 'get' | 'delete'; readonly key: number; readonly weight: number }

const anySteps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    do: fc.constantFrom('set', 'set', 'get', 'delete'),
    key: fc.nat(15),
    weight: fc.integer({ min: 1, max: 12 }),
  }),
  { maxLength: 200 },
)

/** The steps that set what such a map has, the least recently used first: found out anew for each step. */
const afterwards = (kept: readonly Step[], step: Step, weightMax: number): readonly Step[] => {
  const [others, own] = [kept.filter(({ key }) => key !== step.key), kept.find(({ key }) => key === step.key)]
  if (step.do === 'get') return own === undefined ? kept : [...others, own]
  if (step.do === 'delete' || step.weight > weightMax) return others
  const all = [...others, step]
  const isLight = (from: number): boolean => all.slice(from).reduce((sum, { weight }) => sum + weight, 0) <= weightMax
  return all.slice(all.findIndex((_, from) => isLight(from)))
}

it('has what was used last, as far as that weighs no more than its bound, and nothing else', () =>
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), anySteps, (weightMax, steps) => {
      const map = boundedMap<number, Step>(weightMax, { weightOf: ({ weight }) => weight })
      let expected: readonly Step[] = []
      for (const step of steps) {
        if (step.do === 'set') map.set(step.key, step)
        else if (step.do === 'delete') map.delete(step.key)
        else
          assert.is(
            map.get(step.key),
            expected.find(({ key }) => key === step.key),
          )
        expected = afterwards(expected, step, weightMax)
        assert.is(map.size(), expected.length)
        assert.equal(new Set(map.values()), new Set(expected))
      }
    }),
  ))

it('weighs by value and key, once for each value', () => {
  let asked = 0
  const weightOf = (value: string, key: string): number => {
    asked += 1
    return value.length + key.length
  }
  const map = boundedMap<string, string>(6, { weightOf })
  map.set('key', 'val')
  assert.is(map.get('key'), 'val')
  map.set('k', 'v')
  assert.equal([map.get('key'), map.get('k'), asked], [undefined, 'v', 2])
})

it('gives the last value of a key', () => {
  const map = boundedMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  map.set('c', 3)
  map.set('a', 4)
  assert.is(map.get('a'), 4)
})

it('forgets what is too heavy for it, and what it had under the same key', () => {
  const map = boundedMap<string, string>(3, { weightOf: (text) => text.length })
  map.set('a', 'A')
  map.set('a', 'AAAA')
  assert.is(map.get('a'), undefined)
})

it('forgets at once what it is told to, and everything', () => {
  const map = boundedMap<string, number>(3)
  for (const [value, key] of ['a', 'b', 'c'].entries()) map.set(key, value)
  map.delete('a')
  map.delete('c')
  assert.equal(['a', 'b', 'c'].map(map.get), [undefined, 1, undefined])
  map.clear()
  for (const [value, key] of ['a', 'b', 'c', 'd'].entries()) map.set(key, value)
  assert.equal([map.size(), ...map.values()], [3, 1, 2, 3])
})

it.run()
