import { execFileSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { startChild } from './child.ts'
import { median, megabytes, rate, ratio, rounds as inRounds, type Progress, type Table } from './figures.ts'
import type { Histories } from './histories.ts'
import type { Read } from './log-program.ts'
import { claimOf } from './measure-signatures.ts'

export type LogOptions = { readonly rounds: number; readonly activities: number; readonly histories: Histories }

/** Reading a whole log, beside the least that it takes. */
export const measureLog = async (
  { rounds, activities, histories }: LogOptions,
  progress: Progress,
): Promise<readonly Table[]> => {
  const size = { activities, organizations: 1 }
  const { path, seed } = await histories.of(size)
  const file = await histories.exported(size)
  const claim = claimOf('API_KEY_CURVE_P256')
  const parse = (before: readonly string[]) => () => inOwnProcess('parse', { file }, before)
  const replay = (before: readonly string[]) => () =>
    inOwnProcess('replay', { path, organizationId: seed.organizationId }, before)
  const variants = [
    ...(hasTaskset
      ? [
          { name: PARSE_ONE, measure: parse(ONE_CORE) },
          { name: REPLAY_ONE, measure: replay(ONE_CORE) },
        ]
      : []),
    { name: PARSE, measure: parse([]) },
    { name: REPLAY, measure: replay([]) },
    { name: VERIFY, measure: () => inOwnProcess('verify', { claim, count: activities }) },
    { name: AUDIT, measure: () => inOwnProcess('auditFile', { file }) },
  ].map(({ name, measure }) => ({
    name,
    measure: () => {
      progress(`log: ${name}`)
      return measure()
    },
  }))
  const reads = await inRounds(rounds, variants)
  return [
    tableOf('Replay', replaySays(activities), 'events', reads, [
      [PARSE_ONE, PARSE_ONE],
      [REPLAY_ONE, PARSE_ONE],
      [PARSE, PARSE],
      [REPLAY, PARSE],
    ]),
    tableOf('Audit', auditSays(activities), 'stamps', reads, [
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

const inOwnProcess = async (job: string, options: unknown, before: readonly string[] = []): Promise<Read> => {
  const child = startChild(new URL('./log-program.ts', import.meta.url), [], before)
  try {
    return await child.ask<Read>(job, options)
  } finally {
    await child.close()
  }
}

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
