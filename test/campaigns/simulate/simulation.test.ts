import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { simulate } from './simulation.ts'
import { storeBugs } from './store-bugs.ts'

const it = suite('simulation')

const SEEDS = 60

it('keeps every promise through crashes, lost answers, conflicts, jumping clocks and a store that goes back', async () => {
  let [crashes, rewinds, ofPasskeys, ofKeys] = [0, 0, 0, 0]
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const { violations, counts, plan } = await simulate(seed)
    assert.equal(violations, [], `seed ${seed}`)
    crashes += counts.crashes
    ofPasskeys += counts.stampsOfPasskeys
    ofKeys += counts.stampsOfKeys
    if (plan.goesBackAt !== undefined) rewinds += 1
  }
  assert.ok(crashes > SEEDS)
  assert.ok(rewinds > SEEDS / 10)
  assert.ok(Math.min(ofPasskeys, ofKeys) > (ofPasskeys + ofKeys) / 4, 'keys and passkeys stamp')
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
