/**
 * The bench: what Countersign does in a second, beside the least that the same machine needs for the same work. It measures
 * and never judges: no figure makes it fail.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { E } from '../../../core/prelude.ts'
import { measureAgainst } from './against.ts'
import { costLine } from './cost-line.ts'
import { bytesNeeded, freeBytes, lackOfSpace, type Size } from './disk.ts'
import { markdown, type Progress, type Table } from './figures.ts'
import { histories, type Histories } from './histories.ts'
import { machine } from './machine.ts'
import { measureAppends } from './measure-appends.ts'
import { measureEventStoreDbAppends } from './measure-eventstoredb-appends.ts'
import { measureEventStoreDbForeign } from './measure-eventstoredb-foreign.ts'
import { measureHistory } from './measure-history.ts'
import { measureKeys } from './measure-keys.ts'
import { measureLog } from './measure-log.ts'
import { measureCopy, measurePostgresReplay } from './measure-copy.ts'
import { measurePasskeys } from './measure-passkeys.ts'
import { measurePolicies } from './measure-policies.ts'
import { measurePersonal } from './measure-personal.ts'
import { measurePostgresAppends } from './measure-postgres-appends.ts'
import { measureProcesses } from './measure-processes.ts'
import { measureRequests } from './measure-requests.ts'
import { measureSignatures } from './measure-signatures.ts'
import { measureSimulation } from './measure-simulation.ts'
import { readOptions, type Options, type Section } from './options.ts'
import { published } from './publish.ts'

/** What sections share. */
type Given = Options & { readonly histories: Histories }

