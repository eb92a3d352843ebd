import { spawn } from 'node:child_process'
import { constants, copyFileSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { stamper } from 'countersign/signatures'
import { httpClient } from '../crash/http-client.ts'
import { median, megabytes, ms, rate, type Progress, type Table } from './figures.ts'
import type { Histories } from './histories.ts'
import { encode, renaming, type Seed } from './seed.ts'

export type HistoryOptions = {
  readonly rounds: number
  readonly activities: readonly number[]
  readonly organizations: readonly number[]
  readonly histories: Histories
}

/** Starting, and the first steps after it, on histories of different lengths. */
export const measureHistory = async (options: HistoryOptions, progress: Progress): Promise<Table> => {
  const rows: (string | number)[][] = []
  const cases = [
    ...options.activities.map((activities) => ({ activities, organizations: 1 })),
    ...options.organizations.map((organizations) => ({ activities: 100, organizations })),
  ]
  for (const size of cases) {
    const { path: made, seed } = await options.histories.of(size)
    progress(`history: ${rate(size.activities)} activities, ${rate(size.organizations)} organizations`)
    // Starting writes: a history stays as it was made.
    const path = join(options.histories.folder, 'started.db')
    copyFileSync(made, path, constants.COPYFILE_FICLONE)
    try {
      const starts: Start[] = []
      for (let round = 0; round < options.rounds; round += 1) starts.push(await measureStart(path, seed, round))
      const of = (pick: (start: Start) => number): number => median(starts.map(pick))
      rows.push([
        rate(size.activities),
        rate(size.organizations),
        megabytes(statSync(made).size),
        ms(of(({ startMs }) => startMs)),
        megabytes(of(({ rssBytes }) => rssBytes)),
        ms(of(({ firstMs }) => firstMs)),
        ms(of(({ nextMs }) => nextMs)),
      ])
    } finally {
      for (const suffix of ['', '-wal', '-shm', '.lock']) rmSync(`${path}${suffix}`, { force: true })
    }
  }
  return {
    title: 'Long histories',
    says:
      '`countersign serve` on a store that is there: from the start of the process to the listening line, memory (RSS) after it, ' +
      'and one durable submit over HTTP: the first, which loads the organization, and the median of the next 20.',
    columns: ['activities', 'organizations', 'file', 'start ms', 'memory', 'first submit ms', 'next submits ms'],
    rows,
  }
}

type Start = { readonly startMs: number; readonly rssBytes: number; readonly firstMs: number; readonly nextMs: number }

const NEXT = 20

const measureStart = async (path: string, seed: Seed, round: number): Promise<Start> => {
  const startedAt = performance.now()
  const args = [
    'dist/adapters/cli/main.js',
    'serve',
    '--store',
    `sqlite:${path}`,
    '--port',
    '0',
    '--log-level',
    'error',
  ]
  const server = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  const url = await listening(server.stdout)
  const startMs = performance.now() - startedAt
  const rssBytes = rssOf(server.pid)
  const client = httpClient()
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
  client.close()
  server.kill('SIGTERM')
  await ended
  const [firstMs = Number.NaN, ...next] = times
  return { startMs, rssBytes, firstMs, nextMs: median(next) }
}

const listening = (stdout: NodeJS.ReadableStream): Promise<string> =>
  new Promise((resolve, reject) => {
    const lines = createInterface(stdout)
    lines.on('line', (line) => resolve(line.replace(/^listening on /, '')))
    lines.on('close', () => reject(new Error('the server did not start')))
  })

/** Linux says it in a file; elsewhere it is left out. */
const rssOf = (pid: number | undefined): number => {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
  } catch {
    return Number.NaN
  }
}
