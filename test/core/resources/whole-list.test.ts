import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { wholeList } from '../../../core/resources/whole-list.ts'
import { isRefusal } from '../../../core/definition/refuse.ts'

const it = suite('a list that is not paged')

const rows = (size: number): ReadonlyMap<string, number> => new Map(Array.from({ length: size }, (_, n) => [`${n}`, n]))

it('has every row as it is shown', () => {
  assert.equal(
    wholeList('users', rows(3), (n) => 10 * n),
    { users: [0, 10, 20] },
  )
  assert.equal(
    wholeList('users', rows(0), (n) => n),
    { users: [] },
  )
})

it('is refused where writing it would keep everybody waiting', () => {
  assert.is(wholeList('users', rows(10_000), (n) => n).users.length, 10_000)
  assert.throws(
    () => wholeList('users', rows(10_001), (n) => n),
    (thrown: unknown) => isRefusal(thrown) && thrown.code === 'REQUEST_TOO_LARGE',
  )
})

it.run()
