import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild } from './child.ts'
import { median, megabytes, rate, ratio, type Progress, type Table } from './figures.ts'
import type { Read } from './log-program.ts'
import { makeHistory } from './measure-history.ts'
import { claimOf } from './measure-signatures.ts'

export type LogOptions = { readonly rounds: number; readonly activities: number }

/** Reading a whole log, beside the least that it takes. */
export const measureLog = async ({ rounds, activities }: LogOptions, progress: Progress): Promise<readonly Table[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
  const [path, file] = [join(folder, 'store.db'), join(folder, 'export.ndjson')]
  try {
    progress(`log: making ${rate(activities)} activities`)
    const { organizationId } = await makeHistory({ path, activities, organizations: 1 })
    await inOwnProcess('exportTo', { path, file })
    const reads: Record<string, Read[]> = { parse: [], replay: [], verify: [], audit: [] }
    const claim = claimOf('API_KEY_CURVE_P256')
    for (let round = 0; round < rounds; round += 1) {
      progress(`log: round ${round + 1}`)
      reads.parse?.push(await inOwnProcess('parse', { file }))
      reads.replay?.push(await inOwnProcess('replay', { path, organizationId }))
      reads.verify?.push(await inOwnProcess('verify', { claim, count: activities }))
      reads.audit?.push(await inOwnProcess('auditFile', { file }))
    }
    return [
      tableOf('Replay', replaySays(activities), 'events', [
        ['reading and parsing the exported file', reads.parse ?? []],
        ['replay of the store', reads.replay ?? []],
      ]),
      tableOf('Audit', auditSays, 'stamps', [
        ['verifying alone, all cores', reads.verify ?? []],
        ['audit of the exported file', reads.audit ?? []],
      ]),
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const inOwnProcess = async (job: string, options: unknown): Promise<Read> => {
  const child = startChild(new URL('./log-program.ts', import.meta.url))
  try {
    return await child.ask<Read>(job, options)
  } finally {
    await child.close()
  }
}

const tableOf = (
  title: string,
  says: string,
  what: string,
  variants: readonly (readonly [string, readonly Read[]])[],
): Table => {
  const rates = (reads: readonly Read[]): readonly number[] => reads.map(({ count, ms }) => (count / ms) * 1000)
  const base = rates(variants[0]?.[1] ?? [])
  return {
    title,
    says,
    columns: ['what', `${what} per second`, 'peak memory', '× first'],
    rows: variants.map(([name, reads]) => [
      name,
      rate(median(rates(reads))),
      megabytes(median(reads.map(({ peakBytes }) => peakBytes))),
      ratio(rates(reads), base),
    ]),
  }
}

const replaySays = (activities: number): string =>
  `${rate(activities)} activities of one organization, two events each. Replay reads the store, decodes every event and folds it into the ` +
  "organization's state; beside it, the exported file is read and every line of it parsed as JSON."

const auditSays =
  'The same log, exported: chains, parts, every stamp, every decision and every execution, beside verifying as many signatures and nothing else.'
