import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { rotated } from '../rotated.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { checkFiles } from './erasures/check.ts'
import { copied, prepare, type Prepared } from './erasures/prepared.ts'
import { atPoint, atRandom, ERASURE_POINTS, nameOf, runErasure, type ErasureRound } from './erasures/round.ts'
import { randomOf } from './random.ts'

const it = suite('crashes of erasures')

let folder: Awaited<ReturnType<typeof temporaryFolder>>
/** Of a person in an organization, and of one in an organization below another. They take turns. */
let prepared: readonly [Prepared, Prepared]
let rounds = 0
it.before(async () => {
  folder = await temporaryFolder()
  prepared = [await prepare(`${folder.path}/prepared.db`), await prepare(`${folder.path}/below.db`, true)]
})
it.after(() => folder.remove())

const holds = async (round: ErasureRound): Promise<number> => {
  rounds += 1
  const one = prepared[rounds % 2 === 0 ? 0 : 1]
  const { violations, reached } = await runErasure(copied(one, `${folder.path}/${rounds}.db`), round)
  assert.equal(violations, [], nameOf(round))
  return reached
}

it('begins with a store in which all texts of the person can be found', () => {
  for (const one of prepared) {
    assert.is(checkFiles(one, 'of before').length, one.texts.length)
    assert.ok(one.toErase.size > one.texts.length)
  }
})

const register = rotated<(typeof ERASURE_POINTS)[number]>(it, ERASURE_POINTS[0])
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