const main = async (): Promise<number> => {
  const read = readOptions(process.argv.slice(2))
  if (E.isLeft(read)) {
    console.log(read.left.text)
    return read.left.code
  }
  const options = read.right
  const measured = await (options.against === undefined
    ? measureAll(options)
    : measureBoth({ ...options, ref: options.against }))
  if (E.isLeft(measured)) {
    console.error(measured.left)
    return 1
  }
  const { about, tables } = measured.right
  if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify({ about, tables }, undefined, 2)}\n`)
  if (options.publish) writeFileSync(PAGE, published(readFileSync(PAGE, 'utf8'), about, tables))
  return 0
}

type Measured = { readonly about: string; readonly tables: readonly Table[] }

const measureAll = async (options: Options): Promise<E.Either<string, Measured>> => {
  const shared = histories(options.keep, progress)
  // Whoever stops it with Ctrl-C leaves nothing behind: histories may have tens of gigabytes.
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => {
      shared.remove()
      process.exit(1)
    })
  }
  try {
    const lack = lackFor(options, shared)
    if (lack !== undefined) return E.left(lack)
    const about = `${machine()}\n${options.rounds} rounds; medians, and medians of the ratios round by round.`
    console.log(`${about}\n`)
    const tables: Table[] = []
    for (const section of options.sections) {
      for (const table of await measure[section]({ ...options, histories: shared }, progress)) {
        tables.push(table)
        console.log(markdown(table))
      }
    }
    const cost = costLine(tables, readFileSync(PAGE, 'utf8'))
    if (cost !== undefined) console.log(cost)
    return E.right({ about, tables })
  } finally {
    shared.remove()
  }
}

const PAGE = new URL('../reports/benchmarks.md', import.meta.url)

/** Whoever stops it with Ctrl-C leaves nothing behind. */
const measureBoth = async (options: Options & { readonly ref: string }): Promise<E.Either<string, Measured>> => {
  const startedOn = machine()
  const stopping = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort())
  try {
    const { says, tables } = await measureAgainst(process.cwd(), options, progress, stopping.signal)
    const about = `${startedOn}\n${says}`
    console.log(`${about}\n`)
    for (const table of tables) console.log(markdown(table))
    return E.right({ about, tables })
  } catch (error) {
    // No such commit, one that does not build, Ctrl-C: the message says it all.
    if (error instanceof Error) return E.left(error.message)
    throw error
  }
}

/** Why there is not enough room for the histories of a run; undefined if there is. */
const lackFor = (options: Options, { has, folder }: Histories): string | undefined => {
  const isMissing = (size: Size): boolean => !has(size)
  const started = options.sections.includes('history') ? startedOn(options).filter(isMissing) : []
  const logs = options.sections.includes('log') ? logsOf(options).filter(isMissing) : []
  const copied = options.sections.includes('copy') ? copiedOf(options).filter(isMissing) : []
  // A log that is copied stands in three stores at once.
  return lackOfSpace(bytesNeeded(started, [...logs, ...copied, ...copied, ...copied]), freeBytes(folder), folder)
}

const startedOn = ({ activities, organizations }: Options): readonly Size[] => [
  ...activities.map((activities) => ({ activities, organizations: 1 })),
  ...organizations.map((organizations) => ({ activities: 100, organizations })),
]

const logsOf = ({ logActivities }: Options): readonly Size[] =>
  logActivities.map((activities) => ({ activities, organizations: 1 }))

const copiedOf = ({ copyEvents }: Options): readonly Size[] =>
  copyEvents.map((events) => ({ activities: events / 2, organizations: 1 }))

const progress: Progress = (text) => console.error(`… ${text}`)

const measure: Readonly<Record<Section, (given: Given, progress: Progress) => Promise<readonly Table[]>>> = {
  signatures: async (options) => [await measureSignatures(options, progress)],
  keys: async (options) => [await measureKeys(options, progress)],
  requests: (options) => measureRequests(options, progress),
  appends: async (options) => [await measureAppends(options, progress)],
  history: async (options) => {
    const later = options.sections.includes('log') ? logsOf(options) : []
    const rounds = Math.min(3, options.rounds)
    return [await measureHistory({ rounds, sizes: startedOn(options), later, histories: options.histories }, progress)]
  },
  log: ({ rounds, logActivities, histories }) =>
    measureLog({ rounds: Math.min(3, rounds), activities: logActivities, histories }, progress),
  policies: (options) => measurePolicies(options, progress),
  passkeys: async (options) => [await measurePasskeys(options, progress)],
  personal: async ({ rounds, personalActivities }) => [
    await measurePersonal({ rounds: Math.min(3, rounds), activities: personalActivities }, progress),
  ],
  simulation: async ({ rounds, simulatedActivities }) => [
    await measureSimulation({ rounds: Math.min(3, rounds), activities: simulatedActivities }, progress),
  ],
  postgres: async ({ rounds, forMs, isShort, logActivities, histories }) => {
    const callers = [1, 16, 64, 256]
    const [activities = 1000] = logActivities
    return measurable([
      await measurePostgresAppends({ rounds, forMs, callers }, progress),
      await measureProcesses({ rounds, forMs, organizations: isShort ? 20 : 1000 }, progress),
      await measurePostgresReplay({ rounds: Math.min(3, rounds), activities, histories }, progress),
    ])
  },
  eventstoredb: async ({ rounds, forMs, isShort }) =>
    measurable([
      await measureEventStoreDbAppends({ rounds, forMs, many: [1, 16, 64] }, progress),
      await measureEventStoreDbForeign(
        { rounds, commits: isShort ? 500 : 5_000, foreign: isShort ? 5_000 : 100_000 },
        progress,
      ),
    ]),
  copy: async ({ copyEvents, histories }) =>
    measurable([await measureCopy({ events: copyEvents, histories }, progress)]),
}

/** The tables; where there is no server for them, one line says so. */
const measurable = (found: readonly (Table | readonly Table[] | string)[]): readonly Table[] => {
  const lack = found.find((one) => typeof one === 'string')
  if (lack !== undefined) progress(`left out: ${lack}`)
  return found.filter((one) => typeof one !== 'string').flat()
}

process.exitCode = await main()
