import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { recentMap } from '../../../core/command/recent-map.ts'

const it = suite('recent map')

it('has the newest entries, and no more than twice as many', () =>
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), fc.array(fc.nat(60), { maxLength: 200 }), (min, keys) => {
      const map = recentMap<number, number>(min)
      keys.forEach((key, at) => map.set(key, at))
      const newest = new Set(keys.slice(-min))
      for (const key of newest) assert.is(map.get(key), keys.lastIndexOf(key))
      const kept = [...new Set(keys)].filter((key) => map.get(key) !== undefined)
      assert.ok(kept.length <= 2 * min)
    }),
  ))

it('gives the last value of a key, also where an older one is of another generation', () => {
  const map = recentMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  map.set('a', 3)
  assert.is(map.get('a'), 3)
})

it('forgets at once what it is told to, young or old', () => {
  const map = recentMap<string, number>(2)
  for (const [value, key] of ['a', 'b', 'c'].entries()) map.set(key, value)
  map.deleteWhere((value) => value !== 1)
  assert.equal(['a', 'b', 'c'].map(map.get), [undefined, 1, undefined])
})

it.run()
