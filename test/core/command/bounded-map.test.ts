import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { boundedMap } from '../../../core/command/bounded-map.ts'

const it = suite('bounded map')

it('forgets what was not used for longest, and tells of it', () => {
  const forgotten: string[] = []
  const map = boundedMap<string, string>(
    2,
    () => true,
    (value) => forgotten.push(value),
  )
  map.set('a', 'A')
  map.set('b', 'B')
  assert.is(map.get('a'), 'A')
  map.set('c', 'C')
  assert.equal([map.get('a'), map.get('b'), map.get('c')], ['A', undefined, 'C'])
  assert.equal(forgotten, ['B'])
})

it('keeps what must not be forgotten, even beyond its bound, and always what came last', () => {
  const map = boundedMap<string, string>(1, (value) => value === 'may go')
  map.set('a', 'stays')
  map.set('b', 'may go')
  assert.equal([...map.values()], ['stays', 'may go'])
  map.set('c', 'may go')
  assert.equal([...map.values()], ['stays', 'may go'])
  assert.is(map.get('c'), 'may go')
})

it('does not tell of what was taken out', () => {
  const forgotten: string[] = []
  const map = boundedMap<string, string>(
    2,
    () => true,
    (value) => forgotten.push(value),
  )
  map.set('a', 'A')
  map.delete('a')
  assert.equal([map.get('a'), map.size(), forgotten], [undefined, 0, []])
})

it.run()
