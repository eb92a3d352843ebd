import { execFileSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { inChild } from './child.ts'
import { median, megabytes, rate, ratio, rounds as inRounds, type Progress, type Table } from './figures.ts'
import { activitiesOf, type Size } from './disk.ts'
import { shown, type Histories } from './histories.ts'
import type { Read } from './timed.ts'
import { claimOf } from './measure-signatures.ts'

export type LogOptions = {
  readonly rounds: number
  /** Lengths of logs, one after the other. */
  readonly activities: readonly number[]
  readonly histories: Histories
}

/** Reading whole logs, beside the least that it takes. */
export const measureLog = async (options: LogOptions, progress: Progress): Promise<readonly Table[]> => {
  const { histories, activities } = options
  const tables: Table[] = []
  for (const [index, length] of activities.entries()) {
    const title = (of: string): string => (index === 0 ? of : `${of}, ${rate(length)} activities`)
    const rounds = length < MANY ? options.rounds : 1
    tables.push(...(await measureOne({ activities: length, organizations: 1 }, { rounds, title, histories }, progress)))
    histories.forget({ activities: length, organizations: 1 })
  }
  return tables
}

/** A log of this length is read for minutes: once is enough, because nothing short disturbs it. */
const MANY = 1_000_000

type One = { readonly rounds: number; readonly title: (of: string) => string; readonly histories: Histories }

const measureOne = async (
  size: Size,
  { rounds, title, histories }: One,
  progress: Progress,
): Promise<readonly Table[]> => {
  const { activities } = size
  const { path, seed } = await histories.of(size)
  const file = await histories.exported(size)
  const claim = claimOf('API_KEY_CURVE_P256')
  const events = 2 * activitiesOf(size)
  const variant = (name: string, job: string, options: unknown, total: number, before: readonly string[] = []) => ({
    name,
    measure: () => shown(`log: ${name}`, total, progress, (passed) => inOwnProcess(job, options, { before, passed })),
  })
  const replayed = { path, organizationId: seed.organizationId }
  const reads = await inRounds(rounds, [
    ...(hasTaskset
      ? [
          variant(PARSE_ONE, 'parse', { file }, events, ONE_CORE),
          variant(REPLAY_ONE, 'replay', replayed, events, ONE_CORE),
        ]
      : []),
    variant(PARSE, 'parse', { file }, events),
    variant(REPLAY, 'replay', replayed, events),
    variant(VERIFY, 'verify', { claim, count: activities }, activities),
    variant(AUDIT, 'auditFile', { file }, activities),
  ])
  return [
    tableOf(title('Replay'), replaySays(activities), 'events', reads, [
      [PARSE_ONE, PARSE_ONE],
      [REPLAY_ONE, PARSE_ONE],
      [PARSE, PARSE],
      [REPLAY, PARSE],
    ]),
    tableOf(title('Audit'), auditSays(activities), 'stamps', reads, [
      [VERIFY, VERIFY],
      [AUDIT, VERIFY],
    ]),
  ]
}

const PARSE_ONE = 'one core: reading and parsing the exported file'
const REPLAY_ONE = 'one core: replay of the store'
const PARSE = 'all cores: reading and parsing the exported file'
const REPLAY = 'all cores: replay of the store'
const VERIFY = 'verifying alone, all cores'
const AUDIT = 'audit of the exported file'

/** Keeps a process and all its threads on one core. Linux has it; elsewhere that row is left out. */
const ONE_CORE = ['taskset', '-c', '0']
const hasTaskset = ((): boolean => {
  try {
    execFileSync('taskset', ['-c', '0', process.execPath, '--version'], { stdio: 'ignore' })
    return availableParallelism() > 1
  } catch {
    return false
  }
})()

type How = { readonly before: readonly string[]; readonly passed: (done: number) => void }

const inOwnProcess = (job: string, options: unknown, { before, passed }: How): Promise<Read> =>
  inChild(new URL('./log-program.ts', import.meta.url), (child) => child.ask<Read>(job, options, passed), before)

/** @param pairs  what is told, each with what it is compared with */
const tableOf = (
  title: string,
  says: string,
  what: string,
  reads: ReadonlyMap<string, readonly Read[]>,
  pairs: readonly (readonly [name: string, base: string])[],
): Table => {
  const of = (name: string): readonly Read[] => reads.get(name) ?? []
  const rates = (name: string): readonly number[] => of(name).map(({ count, ms }) => (count / ms) * 1000)
  return {
    title,
    says,
    columns: ['what', `${what} per second`, 'CPU µs', 'peak memory', '× the least'],
    rows: pairs
      .filter(([name]) => reads.has(name))
      .map(([name, base]) => [
        name,
        rate(median(rates(name))),
        median(of(name).map(({ count, cpuMs }) => (cpuMs / count) * 1000)).toFixed(1),
        megabytes(median(of(name).map(({ peakBytes }) => peakBytes))),
        ratio(rates(name), rates(base)),
      ]),
  }
}

const replaySays = (activities: number): string =>
  `${rate(activities)} activities of one organization, two events each. Replay reads the store, decodes every event and folds it into the ` +
  "organization's state; beside it, the exported file is read and every line of it parsed as JSON. " +
  (hasTaskset
    ? 'One core is `taskset -c 0`, for both. `CPU µs` is what the process used in all its threads for one event.'
    : 'There is no row for one core: this machine has no `taskset`, or no second core.')

const auditSays = (activities: number): string =>
  `The same log of ${rate(activities)} activities, exported: chains, parts, every stamp, every decision and every execution, beside verifying ` +
  'as many signatures and nothing else.'
