import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inChild } from './child.ts'
import { median, rate, ratio, rounds as inRounds, type Progress, type Table } from './figures.ts'
import type { Place } from './notes.ts'
import type { Noted, NotesAsked } from './personal-program.ts'
import type { Read } from './timed.ts'

export type PersonalOptions = {
  readonly rounds: number
  /** Activities of each log. */
  readonly activities: number
}

/** What it costs that personal data stands in parts of events, where it can be erased. */
export const measurePersonal = async ({ rounds, activities }: PersonalOptions, progress: Progress): Promise<Table> => {
  const measured = await inRounds(
    rounds,
    PLACES.map(([place, name]) => ({
      name: place,
      measure: () => {
        progress(`personal: ${name}`)
        return jobsOn(place, activities)
      },
    })),
  )
  const readsOf = (place: Place, job: keyof Jobs): readonly Read[] =>
    (measured.get(place) ?? []).map((jobs) => jobs[job])
  const rates = (place: Place, job: keyof Jobs) => readsOf(place, job).map(({ count, ms }) => (count / ms) * 1000)
  const cpu = (place: Place, job: keyof Jobs) => readsOf(place, job).map(({ count, cpuMs }) => (cpuMs / count) * 1000)
  return {
    title: 'Personal data in parts',
    says:
      `${rate(activities)} activities of one organization, which replace a text about a person: in the line of the event; in a personal ` +
      'part beside it, where it can be erased; and there with the address of the caller in a personal part of the request. Submits are ' +
      'durable, 64 at once, in the process of the engine, on SQLite; replay and audit as in the tables before.',
    columns: ['what', 'the text stands', 'per second', 'CPU µs', '× in the line', 'CPU × in the line'],
    rows: JOBS.flatMap(([job, what]) =>
      PLACES.map(([place, name]) => [
        what,
        name,
        rate(median(rates(place, job))),
        median(cpu(place, job)).toFixed(1),
        ratio(rates(place, job), rates('line', job)),
        ratio(cpu(place, job), cpu('line', job)),
      ]),
    ),
  }
}

type Jobs = { readonly submit: Read; readonly replay: Read; readonly audit: Read }

const JOBS: readonly (readonly [keyof Jobs, string])[] = [
  ['submit', 'submits'],
  ['replay', 'replay, events'],
  ['audit', 'audit, stamps'],
]

const PLACES: readonly (readonly [Place, string])[] = [
  ['line', 'in the line'],
  ['part', 'in a part'],
  ['address', 'in a part, with the address'],
]

const jobsOn = async (place: Place, count: number): Promise<Jobs> => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
  const [path, file] = [join(folder, 'log.db'), join(folder, 'log.jsonl')]
  try {
    const noted = await ask<Noted>('./personal-program.ts', 'submit', { path, place, count } satisfies NotesAsked)
    const replay = await ask<Read>('./log-program.ts', 'replay', { path, organizationId: noted.organizationId })
    await ask('./log-program.ts', 'exportTo', { path, file })
    return { submit: noted.read, replay, audit: await ask<Read>('./log-program.ts', 'auditFile', { file }) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const ask = <A>(program: string, job: string, options: unknown): Promise<A> =>
  inChild(new URL(program, import.meta.url), (child) => child.ask<A>(job, options))
