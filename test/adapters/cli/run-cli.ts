import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BIN, isBuilt } from '../../package/built.ts'
import { runInside } from './run-inside.ts'

export type Ended = {
  readonly code: number | null
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
}

export type RunOptions = {
  readonly cwd: string
  readonly env?: { readonly [name: string]: string }
  readonly input?: string
  /** The words before the command, where it has to be run by another. */
  readonly through?: readonly string[]
}

/** Runs the command line to its end: in this process, unless it lasts, dies, is started by another or starts others. */
export const run = (args: readonly string[], options: RunOptions): Promise<Ended> =>
  isOfProcess(args, options) ? runProcess(args, options) : runInside(args, options)

const isOfProcess = (args: readonly string[], { env = {}, through }: RunOptions): boolean =>
  through !== undefined || // also where it is empty: a process that has ended keeps no file open
  'COUNTERSIGN_CRASH_AT' in env ||
  args[0] === 'watch' ||
  (args[0] === 'doctor' && args.includes('--full')) // its trials have processes

/** Runs the real command line in a process of its own, to its end. */
export const runProcess = async (args: readonly string[], options: RunOptions): Promise<Ended> => {
  const { child, ended } = start(args, options)
  child.stdin?.on('error', () => undefined).end(options.input ?? '') // a command may end before it has read all
  return ended
}

export type Started = {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  /** Waits until standard output or standard error matches; rejects if the process ends before. */
  readonly said: (pattern: RegExp) => Promise<RegExpExecArray>
}

export type Served = Started & {
  readonly url: string
  /** Sends SIGTERM and waits for the end. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<Ended>
}

/** Starts `countersign serve` with these flags on a free port, and waits for the line that says where it listens. */
export const serve = async (args: readonly string[], options: RunOptions): Promise<Served> => {
  const started = start(['serve', '--port', '0', '--log-level', 'warn', ...args], options)
  const { child, ended, said } = started
  const [, url = ''] = await said(/^listening on (http:\/\/\S+)\n/)
  const stop = (signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> => {
    child.kill(signal)
    return ended
  }
  return { ...started, url, stop }
}

/** A folder that is gone when the process ends. */
export const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'countersign-cli-'))
  folders.push(path)
  return path
}
const folders: string[] = []
process.on('exit', () => folders.forEach((path) => rmSync(path, { recursive: true, force: true })))

export const json = (path: string): { readonly [member: string]: unknown } =>
  JSON.parse(readFileSync(path, 'utf8')) as { readonly [member: string]: unknown } // every file of ours is an object

/** Starts the command line in a process of its own, with an input that stays open. */
export const start = (args: readonly string[], { cwd, env, through = [] }: RunOptions): Started => {
  const there = through.length === 0 ? [] : [...through, 'env', '-C', cwd] // another namespace begins at its root
  const [command = process.execPath, ...words] = [...there, process.execPath, ...program, ...args]
  const child = spawn(command, words, { cwd, env: { ...clean, ...env }, stdio: ['pipe', 'pipe', 'pipe'] })
  let [stdout, stderr] = ['', '']
  let isOver = false
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code, signal) => {
      isOver = true
      resolve({ code, signal, stdout, stderr })
    })
  })
  const said = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const found = pattern.exec(stdout) ?? pattern.exec(stderr)
      if (found !== null) return found
      if (isOver) throw new Error(`it ended before it said ${String(pattern)}: ${stderr}`)
      await Promise.race([once(child.stdout, 'data'), once(child.stderr, 'data'), ended])
    }
  }
  return { child, ended, said }
}

export const root = fileURLToPath(new URL('../../..', import.meta.url))

/** The arguments of Node: what was built, where it was built from these sources, because it starts sooner; else the sources. */
export const program = isBuilt(root)
  ? [join(root, BIN)]
  : ['--import', import.meta.resolve('tsx'), join(root, 'adapters/cli/main.ts')]

const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('COUNTERSIGN_')))
