import { parseArgs } from 'node:util'
import { simulate } from './simulation.ts'
import { storeBugs } from './simulated-storage.ts'

const USAGE = `Runs histories of the whole engine on a simulated store, clock and network, each from one seed.

  npm run simulate -- [--seeds N] [--first SEED] [--steps N] [--bug NAME]

  --seeds N      how many histories; default 1000
  --first SEED   the first seed; default 1. A failure names its seed: --first SEED --seeds 1 repeats it
  --steps N      steps per history; default 220
  --bug NAME     simulates a store with a bug, which has to be found: ${storeBugs.join(', ')}
  --help         this text`

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    first: { type: 'string', default: '1' },
    steps: { type: 'string', default: '220' },
    bug: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

const main = async (): Promise<number> => {
  if (values.help) {
    console.log(USAGE)
    return 0
  }
  const bug = storeBugs.find((name) => name === values.bug)
  if (values.bug !== undefined && bug === undefined) {
    console.error(`unknown bug; known are ${storeBugs.join(', ')}`)
    return 2
  }
  const [first, seeds, steps] = [Number(values.first), Number(values.seeds), Number(values.steps)]
  const totals = { steps: 0, answers: 0, crashes: 0, events: 0, conflicts: 0 }
  const startedAt = performance.now()
  let failed = 0
  for (let seed = first; seed < first + seeds; seed += 1) {
    const { violations, counts } = await simulate(seed, { bug, steps })
    for (const name of Object.keys(totals) as (keyof typeof totals)[]) totals[name] += counts[name]
    if (violations.length === 0) continue
    failed += 1
    if (failed <= 10) console.log(`seed ${seed}: ${violations[0]?.promise}: ${violations[0]?.detail}`)
    if (bug !== undefined) break
  }
  const minutes = (performance.now() - startedAt) / 60_000
  console.log(
    `${seeds} histories, ${totals.steps} steps, ${totals.events} events, ${totals.answers} answers, ${totals.crashes} crashes; ` +
      `${failed} broke a promise; ${Math.round(seeds / minutes)} histories a minute`,
  )
  if (bug !== undefined) {
    console.log(failed > 0 ? `the bug ${bug} was found` : `the bug ${bug} was NOT found`)
    return failed > 0 ? 0 : 1
  }
  return failed > 0 ? 1 : 0
}

process.exit(await main())
