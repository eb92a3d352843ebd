import { tmpdir } from 'node:os'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { bytesNeeded, freeBytes, isCopied, lackOfSpace, storeBytes, type Size } from './disk.ts'

const it = suite('the disk that histories need')

const one = (activities: number): Size => ({ activities, organizations: 1 })
const [small, large] = [one(1_000_000), one(10_000_000)]

it('needs little more than nothing for nothing', () => assert.ok(bytesNeeded([], []) < 1e9))

it('needs a copy of a history beside it, but none of a very large one', () => {
  assert.ok(isCopied(storeBytes(small)))
  assert.not(isCopied(storeBytes(large)))
  assert.ok(bytesNeeded([small], []) >= 2 * storeBytes(small))
  assert.ok(bytesNeeded([large], []) < 1.1 * storeBytes(large))
})

it('does not need the disk for two histories of which one is measured after the other', () =>
  assert.is(bytesNeeded([one(1000), small, one(100)], []), bytesNeeded([small], [])))

it('needs all stores whose logs are read at the end, and one export at a time', () => {
  assert.ok(bytesNeeded([], [small]) > storeBytes(small) + 2e9)
  const needed = bytesNeeded([small, large], [small, large])
  assert.ok(needed >= storeBytes(small) + storeBytes(large) + 20e9)
  assert.ok(needed < 70e9, `${needed}`)
})

it('says how much is lacking, and what helps', () => {
  assert.is(lackOfSpace(5, 5, '/tmp'), undefined)
  const says = lackOfSpace(67_500_000_000, 12_000_000_000, '/tmp') ?? ''
  for (const part of ['67.5 GB', '/tmp has 12.0 GB free', '--activities', '--keep']) assert.match(says, part)
})

it('knows what is free', () => assert.ok(freeBytes(tmpdir()) > 0))

it.run()
