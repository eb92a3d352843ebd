import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
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
  through !== undefined ||
  'COUNTERSIGN_CRASH_AT' in env ||
  args[0] === 'watch' ||
  (args[0] === 'doctor' && !args.includes('--quick')) // its trials have processes

/** Runs the real command line in a process of its own, to its end. */
export const runProcess = async (args: readonly string[], options: RunOptions): Promise<Ended> => {
  const cli = begin(args, options)
  cli.child.stdin?.on('error', () => undefined).end(options.input ?? '') // a command may end before it has read all
  return cli.ended
}

export type Served = {
  readonly url: string
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  /** Sends SIGTERM and waits for the end. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<Ended>
}

/** Starts `countersign serve` with these flags on a free port, and waits for the line that says where it listens. */
export const serve = async (args: readonly string[], options: RunOptions): Promise<Served> => {
  const { child, ended, line } = begin(['serve', '--port', '0', '--log-level', 'warn', ...args], options)
  const first = await Promise.race([
    line,
    ended.then(({ stderr }) => Promise.reject(new Error(`serve ended: ${stderr}`))),
  ])
  const url = /^listening on (http:\/\/\S+)$/.exec(first)?.[1]
  if (url === undefined) throw new Error(`not the listening line: ${first}`)
  const stop = (signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> => {
    child.kill(signal)
    return ended
  }
  return { url, child, ended, stop }
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

const begin = (args: readonly string[], { cwd, env, through = [] }: RunOptions) => {
  const there = through.length === 0 ? [] : [...through, 'env', '-C', cwd] // another namespace begins at its root
  const [command = process.execPath, ...words] = [...there, process.execPath, ...program, ...args]
  const child = spawn(command, words, {
    cwd,
    env: { ...clean, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  const line = new Promise<string>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString()
      if (stdout.includes('\n')) resolve(stdout.split('\n', 1).join(''))
    })
  })
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
  })
  return { child, line, ended }
}

export const root = fileURLToPath(new URL('../../..', import.meta.url))

const newest = (folder: string): number =>
  Math.max(
    ...readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry) =>
      entry.isFile() ? statSync(join(entry.parentPath, entry.name)).mtimeMs : 0,
    ),
  )

const built = join(root, 'dist/bin/countersign.js')
const isBuilt =
  existsSync(built) && statSync(built).mtimeMs > Math.max(newest(join(root, 'core')), newest(join(root, 'adapters')))
/** The arguments of Node: what was built, where it was built from these sources, because it starts sooner; else the sources. */
export const program = isBuilt ? [built] : ['--import', import.meta.resolve('tsx'), join(root, 'adapters/cli/main.ts')]

const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('COUNTERSIGN_')))
