import { spawn } from 'node:child_process'
import { constants, copyFileSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { stamper } from 'countersign/signatures'
import { httpClient, type HttpClient } from '../crash/http-client.ts'
import { activitiesOf, isCopied, isSame, type Size } from './disk.ts'
import { median, megabytes, ms, rate, type Progress, type Table } from './figures.ts'
import type { Histories } from './histories.ts'
import { encode, renaming, type Seed } from './seed.ts'
import { NOT_MEASURED } from './usage-columns.ts'

export type HistoryOptions = {
  readonly rounds: number
  readonly sizes: readonly Size[]
  /** Histories that are needed later; all others are removed when they were measured. */
  readonly later: readonly Size[]
  readonly histories: Histories
}

/** Starting, and the first steps after it, on histories of different lengths. */
export const measureHistory = async (options: HistoryOptions, progress: Progress): Promise<Table> => {
  const rows: (string | number)[][] = []
  for (const size of options.sizes) {
    rows.push(await rowOf(size, options, progress))
    if (!options.later.some((other) => isSame(other, size))) options.histories.forget(size)
  }
  return {
    title: 'Long histories',
    says:
      '`countersign serve` on a store that is there: from the start of the process to the listening line, memory (RSS) after it, ' +
      'and one durable submit over HTTP: the first, which loads the organization, and the median of the next 20. Then pages of ten ' +
      'activities: the first, and the hundredth by the cursor. The log was generated and imported; `fold ms` is the first load after ' +
      'that, once: without a snapshot, it folds the whole log. `bytes each` is the file by all its activities; each organization ' +
      'begins by one.',
    columns: [
      ...['activities', 'organizations', 'file', 'bytes each', 'fold ms', 'start ms', 'memory'],
      ...['first submit ms', 'next submits ms', 'first page ms', 'page 100 ms'],
    ],
    rows,
  }
}

const rowOf = async (
  size: Size,
  { histories, rounds }: HistoryOptions,
  progress: Progress,
): Promise<(string | number)[]> => {
  const { path: made, seed, foldMs } = await histories.of(size)
  progress(`history: ${rate(size.activities)} activities, ${rate(size.organizations)} organizations`)
  const bytes = statSync(made).size
  // Starting writes: a history stays as it was made.
  const path = isCopied(bytes) ? join(histories.folder, 'started.db') : made
  if (path !== made) copyFileSync(made, path, constants.COPYFILE_FICLONE)
  try {
    const starts: Start[] = []
    for (let round = 0; round < rounds; round += 1) starts.push(await measureStart(path, seed, `${Date.now()}`))
    const of = (pick: (start: Start) => number): number => median(starts.map(pick))
    return [
      rate(size.activities),
      rate(size.organizations),
      megabytes(bytes),
      rate(bytes / activitiesOf(size)),
      ms(foldMs),
      ms(of(({ startMs }) => startMs)),
      memoryCell(of(({ rssBytes }) => rssBytes)),
      ms(of(({ firstMs }) => firstMs)),
      ms(of(({ nextMs }) => nextMs)),
      ms(of(({ firstPageMs }) => firstPageMs)),
      pageCell(of(({ farPageMs }) => farPageMs)),
    ]
  } finally {
    if (path !== made) for (const suffix of ['', '-wal', '-shm', '.lock']) rmSync(`${path}${suffix}`, { force: true })
  }
}

const memoryCell = (bytes: number): string => (Number.isNaN(bytes) ? NOT_MEASURED : megabytes(bytes))
const pageCell = (tookMs: number): string => (Number.isNaN(tookMs) ? '–' : ms(tookMs))

type Start = {
  readonly startMs: number
  readonly rssBytes: number
  readonly firstMs: number
  readonly nextMs: number
  readonly firstPageMs: number
  /** Not a number where there are not so many pages. */
  readonly farPageMs: number
}

const NEXT = 20

const measureStart = async (path: string, seed: Seed, round: string): Promise<Start> => {
  const startedAt = performance.now()
  const args = ['dist/bin/countersign.js', 'serve', '--store', `sqlite:${path}`, '--port', '0', '--log-level', 'error']
  const server = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  const stop = (): void => void server.kill('SIGTERM')
  process.once('exit', stop) // if the bench is stopped
  const url = await listening(server.stdout)
  const startMs = performance.now() - startedAt
  const rssBytes = rssOf(server.pid)
  const client = httpClient('bench')
  const stamp = stamper(seed.key)
  // The connection is opened before: it belongs to the caller.
  await client.send(url, { kind: 'query', path: 'nothing', body: encode({}), stamp: 'none' })
  const times: number[] = []
  for (let n = 0; n <= NEXT; n += 1) {
    const body = renaming(seed, `after ${round}-${n}`)
    const sentAt = performance.now()
    const answer = await client.send(url, { kind: 'submit', path: 'update_user_tag', body, stamp: stamp(body) })
    times.push(performance.now() - sentAt)
    if (answer?.status !== 200) throw new Error(`a submit was answered with ${answer?.status}`)
  }
  const pages = await pageTimes(client, url, seed)
  client.close()
  stop()
  await ended
  process.off('exit', stop)
  const [firstMs = Number.NaN, ...next] = times
  return { startMs, rssBytes, firstMs, nextMs: median(next), ...pages }
}

const PAGES = 100
const ASKED = 5

/** The first page of the list of activities, and the last of the next hundred; each is asked for several times. */
const pageTimes = async (
  client: HttpClient,
  url: string,
  seed: Seed,
): Promise<Pick<Start, 'firstPageMs' | 'farPageMs'>> => {
  const stamp = stamper(seed.key)
  const page = async (before: string): Promise<{ readonly tookMs: number; readonly last: string | undefined }> => {
    const body = encode({ organizationId: seed.organizationId, paginationOptions: { limit: '10', before } })
    const sentAt = performance.now()
    const answer = await client.send(url, { kind: 'query', path: 'list_activities', body, stamp: stamp(body) })
    const tookMs = performance.now() - sentAt
    if (answer?.status !== 200) throw new Error(`a list was answered with ${answer?.status}`)
    const { activities } = answer.json as { readonly activities: readonly { readonly id: string }[] } // of this query
    return { tookMs, last: activities.at(-1)?.id }
  }
  const medianOf = async (before: string): Promise<number> => {
    const times: number[] = []
    for (let n = 0; n < ASKED; n += 1) times.push((await page(before)).tookMs)
    return median(times)
  }
  let cursor = ''
  for (let n = 1; n < PAGES; n += 1) {
    const { last } = await page(cursor)
    if (last === undefined) return { firstPageMs: await medianOf(''), farPageMs: Number.NaN }
    cursor = last
  }
  return { firstPageMs: await medianOf(''), farPageMs: await medianOf(cursor) }
}

const listening = (stdout: NodeJS.ReadableStream): Promise<string> =>
  new Promise((resolve, reject) => {
    const lines = createInterface(stdout)
    lines.on('line', (line) => resolve(line.replace(/^listening on /, '')))
    lines.on('close', () => reject(new Error('the server did not start')))
  })

/** Linux says it in a file; elsewhere there it is not a number. */
const rssOf = (pid: number | undefined): number => {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
  } catch {
    return Number.NaN
  }
}
