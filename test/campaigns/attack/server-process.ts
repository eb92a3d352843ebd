import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { openSync, closeSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { builtProgram } from '../built-program.ts'
import type { ServerKind } from './attack.ts'

/** A server under attack, seen from outside. */
export type ServerProcess = {
  readonly url: string
  readonly pid: number
  /** How it ended, in words; `undefined` while it runs. */
  readonly ended: () => string | undefined
  /** The longest times for which its event loop did one thing since this was asked last. */
  readonly blocks: () => Promise<Blocks>
  /** What it logged as an error. */
  readonly errors: () => readonly string[]
  readonly close: () => Promise<void>
}

export type Blocks = {
  readonly wallMs: number
  /** On a processor. */
  readonly cpuMs: number
}

export type ServerOptions = {
  readonly kind: ServerKind
  /** A SQLite file that has the organizations. */
  readonly store: string
  /** A folder for its log. */
  readonly folder: string
  /** The folder whose `dist/` serves. */
  readonly from?: string
}

export const HEAP_MEGABYTES = 512

/** Starts a server, with no more heap than `HEAP_MEGABYTES`; rejects where it does not come to listen. */
export const startServer = async (options: ServerOptions): Promise<ServerProcess> => {
  const logFile = join(options.folder, `${options.kind}.log`)
  const log = openSync(logFile, 'w')
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${HEAP_MEGABYTES}`, '--import', PROBE, ...programOf(options)],
    {
      stdio: ['ignore', 'pipe', log, 'pipe'],
    },
  )
  closeSync(log)
  running.add(child)
  let [ended, blocks]: [string | undefined, Blocks] = [undefined, NO_BLOCKS]
  const over = new Promise<void>((resolve) => {
    child.once('close', (code, signal) => {
      running.delete(child)
      ended = `the server ended: ${signal ?? `code ${code}`}; ${tailOf(logFile)}`
      resolve()
    })
  })
  const told = createInterface(child.stdio[3] as Readable) // a pipe, as asked for above
  told.on('line', (line) => {
    const { wallMs, cpuMs } = JSON.parse(line) as { wallMs: number; cpuMs: number | null } // what the probe writes
    blocks = longer(blocks, { wallMs, cpuMs: cpuMs ?? Number.NaN }) // unknown is not short
  })
  const url = await Promise.race([listening(child), over.then(() => undefined)])
  if (url === undefined) throw new Error(ended)
  return {
    url,
    pid: child.pid ?? 0,
    ended: () => ended,
    blocks: async () => {
      await Promise.race([over, once(told, 'line').then(() => once(told, 'line'))]) // the second one is of now, or later
      const longest = blocks
      blocks = NO_BLOCKS
      return longest
    },
    errors: () => errorsIn(logFile),
    close: async () => {
      child.kill('SIGTERM')
      await over
    },
  }
}

const programOf = ({ kind, store, from = ROOT }: ServerOptions): readonly string[] =>
  kind === 'host'
    ? builtProgram(new URL('./slow-host.ts', import.meta.url), { store })
    : [join(from, 'dist/bin/countersign.js'), 'serve', '--store', `sqlite:${store}`, '--port', '0']

const listening = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    if (child.stdout === null) return
    createInterface(child.stdout).on('line', (line) => {
      const url = /^listening on (http\S+)$/.exec(line)?.[1]
      if (url !== undefined) resolve(url)
    })
  })

const longer = (a: Blocks, b: Blocks): Blocks => ({
  wallMs: Math.max(a.wallMs, b.wallMs),
  cpuMs: Math.max(a.cpuMs, b.cpuMs),
})

const errorsIn = (logFile: string): readonly string[] =>
  readFileSync(logFile, 'utf8')
    .split('\n')
    .filter((line) => /^\{"level":[56]0\b/.test(line))

const tailOf = (logFile: string): string => readFileSync(logFile, 'utf8').trim().split('\n').slice(-3).join(' | ')

const NO_BLOCKS: Blocks = { wallMs: 0, cpuMs: 0 }
const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const PROBE = new URL('./loop-probe.mjs', import.meta.url).href
const running = new Set<ChildProcess>()

process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
