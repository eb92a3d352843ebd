import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { rotated } from '../rotated.ts'
import { runCampaign } from './campaign.ts'
import { POINTS, roundsOf } from './plan.ts'
import { randomOf } from './random.ts'

const it = suite('crashes')

const SEED = 'suite'

it('plans the same rounds for the same seed, and others for another', () => {
  const planned = (seed: string) => roundsOf({ seed, rounds: 20, perPoint: 3, points: POINTS }, randomOf(seed))
  assert.equal(planned('a'), planned('a'))
  assert.not.equal(planned('a'), planned('b'))
})

// A test for each, so that one that takes its time on a busy machine does not end the others.
const register = rotated<(typeof POINTS)[number] | 'random'>(it, 'random')
for (const [index, point] of [undefined, ...POINTS].entries()) {
  register(point ?? 'random', `keeps its promises when it is killed at ${point ?? 'random'}`, async () => {
    const seed = `${SEED} ${index}`
    const campaign =
      point === undefined
        ? { seed, rounds: 3, perPoint: 0, points: [] }
        : { seed, rounds: 0, perPoint: 1, points: [point] }
    const { violations } = await runCampaign(campaign)
    assert.equal(
      violations.map(({ text, folder }) => `${text} (${folder})`),
      [],
    )
  })
}

it.run()
