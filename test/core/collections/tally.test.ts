import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { tally } from '../../../core/collections/tally.ts'

const it = suite('tally')

it('counts each name for itself', () => {
  const { counts, of, up } = tally()
  for (const name of ['a', 'b', 'a']) up(name)
  assert.equal([of('a'), of('b'), of('c')], [2, 1, 0])
  assert.equal(
    [...counts],
    [
      ['a', 2],
      ['b', 1],
    ],
  )
})

it('keeps nothing of a name that was counted down to zero', () => {
  const { counts, of, up, down } = tally()
  for (const count of [up, up, down]) count('a')
  assert.equal([...counts], [['a', 1]])
  down('a')
  assert.equal([of('a'), counts.size], [0, 0])
})

it('does not go below zero', () => {
  const { of, up, down } = tally()
  down('a')
  up('a')
  assert.is(of('a'), 1)
})

it('says what was counted up and not down again, in any order', () =>
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', '__proto__')), fc.func(fc.boolean()), (names, isOver) => {
      const { counts, of, up, down } = tally()
      names.forEach(up)
      names.filter((_, n) => isOver(n)).forEach(down)
      const left = names.filter((_, n) => !isOver(n))
      for (const name of names) assert.is(of(name), left.filter((each) => each === name).length)
      assert.equal(new Set(counts.keys()), new Set(left))
    }),
  ))

it.run()
