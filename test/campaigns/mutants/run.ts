import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { progressBar } from '../../../adapters/cli/progress.ts'
import { random as randomOf } from '../simulate/random.ts'
import { knownMistakes, placeOf } from './known.ts'
import { mutantsOf, type Mutant } from './operators.ts'
import { sandbox, type Sandbox } from './sandbox.ts'

const HELP = `Usage: npm run mutants -- [--only FOLDER,...] [--sample N] [--known] [--seed S]

Makes mistakes in the code, one at a time, and runs the tests: each mistake should be found by one. The tests of the
file are run first, then those of its folder, then --wide. It takes a second or two for each mistake, and longer for
those that nothing finds.

  --only FOLDERS   where: core/policy, core/audit,core/log, or a file; default core, and everywhere with --known
  --sample N       so many mistakes in each folder, chosen by --seed; all of them if it is not given
  --known          the mistakes that tests once did not find (test/campaigns/mutants/known.ts), and no others
  --wide FILTERS   the tests that are run last, as for npm test; default test/core,test/system/golden,test/campaigns/forge, or what
                   a known mistake says
  --seed S         chooses the sample; default 1
  --verbose        says of each that is found by which test
  --help           this text

Prints those that survive, and a score for each folder. Exit code 1 where a known mistake is not found.`

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const WORKERS = 2

type Score = { found: number; survived: number }
type Case = {
  readonly name: string
  readonly folder: string
  readonly mutant: Mutant
  readonly wide?: readonly string[] | undefined
}

const main = async (): Promise<number> => {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      sample: { type: 'string' },
      known: { type: 'boolean', default: false },
      wide: { type: 'string', default: 'test/core,test/system/golden,test/campaigns/forge' },
      seed: { type: 'string', default: '1' },
      verbose: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  if (values.help) {
    console.log(HELP)
    return 0
  }
  const [sample, seed] = [Number(values.sample ?? Infinity), Number(values.seed)]
  if (Number.isNaN(sample) || !Number.isSafeInteger(seed)) {
    console.error('--sample and --seed: expected numbers')
    return 2
  }
  const only = values.only?.split(',')
  const cases = values.known ? known(only) : generated(only ?? ['core'], sample, seed)
  if (cases.length === 0) {
    console.error(`--only ${values.only}: nothing is there that could be mistaken`)
    return 2
  }
  const scores = await judge(cases, values.wide.split(','), values.verbose)
  const survived = [...scores.values()].reduce((sum, score) => sum + score.survived, 0)
  for (const [folder, { found, survived: left }] of [...scores].toSorted(([a], [b]) => a.localeCompare(b))) {
    const percent = ((100 * found) / (found + left)).toFixed(1)
    console.log(`${folder.padEnd(28)} ${String(found).padStart(5)} of ${found + left} found: ${percent} %`)
  }
  return values.known && survived > 0 ? 1 : 0
}

const known = (only: readonly string[] | undefined): readonly Case[] =>
  knownMistakes
    .filter(({ file }) => only === undefined || isAmong(file, only))
    .map((mistake) => {
      const mutant = placeOf(mistake, readFileSync(join(ROOT, mistake.file), 'utf8'))
      return { name: mistake.name, folder: dirname(mistake.file), mutant, wide: mistake.wide }
    })

const isAmong = (file: string, only: readonly string[]): boolean =>
  only.some((place) => file === place || file.startsWith(`${place}/`))

const generated = (only: readonly string[], sample: number, seed: number): readonly Case[] => {
  const byFolder = new Map<string, Case[]>()
  for (const file of filesIn(only)) {
    const text = readFileSync(join(ROOT, file), 'utf8')
    const folder = dirname(file).split('/').slice(0, 2).join('/')
    const cases = byFolder.get(folder) ?? []
    byFolder.set(folder, cases)
    for (const mutant of mutantsOf(file, text)) {
      const was = text.slice(mutant.start, mutant.end).replaceAll(/\s+/g, ' ')
      cases.push({
        name: `${file}:${mutant.line}: ${was} becomes ${mutant.put.replaceAll(/\s+/g, ' ')}`,
        folder,
        mutant,
      })
    }
  }
  const random = randomOf(seed)
  return [...byFolder.values()].flatMap((cases) => {
    const ranked = cases.map((one) => [random.next(), one] as const).toSorted(([a], [b]) => a - b)
    return ranked.slice(0, sample).map(([, one]) => one)
  })
}

const filesIn = (only: readonly string[]): readonly string[] =>
  readdirSync(join(ROOT, 'core'), { recursive: true, encoding: 'utf8' })
    .map((name) => `core/${name.replaceAll('\\', '/')}`)
    .filter((name) => name.endsWith('.ts') && isAmong(name, only))
    .toSorted()

const judge = async (
  cases: readonly Case[],
  wide: readonly string[],
  isVerbose: boolean,
): Promise<ReadonlyMap<string, Score>> => {
  const scores = new Map<string, Score>()
  const bar = await progressBar(BigInt(cases.length), 20n)
  const queue = [...cases]
  let judged = 0n
  const work = async (place: Sandbox): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const outcome = await place.outcomeOf(next.mutant, next.wide ?? wide)
      const score = scores.get(next.folder) ?? { found: 0, survived: 0 }
      scores.set(next.folder, score)
      score[outcome === 'survived' ? 'survived' : 'found'] += 1
      if (outcome === 'survived') console.log(`NOT FOUND  ${next.name}`)
      else if (isVerbose) console.log(`found      ${next.name}: ${outcome.foundBy}`)
      bar.passed((judged += 1n))
    }
  }
  const places = Array.from({ length: Math.min(WORKERS, cases.length) }, () => sandbox())
  try {
    await Promise.all(places.map(work))
  } finally {
    for (const place of places) place.remove()
    bar.end()
  }
  return scores
}

process.exitCode = await main()
