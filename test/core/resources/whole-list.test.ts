import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { wholeList } from '../../../core/resources/whole-list.ts'
import { codeOf, right } from '../world/world.ts'

const it = suite('a list that is not paged')

const rows = (size: number): ReadonlyMap<string, number> => new Map(Array.from({ length: size }, (_, n) => [`${n}`, n]))

it('has every row as it is shown', async () => {
  assert.equal(right(await wholeList('users', rows(3), (n) => 10 * n)()), { users: [0, 10, 20] })
  assert.equal(right(await wholeList('users', rows(0), (n) => n)()), { users: [] })
})

it('is refused where writing it would keep everybody waiting', async () => {
  assert.is(codeOf(await wholeList('users', rows(10_000), (n) => n)()), 'no failure')
  assert.is(codeOf(await wholeList('users', rows(10_001), (n) => n)()), 'REQUEST_TOO_LARGE')
})

it.run()
