import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { bytesText, countOf, durationText } from '../../../adapters/inbox/amounts.ts'

const it = suite('amounts for people')

it('counts one thing and many', () => {
  assert.is(countOf(1, 'event'), '1 event')
  assert.is(countOf(12_345, 'event'), '12,345 events')
  assert.is(countOf(0, 'activity', 'activities'), '0 activities')
})

it('writes bytes in their largest unit', () => {
  const written = [0, 999, 1000, 1_540, 12_400, 999_600, 5e9, 2e18].map(bytesText)
  assert.equal(written, ['0 B', '999 B', '1.0 kB', '1.5 kB', '12 kB', '1.0 MB', '5.0 GB', '2000 PB'])
})

it('writes a length of time in its largest unit', () => {
  const written = [-5, 400, 59_000, 60_000, 3_600_000, 86_400_000, 4 * 86_400_000].map(durationText)
  assert.equal(written, ['0 s', '0 s', '59 s', '1 min', '1 h', '24 h', '4 d'])
})

it.run()
