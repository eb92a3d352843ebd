import { parseArgs } from 'node:util'
import { E } from '../../../core/prelude.ts'

export const SECTIONS = [
  'signatures',
  'keys',
  'requests',
  'appends',
  'history',
  'log',
  'personal',
  'simulation',
  'passkeys',
  'policies',
  'postgres',
  'eventstoredb',
  'copy',
] as const
export type Section = (typeof SECTIONS)[number]

/** What takes longer than a look may: it has to be asked for. */
const LONG: readonly Section[] = ['postgres', 'eventstoredb', 'copy']

const HELP = `Usage: npm run bench -- [options]

Prints tables in Markdown on standard output, and what it is doing on standard error.

  --only NAME,…          ${SECTIONS.join(', ')};
                         without it all, but not ${LONG.join(' and ')} if it is to be short, and copy only with --full
  --against REF          measures that commit, too, in turns with this working tree, and prints now ÷ before for each figure
  --short                a minute: does everything once, for a look
  --full                 long histories: up to 10,000,000 activities and 1,000,000 organizations; hours, and 65 GB of disk
  --rounds N             rounds of each measurement; 5 if not given, with --against 4 and at least 2
  --activities N,…       lengths of history to start on; 1000 and 100000 if not given; with --full, the two longest are read whole
  --organizations N,…    numbers of organizations to start on; 1000 if not given
  --keep FOLDER          makes histories there, and uses again what an earlier run has made; not with --against
  --json FILE            writes the tables as JSON, too
  --publish              puts the tables into test/campaigns/reports/benchmarks.md; not with --short or --against

Examples: npm run bench -- --only requests --rounds 3
          npm run bench -- --against main --only requests,log`

export type Options = {
  readonly sections: readonly Section[]
  /** A commit to compare with. */
  readonly against: string | undefined
  readonly rounds: number
  /** Rounds of submits over the most connections. */
  readonly roundsOfMost: number
  readonly isShort: boolean
  readonly forMs: number
  readonly activities: readonly number[]
  readonly organizations: readonly number[]
  readonly connections: readonly number[]
  /** Lengths of the logs that are read whole. */
  readonly logActivities: readonly number[]
  /** Activities of the logs with personal data. */
  readonly personalActivities: number
  /** Activities of the log whose decisions are taken again with other policies. */
  readonly simulatedActivities: number
  /** Events of the logs that are copied. */
  readonly copyEvents: readonly number[]
  readonly keep: string | undefined
  readonly json: string | undefined
  /** Whether the page on benchmarks gets the tables. */
  readonly publish: boolean
  /** The options that say how much is measured, as they were given: a run of another commit gets them, too. */
  readonly sizes: readonly string[]
}

const FULL_ACTIVITIES = '10000,100000,1000000,10000000'
const FULL_ORGANIZATIONS = '1000,10000,100000,1000000'

/** A round of a short run is so short that one says nothing of the cost of a submit. */
const SHORT_ROUNDS = 5

/** What to print instead of measuring, and the exit code. */
export type Usage = { readonly text: string; readonly code: 0 | 2 }

/** Reads the command line. Only whole, positive numbers and known names are options. */
export const readOptions = (args: readonly string[]): E.Either<Usage, Options> => {
  const parsed = E.tryCatch(() => parse(args), messageOf)
  if (E.isLeft(parsed)) return E.left({ text: `${parsed.left}\n\n${HELP}`, code: 2 })
  const { short, full, ...given } = parsed.right
  if (given.help) return E.left({ text: HELP, code: 0 })

  const names: readonly string[] = given.only?.split(',') ?? usual(short, full)
  const rounds = Number(given.rounds ?? (short ? 1 : given.against === undefined ? 5 : 4))
  const activities = numbers(given.activities ?? (short ? '100,1000' : full ? FULL_ACTIVITIES : '1000,100000'))
  const organizations = numbers(given.organizations ?? (short ? '10' : full ? FULL_ORGANIZATIONS : '1000'))
  const wrong = [
    ...names
      .filter((name) => !SECTIONS.some((section) => section === name))
      .map((name) => `There is no section ${name}.`),
    ...([rounds, ...activities, ...organizations].every(isCount) ? [] : ['A number has to be whole and positive.']),
    ...(given.against === undefined || given.keep === undefined
      ? []
      : ['--against makes its own histories; leave --keep out.']),
    ...(given.publish && (short || given.against !== undefined)
      ? ['--publish is for figures of a whole run; leave --short and --against out.']
      : []),
  ]
  if (wrong.length > 0) return E.left({ text: `${wrong.join('\n')}\n\n${HELP}`, code: 2 })

  return E.right({
    sections: SECTIONS.filter((section) => names.includes(section)),
    against: given.against,
    // One turn has no spread: nobody could say whether the machine was quiet.
    rounds: given.against === undefined ? rounds : Math.max(2, rounds),
    roundsOfMost: short ? Math.max(SHORT_ROUNDS, rounds) : rounds,
    isShort: short,
    forMs: short ? 200 : 1000,
    activities,
    organizations,
    connections: [1, 16, 64],
    logActivities: short ? [1000] : full ? largest(activities, 2) : [50_000],
    personalActivities: short ? 500 : 20_000,
    simulatedActivities: short ? 1000 : 100_000,
    copyEvents: short ? [2000, 20_000] : [100_000, 1_000_000],
    keep: given.keep,
    json: given.json,
    publish: given.publish,
    sizes: [
      ...(short ? ['--short'] : []),
      ...(full ? ['--full'] : []),
      ...(given.activities === undefined ? [] : ['--activities', given.activities]),
      ...(given.organizations === undefined ? [] : ['--organizations', given.organizations]),
    ],
  })
}

/** The sections of a run that names none. */
const usual = (short: boolean, full: boolean): readonly Section[] =>
  SECTIONS.filter((section) => (short ? !LONG.includes(section) : section !== 'copy' || full))

const parse = (args: readonly string[]) =>
  parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      only: { type: 'string' },
      against: { type: 'string' },
      short: { type: 'boolean', default: false },
      full: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      activities: { type: 'string' },
      organizations: { type: 'string' },
      keep: { type: 'string' },
      json: { type: 'string' },
      publish: { type: 'boolean', default: false },
    },
  }).values

const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown))

const numbers = (text: string): readonly number[] => text.split(',').map((part) => Number(part.replaceAll('_', '')))

/** The largest of some numbers, the least of them first. */
const largest = (values: readonly number[], count: number): readonly number[] =>
  values.toSorted((a, b) => a - b).slice(-count)

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value > 0
