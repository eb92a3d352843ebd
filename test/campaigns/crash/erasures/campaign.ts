import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomOf } from '../random.ts'
import { copied, prepare } from './prepared.ts'
import { atPoint, atRandom, ERASURE_POINTS, nameOf, runErasure } from './round.ts'

/** Kills an erasure at each point, and so many times at random; tells of each round. Gives the number of broken promises. */
export const runErasures = async (seed: string, times: number, tell: (text: string) => void): Promise<number> => {
  const random = randomOf(seed)
  const folder = mkdtempSync(join(tmpdir(), 'countersign-erasures-'))
  const prepared = [await prepare(join(folder, 'prepared.db')), await prepare(join(folder, 'below.db'), true)]
  const rounds = [...ERASURE_POINTS.map(atPoint), ...Array.from({ length: times }, () => atRandom(random))]
  let [broken, kills] = [0, 0]
  for (const [index, round] of rounds.entries()) {
    const one = prepared[index % prepared.length]
    if (one === undefined) continue
    const { violations, reached } = await runErasure(copied(one, join(folder, `${index}.db`)), round)
    broken += violations.length
    kills += reached
    tell(`${String(index + 1).padStart(4)}/${rounds.length}  ${nameOf(round)}, ${reached} kills before the end`)
    for (const text of violations.slice(0, 8)) tell(`           BROKEN: ${text}`)
  }
  tell(`\n${kills} kills of ${rounds.length} erasures before their end: ${broken} promises broken`)
  if (broken === 0) rmSync(folder, { recursive: true, force: true })
  else tell(`kept for a closer look: ${folder}`)
  return broken
}
