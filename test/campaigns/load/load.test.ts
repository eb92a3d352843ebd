import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { load, slopeOf, type LoadOptions } from './load.ts'

const it = suite('load')

/** Answers are right, and the store holds what was answered. */
const loaded = async (options: Omit<LoadOptions, 'seed'>) => {
  const { wrong, statuses, refusals, events } = await load({ ...options, seed: 1 })
  assert.equal(wrong, [])
  assert.equal([...statuses], [[200, options.requests]])
  assert.is(refusals.withoutRetryAfter, 0)
  assert.is(events.found, events.expected)
  return refusals.count
}

it('gets the answers that it has to get, and leaves the events that were answered', async () => {
  assert.is(await loaded({ requests: 1_000, organizations: 10, connections: 16 }), 0)
})

it('has some of too many requests refused, and each of them accepted when it comes again', async () => {
  // One command at a time, and none may wait for longer than a millisecond: that is too much for any machine.
  const crowded = { requests: 500, organizations: 5, connections: 64, commandsAtOnce: 1, waitForTurnMaxMs: 1 }
  assert.ok((await loaded(crowded)) > 0)
})

it('sees memory that grows', () => {
  const samples = (megabytes: (answered: number) => number) =>
    Array.from({ length: 20 }, (_, n) => ({ answered: n * 1_000, rssBytes: megabytes(n * 1_000) * 1024 * 1024 }))
  assert.is(slopeOf(samples(() => 100)), 0)
  assert.ok(Math.abs(slopeOf(samples((answered) => 100 + answered / 5_000)) - 2) < 0.01)
})

it.run()
