import { statSync } from 'node:fs'
import { join } from 'node:path'
import { inChild } from './child.ts'
import type { Place } from './copy-program.ts'
import type { Size } from './disk.ts'
import { median, megabytes, rate, ratio, rounds as inRounds, type Progress, type Table } from './figures.ts'
import { shown, type Histories } from './histories.ts'
import { inDatabase } from './postgres-database.ts'
import type { Read } from './timed.ts'

const PROGRAM = new URL('./copy-program.ts', import.meta.url)

export type CopyOptions = {
  /** Events of each log that is copied: of a short one and of a long one, so that the memory of both can be compared. */
  readonly events: readonly number[]
  readonly histories: Histories
}

type Copied = Read & { readonly sha256: string }

/** Copies logs from SQLite to PostgreSQL and back. Or says why it cannot be measured. */
export const measureCopy = ({ events, histories }: CopyOptions, progress: Progress): Promise<Table | string> =>
  inDatabase(async ({ url }) => {
    const rows: (string | number)[][] = []
    for (const [n, many] of events.entries()) {
      // An activity of the bench has two events, and so has the beginning of the organization, and that of the tag.
      const size: Size = { activities: many / 2, organizations: 1 }
      const { path } = await histories.of(size)
      const there: Place = { url, schema: `copy_${n}` }
      const back: Place = { path: join(histories.folder, `copy-${n}-${process.pid}.db`) }
      const copy = (what: string, from: Place, to: Place) =>
        shown(what, 2 * many, progress, (passed) =>
          inChild(PROGRAM, (child) => child.ask<Copied>('copy', { from, to }, passed)),
        )
      const first = await copy(`copying ${rate(many)} events to PostgreSQL`, { path }, there)
      const second = await copy(`copying ${rate(many)} events back to SQLite`, there, back)
      progress('comparing the exports')
      const exports = await Promise.all(
        [{ path }, there, back].map((place) => inChild(PROGRAM, (child) => child.ask<string>('exported', { place }))),
      )
      if (new Set(exports).size !== 1) throw new Error('the exports of the copies differ')
      const sizeOf = megabytes(statSync(path).size)
      rows.push(row('SQLite to PostgreSQL', first, sizeOf), row('PostgreSQL to SQLite', second, sizeOf))
    }
    return {
      title: 'Copying a log',
      says:
        '`countersign copy` from SQLite to PostgreSQL, and from there into a new SQLite file. A copy is read once more in the end, to compare its hash; ' +
        'that is part of the time. The exports of all three stores had the same bytes, or the bench had ended.',
      columns: ['from and to', 'events', 'SQLite file', 'seconds', 'events per second', 'CPU µs', 'peak memory'],
      rows,
    }
  })

const row = (name: string, { count, ms, cpuMs, peakBytes }: Copied, size: string): (string | number)[] => [
  name,
  rate(count),
  size,
  (ms / 1000).toFixed(0),
  rate((count / ms) * 1000),
  ((cpuMs * 1000) / count).toFixed(0),
  megabytes(peakBytes),
]

export type ReplayOptions = { readonly rounds: number; readonly activities: number; readonly histories: Histories }

/** Replay of a log on PostgreSQL, beside parsing its rows. Or why it cannot be measured. */
export const measurePostgresReplay = (
  { rounds, activities, histories }: ReplayOptions,
  progress: Progress,
): Promise<Table | string> =>
  inDatabase(async ({ url }) => {
    const { path, seed } = await histories.of({ activities, organizations: 1 })
    const place = { url, schema: 'replay' }
    progress('replay on PostgreSQL: copying the log')
    await inChild(PROGRAM, (child) => child.ask('copy', { from: { path }, to: place }))
    progress('replay on PostgreSQL')
    const variant = (name: string, job: string, options: object) => ({
      name,
      measure: () => inChild(PROGRAM, (child) => child.ask<Read>(job, options)),
    })
    const reads = await inRounds(rounds, [
      variant(PARSE, 'parseRows', place),
      variant(REPLAY, 'replay', { ...place, organizationId: seed.organizationId }),
    ])
    const speeds = (name: string) => (reads.get(name) ?? []).map(({ count, ms }) => count / ms)
    return {
      title: 'Replay on PostgreSQL',
      says:
        `${rate(activities)} activities of one organization, two events each. Beside replay, the lines are read with the driver alone, in pages of ` +
        'one named statement, and each is parsed as JSON.',
      columns: ['what', 'events per second', 'CPU µs', 'peak memory', '× parsing the rows'],
      rows: [PARSE, REPLAY].map((name) => {
        const all = reads.get(name) ?? []
        return [
          name,
          rate(median(speeds(name)) * 1000),
          median(all.map(({ cpuMs, count }) => (cpuMs * 1000) / count)).toFixed(1),
          megabytes(median(all.map(({ peakBytes }) => peakBytes))),
          ratio(speeds(name), speeds(PARSE)),
        ]
      }),
    }
  })

const PARSE = 'reading and parsing the rows'
const REPLAY = 'replay of the store'
