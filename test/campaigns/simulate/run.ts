import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { numberOfCommit } from '../of-commit.ts'
import { faults } from './faults.ts'
import { withFault } from './faulty.ts'
import { simulate, type Simulated } from './simulation.ts'
import { storeBugs } from './store-bugs.ts'

const NAMES = [...faults.map(({ name }) => name), ...storeBugs]

const USAGE = `Runs histories of several engine processes on a simulated store, with simulated clocks and networks, each from one seed.

  npm run simulate -- [--seeds N] [--first SEED | --of-commit] [--seed SEED] [--steps N] [--processes N] [--fault NAME]

  --seeds N      how many histories; default 1000
  --first SEED   the first seed; default 1
  --of-commit    the first seed follows from the commit, as in CI
  --seed SEED    repeats one history, and shows all that it broke
  --steps N      steps per history; default 360
  --processes N  processes per history; default 3
  --fault NAME   puts a fault into the sources, or into the store, which has to be found; known are
                   ${NAMES.join('\n                   ')}
  --help         this text`

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    first: { type: 'string', default: '1' },
    'of-commit': { type: 'boolean', default: false },
    seed: { type: 'string' },
    steps: { type: 'string', default: '360' },
    processes: { type: 'string', default: '3' },
    fault: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

type Totals = Record<keyof Simulated['counts'], number>

/** Runs histories one after the other; stops at the first that breaks a promise if `isHunting`. */
const runAll = async (run: typeof simulate, first: number, seeds: number, isHunting: boolean) => {
  const options = { steps: Number(values.steps), processes: Number(values.processes) }
  const bug = storeBugs.find((name) => name === values.fault)
  const totals: Totals = {
    steps: 0,
    answers: 0,
    crashes: 0,
    events: 0,
    conflicts: 0,
    stampsOfPasskeys: 0,
    stampsOfKeys: 0,
  }
  const failed: Simulated[] = []
  let histories = 0
  for (let seed = first; seed < first + seeds; seed += 1) {
    const simulated = await run(seed, { ...options, bug })
    histories += 1
    for (const name of Object.keys(totals) as (keyof Totals)[]) totals[name] += simulated.counts[name]
    if (simulated.violations.length > 0) failed.push(simulated)
    if (simulated.violations.length > 0 && isHunting) break
  }
  return { totals, failed, histories }
}

const tell = ({ seed, violations, plan }: Simulated, isWhole: boolean): void => {
  for (const { promise, detail } of isWhole ? violations : violations.slice(0, 1))
    console.log(`seed ${seed}: ${promise}: ${detail}`)
  if (isWhole) console.log(JSON.stringify(plan, undefined, 2))
}

const hunt = async (name: string): Promise<number> => {
  const fault = faults.find((one) => one.name === name)
  const faulty = fault === undefined ? { simulate, remove: () => undefined } : await withFault(fault)
  try {
    const { failed, histories } = await runAll(faulty.simulate, Number(values.first), Number(values.seeds), true)
    for (const one of failed) tell(one, false)
    console.log(`the fault ${name} was ${failed.length > 0 ? 'found' : 'NOT found'} in ${histories} histories`)
    return failed.length > 0 ? 0 : 1
  } finally {
    faulty.remove()
  }
}

/** A second process does the second half: a history keeps one core busy. */
const other = async (first: number, seeds: number): Promise<boolean> => {
  const { steps, processes } = values
  const child = spawn(
    process.execPath,
    [
      ...process.execArgv,
      fileURLToPath(import.meta.url),
      ...['--first', String(first), '--seeds', String(seeds), '--steps', steps, '--processes', processes],
    ],
    { stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, COUNTERSIGN_SIMULATE_HALF: '1' } },
  )
  const [code] = (await once(child, 'exit')) as [number | null] // what `exit` gives
  return code === 0
}

const check = async (first: number, seeds: number): Promise<number> => {
  const isHalf = process.env['COUNTERSIGN_SIMULATE_HALF'] !== undefined || seeds < 20
  const own = isHalf ? seeds : Math.ceil(seeds / 2)
  const theirs = isHalf ? undefined : other(first + own, seeds - own)
  const { totals, failed } = await runAll(simulate, first, own, false)
  for (const one of failed.slice(0, 10)) tell(one, seeds === 1)
  const { steps, events, stampsOfPasskeys, answers, crashes } = totals
  console.log(
    `${own} histories, ${steps} steps, ${events} events, ${stampsOfPasskeys} stamps of passkeys, ${answers} answers, ` +
      `${crashes} crashes; ${failed.length} broke a promise`,
  )
  const isWell = (await theirs) ?? true
  return failed.length === 0 && isWell ? 0 : 1
}

const firstSeed = (): number => {
  if (!values['of-commit']) return Number(values.first)
  const first = numberOfCommit()
  console.log(`npm run simulate -- --seeds ${values.seeds} --first ${first}`)
  return first
}

const main = async (): Promise<number> => {
  if (values.help) {
    console.log(USAGE)
    return 0
  }
  const { fault, seed } = values
  if (fault !== undefined && !NAMES.includes(fault)) {
    console.error(`unknown fault; known are ${NAMES.join(', ')}`)
    return 2
  }
  if (fault !== undefined) return hunt(fault)
  return seed === undefined ? check(firstSeed(), Number(values.seeds)) : check(Number(seed), 1)
}

process.exit(await main())
