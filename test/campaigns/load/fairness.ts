import { quantile } from '../bench/figures.ts'
import { startChild } from '../bench/child.ts'
import type { Seed } from '../bench/seed.ts'
import { random } from '../simulate/random.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { openLoop } from './open-loop.ts'
import { noCounts, renames, type Counts } from './traffic.ts'

export type FairnessOptions = {
  readonly organizations: number
  readonly forMs: number
  /** Requests in a second, of all organizations but the noisy one. */
  readonly perSecond: number
  readonly connections: number
  readonly seed: number
}

/** How the others fare. */
export type Fared = {
  readonly answered: number
  readonly refused: number
  readonly p50Ms: number
  readonly p99Ms: number
}

export type FairnessReport = {
  /** The others alone; beside as many requests of one organization; and beside as many of all organizations alike. */
  readonly alone: Fared
  readonly besideNoise: Fared
  readonly besideAll: Fared
  readonly noise: Fared
}

/**
 * Many organizations that each ask now and then, and one that asks as much as all of them together. What the noise costs
 * the others is to be no more than the same load costs them when it comes from everyone.
 */
export const fairness = async (options: FairnessOptions): Promise<FairnessReport> => {
  const { organizations, seed, ...pace } = options
  const folder = await temporaryFolder()
  const child = startChild(new URL('./server-program.ts', import.meta.url))
  try {
    const url = await child.ask<string>('start', { path: `${folder.path}/fairness.db` })
    const [noisy, ...others] = await child.ask<readonly Seed[]>('begin', { organizations: organizations + 1 })
    if (noisy === undefined) throw new Error('no organization was begun')
    const chance = random(seed)
    const run = async (beside: readonly Seed[]): Promise<readonly [Fared, Fared]> => {
      const [quiet, loud] = [noCounts(), noCounts()]
      const loops = [openLoop({ ...pace, url, next: renames(others, chance, quiet) })]
      if (beside.length > 0) loops.push(openLoop({ ...pace, url, next: renames(beside, chance, loud) }))
      await Promise.all(loops)
      return [faredOf(quiet), faredOf(loud)]
    }
    await run(others) // warms up
    const [alone] = await run([])
    const [besideNoise, noise] = await run([noisy])
    const [besideAll] = await run(others)
    return { alone, besideNoise, besideAll, noise }
  } finally {
    await child.close()
    await folder.remove()
  }
}

const faredOf = ({ latencies, statuses }: Counts): Fared => {
  const answered = statuses.get(200) ?? 0
  return {
    answered,
    refused: latencies.length - answered,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
  }
}
