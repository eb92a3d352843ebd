import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { storeBugs } from './simulated-storage.ts'
import { simulate } from './simulation.ts'

const it = suite('simulation')

const SEEDS = 60

it('keeps every promise through crashes, lost answers, conflicts and jumping clocks', async () => {
  let crashes = 0
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const { violations, counts } = await simulate(seed)
    assert.equal(violations, [], `seed ${seed}`)
    crashes += counts.crashes
  }
  assert.ok(crashes > SEEDS)
})

it('repeats a history from its seed', async () => {
  const [first, second] = [await simulate(7), await simulate(7)]
  assert.equal(first, second)
})

for (const bug of storeBugs) {
  it(`finds a store with the bug ${bug}`, async () => {
    for (let seed = 1; seed <= 100; seed += 1) {
      const { violations } = await simulate(seed, { bug })
      if (violations.length > 0) return
    }
    assert.unreachable(`100 histories did not show ${bug}`)
  })
}

it.run()
