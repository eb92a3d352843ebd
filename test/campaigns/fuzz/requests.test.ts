import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { fuzz, type Tally } from './requests.ts'

const it = suite('rubbish')

for (const seed of [1, 2]) {
  it(`gets refusals: no 5xx, no crash, no event, and nothing of it comes back (seed ${seed})`, async () => {
    const { faults, tallies } = await fuzz({ requests: 2500, seed })
    assert.equal(faults, [])
    const sum = (of: keyof Tally): number => [...tallies.values()].reduce((all, each) => all + each[of], 0)
    assert.is(sum('sent'), 2500)
    assert.ok(sum('refused') > 1250)
    assert.ok(sum('accepted') > 75, 'some of it was not rubbish')
  })
}

it.run()
