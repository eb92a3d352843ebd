import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { defaultLimits } from '../world/with-host.ts'
import type { Limits } from '../../../core/definition/limits.ts'
import { notedLimits } from '../../../core/definition/read-limits.ts'

const it = suite('limits that are noted')

it('are noted as they are read, in the order of their names, and nothing else is', () => {
  const { limits, read } = notedLimits({ ...defaultLimits, users: 7 })
  assert.is(read(), undefined)
  assert.equal([limits.users, limits.policies, limits.users], [7, 100, 7])
  assert.is('userTags' in limits, true)
  assert.is(String((limits as { readonly toString: unknown }).toString).includes('native'), true)
  assert.equal(Object.entries(read() ?? {}), [
    ['policies', 100],
    ['users', 7],
  ])
})

it('are noted however they are read', () => {
  for (const look of [
    (limits: Limits): unknown => ({ ...limits }).users,
    (limits: Limits): unknown => JSON.stringify(limits),
    (limits: Limits): unknown => Object.values(limits),
    (limits: Limits): unknown => Object.getOwnPropertyDescriptors(limits),
  ]) {
    const { limits, read } = notedLimits(defaultLimits)
    look(limits)
    assert.equal(Object.keys(read() ?? {}), Object.keys(defaultLimits).toSorted())
  }
})

it('cannot be changed by whoever reads them', () => {
  const all = { ...defaultLimits }
  assert.throws(() => Object.assign(notedLimits(all).limits, { users: 7 }))
  assert.is(all.users, 100)
})

it.run()
