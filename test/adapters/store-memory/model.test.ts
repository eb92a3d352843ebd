import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { right } from '../../../adapters/testing/expect.ts'
import { anyCalls } from './any-calls.ts'
import { naiveStore } from './naive-store.ts'

const it = suite('memory store: model')

it('answers any calls as a naive store does', () =>
  fc.assert(
    fc.asyncProperty(anyCalls(''), async (calls) => {
      const [{ store }, naive] = [memoryStore(), naiveStore()]
      for (const commits of calls) assert.equal(await right(store.append(commits)), naive.append(commits))
      const all = await right(store.readAll(0n, 1000))
      assert.equal(
        all.map(({ id, organization, sequence, position }) => ({ id, organization, sequence, position })),
        naive.all(),
      )
    }),
    { numRuns: 300 },
  ))

it('meets every kind of answer on the way', () => {
  const tags = new Set<string>()
  for (const calls of fc.sample(anyCalls(''), { numRuns: 300, seed: 1 })) {
    const naive = naiveStore()
    for (const commits of calls) for (const { _tag } of naive.append(commits)) tags.add(_tag)
  }
  assert.equal([...tags].sort(), [
    'check-failed',
    'committed',
    'conflict',
    'duplicate',
    'partial-duplicate',
    'revision-conflict',
  ])
})

it.run()
