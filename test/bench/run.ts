/**
 * The bench: what Countersign does in a second, beside the least that the same machine needs for the same work. It measures
 * and never judges: no figure makes it fail.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { markdown, type Progress, type Table } from './figures.ts'
import { histories, type Histories } from './histories.ts'
import { machine } from './machine.ts'
import { measureAppends } from './measure-appends.ts'
import { measureHistory } from './measure-history.ts'
import { measureLog } from './measure-log.ts'
import { measureRequests } from './measure-requests.ts'
import { measureSignatures } from './measure-signatures.ts'

const HELP = `Usage: npm run bench -- [options]

Prints tables in Markdown on standard output, and what it is doing on standard error.

  --only NAME,…          ${['signatures', 'requests', 'appends', 'history', 'log'].join(', ')}
  --short                a minute: does everything once, for a look
  --full                 long histories: 1,000,000 activities, 100,000 organizations
  --rounds N             rounds of each measurement; 5 if not given
  --activities N,…       lengths of history to start on; 1,000 and 100,000 if not given
  --organizations N,…    numbers of organizations to start on; 1,000 if not given
  --keep FOLDER          makes histories there, and uses again what an earlier run has made
  --json FILE            writes the tables as JSON, too

Example: npm run bench -- --only requests --rounds 3`

type Section = 'signatures' | 'requests' | 'appends' | 'history' | 'log'
const SECTIONS: readonly Section[] = ['signatures', 'requests', 'appends', 'history', 'log']

type Options = {
  readonly sections: readonly Section[]
  readonly rounds: number
  readonly forMs: number
  readonly activities: readonly number[]
  readonly organizations: readonly number[]
  readonly connections: readonly number[]
  readonly logActivities: number
  readonly keep: string | undefined
  readonly json: string | undefined
}
/** What sections share. */
type Given = Options & { readonly histories: Histories }

const main = async (): Promise<number> => {
  const options = read()
  if (options === undefined) return 2
  const about = `${machine()}\n${options.rounds} rounds; medians, and medians of the ratios round by round.`
  console.log(`${about}\n`)
  const tables: Table[] = []
  const shared = histories(options.keep, progress)
  try {
    for (const section of options.sections) {
      for (const table of await measure[section]({ ...options, histories: shared }, progress)) {
        tables.push(table)
        console.log(markdown(table))
      }
    }
  } finally {
    shared.remove()
  }
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify({ about, tables }, undefined, 2)}\n`)
  return 0
}

const progress: Progress = (text) => console.error(`… ${text}`)

const measure: Readonly<Record<Section, (given: Given, progress: Progress) => Promise<readonly Table[]>>> = {
  signatures: async (options) => [await measureSignatures(options, progress)],
  requests: (options) => measureRequests(options, progress),
  appends: async (options) => [await measureAppends(options, progress)],
  history: async (options) => [await measureHistory({ ...options, rounds: Math.min(3, options.rounds) }, progress)],
  log: ({ rounds, logActivities, histories }) =>
    measureLog({ rounds: Math.min(3, rounds), activities: logActivities, histories }, progress),
}

const read = (): Options | undefined => {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', short: 'h', default: false },
      only: { type: 'string', default: SECTIONS.join(',') },
      short: { type: 'boolean', default: false },
      full: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      activities: { type: 'string' },
      organizations: { type: 'string' },
      keep: { type: 'string' },
      json: { type: 'string' },
    },
  })
  const { short, full } = values
  const sections = SECTIONS.filter((section) => values.only.split(',').includes(section))
  const rounds = Number(values.rounds ?? (short ? 1 : 5))
  const activities = numbers(values.activities ?? (short ? '100,1000' : full ? '1000,100000,1000000' : '1000,100000'))
  const organizations = numbers(values.organizations ?? (short ? '10' : full ? '1000,100000' : '1000'))
  const isRight =
    sections.length > 0 && [rounds, ...activities, ...organizations].every((n) => Number.isSafeInteger(n) && n > 0)
  if (values.help || !isRight) {
    console.log(HELP)
    if (!values.help) process.exitCode = 2
    return values.help ? process.exit(0) : undefined
  }
  return {
    sections,
    rounds,
    forMs: short ? 200 : 1000,
    activities,
    organizations,
    connections: [1, 16, 64],
    logActivities: short ? 1000 : full ? 1_000_000 : 50_000,
    keep: values.keep,
    json: values.json,
  }
}

const numbers = (text: string): readonly number[] => text.split(',').map((part) => Number(part.replaceAll('_', '')))

process.exitCode = await main()
