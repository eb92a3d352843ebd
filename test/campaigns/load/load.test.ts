import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { long } from '../../long.ts'
import { load, slopeOf } from './load.ts'

const it = suite('load')

long(it)('gets the answers that it has to get, and leaves the events that were answered', async () => {
  const report = await load({ forMs: 10_000, perSecond: 100, organizations: 10, connections: 16, seed: 1 })
  assert.is(report.serverErrors, 0)
  assert.equal(report.wrong, [])
  assert.equal([...report.statuses.keys()], [200])
  assert.is(report.events.found, report.events.expected)
  assert.ok(report.events.found > 0)
})

it('sees memory that grows under what is collected', () => {
  const samples = (megabytes: (second: number) => number) =>
    Array.from({ length: 240 }, (_, second) => {
      const isCollected = second % 15 === 0
      const garbage = isCollected ? 0 : (second * 7) % 90
      return { atMs: second * 1000, rssBytes: (megabytes(second) + garbage) * 1024 * 1024, isCollected }
    })
  assert.is(slopeOf(samples(() => 100)), 0)
  assert.ok(Math.abs((slopeOf(samples((second) => 100 + second / 30)) ?? 0) - 2) < 0.01)
  assert.is(slopeOf(samples(() => 100).slice(0, 60)), undefined)
})

it.run()
