import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inChild } from './child.ts'
import { median, megabytes, rate, ratio, rounds as inRounds, type Progress, type Table } from './figures.ts'
import type { MadeLog } from './simulation-program.ts'
import type { Read } from './timed.ts'

export type SimulationBench = {
  readonly rounds: number
  /** Activities of the log. */
  readonly activities: number
}

/** Taking all decisions of a log again with other policies, beside replaying the log. */
export const measureSimulation = async (
  { rounds, activities }: SimulationBench,
  progress: Progress,
): Promise<Table> => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
  try {
    progress(`simulation: ${rate(activities)} activities are made`)
    const made = await ask<MadeLog>('make', { path: join(folder, 'log.db'), activities })
    const measured = await inRounds(
      rounds,
      JOBS.map(([job, name]) => ({
        name,
        measure: () => {
          progress(`simulation: ${name}`)
          return ask<Read>(job, made)
        },
      })),
    )
    const times = (name: string): readonly number[] => (measured.get(name) ?? []).map(({ ms }) => ms)
    const [[, base]] = JOBS
    return {
      title: 'Simulation of policies',
      says:
        `${rate(activities)} activities of one organization, each allowed by one of ten policies, are replayed; and their decisions are taken ` +
        'again with ten policies from a file, which are the same: reading and decoding the requests is a part of it.',
      columns: ['what', 'events per second', 'peak memory', '× the time of a replay'],
      rows: JOBS.map(([, name]) => [
        name,
        rate(median((measured.get(name) ?? []).map(({ count, ms }) => (count / ms) * 1000))),
        megabytes(median((measured.get(name) ?? []).map(({ peakBytes }) => peakBytes))),
        ratio(times(name), times(base)),
      ]),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const JOBS = [
  ['replay', 'replay of the organization'],
  ['simulate', 'simulation'],
] as const

const ask = <A>(job: string, options: unknown): Promise<A> =>
  inChild(new URL('./simulation-program.ts', import.meta.url), (child) => child.ask<A>(job, options))
