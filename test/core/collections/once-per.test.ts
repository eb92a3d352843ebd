import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { oncePer } from '../../../core/collections/once-per.ts'

const it = suite('a function that is asked once per object')

it('is asked again for another object, even one that is alike, and never for the same', () => {
  const asked: object[] = []
  const lengthOf = oncePer((list: readonly number[]) => {
    asked.push(list)
    return list.length === 0 ? undefined : list.length
  })
  const [one, alike, none] = [[1, 2], [1, 2], []]
  for (const list of [one, alike, none, one, alike, none])
    assert.is(lengthOf(list), list.length === 0 ? undefined : list.length)
  assert.is(asked.length, 3)
})

it.run()
