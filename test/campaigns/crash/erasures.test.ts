import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { sampled } from '../../long.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { checkFiles } from './erasures/check.ts'
import { copied, prepare, type Prepared } from './erasures/prepared.ts'
import { atPoint, atRandom, ERASURE_POINTS, nameOf, runErasure, type ErasureRound } from './erasures/round.ts'
import { randomOf } from './random.ts'

const it = suite('crashes of erasures')

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let prepared: Prepared
let rounds = 0
it.before(async () => {
  folder = await temporaryFolder()
  prepared = await prepare(`${folder.path}/prepared.db`)
})
it.after(() => folder.remove())

const holds = async (round: ErasureRound): Promise<number> => {
  const { violations, reached } = await runErasure(copied(prepared, `${folder.path}/${(rounds += 1)}.db`), round)
  assert.equal(violations, [], nameOf(round))
  return reached
}

it('begins with a store in which all texts of the person can be found', () => {
  assert.is(checkFiles(prepared, 'of before').length, prepared.texts.length)
  assert.ok(prepared.toErase.size > prepared.texts.length)
})

const register = sampled<(typeof ERASURE_POINTS)[number]>(it, ERASURE_POINTS[0])
for (const point of ERASURE_POINTS) {
  register(point, `erases the person once, and nothing else, after a kill at ${point}`, async () => {
    assert.is(await holds(atPoint(point)), 1, 'the point is reached')
  })
}

it('erases the person once, and nothing else, after kills at random', async () => {
  const random = randomOf('erasures')
  for (let round = 0; round < 2; round += 1) await holds(atRandom(random))
})

it.run()
