import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { seldom } from '../../../adapters/cli/seldom.ts'

const it = suite('seldom')

it('lets the first of a kind through, then one a minute, with the number of those left out', () => {
  let nowMs = 0
  const due = seldom(() => nowMs)
  assert.equal([due('503'), due('503'), due('500'), due('503')], [0, undefined, 0, undefined])
  nowMs = 59_999
  assert.is(due('503'), undefined)
  nowMs = 60_000
  assert.equal([due('503'), due('503'), due('500')], [3, undefined, 0])
})

it('keeps a bounded number of kinds', () => {
  const due = seldom(() => 0)
  for (let n = 0; n < 1_000; n += 1) assert.is(due(`${n}`), 0)
  assert.is(due('0'), 0)
  assert.is(due('999'), undefined)
})

it.run()
