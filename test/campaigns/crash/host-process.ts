import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { builtProgram } from '../built-program.ts'
import type { HostOptions } from './host.ts'

/** The server under test, from outside. */
export type HostProcess = {
  /** Its address, when it accepts connections; undefined where it ended before. */
  readonly ready: Promise<string | undefined>
  readonly ended: Promise<Ending>
  readonly hasEnded: () => boolean
  readonly kill: (signal?: 'SIGKILL' | 'SIGTERM' | 'SIGSTOP' | 'SIGCONT') => void
  readonly pid: number | undefined
}

export type Ending = { readonly code: number | null; readonly signal: string | null; readonly output: string }

/** Where a store is that is no file. */
export type StoreAddress = {
  readonly url: string
  /** Where it borrows its read models, if its log is on EventStoreDB. */
  readonly readModels?: { readonly url: string } | undefined
  /** What the names of its streams begin with there. */
  readonly prefix?: string | undefined
}

export type HostStart = {
  /** Where the store is to kill its process: `name:pass`, or to freeze it: `name:pass:SIGSTOP`. */
  readonly crashAt?: string | undefined
  readonly store?: StoreAddress | undefined
}

export const startHost = (options: HostOptions, { crashAt, store }: HostStart = {}): HostProcess => {
  const child = spawn(process.execPath, builtProgram(HOST, options), {
    cwd: fileURLToPath(new URL('../../../', import.meta.url)),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...(crashAt === undefined ? {} : { COUNTERSIGN_CRASH_AT: crashAt }),
      ...(store === undefined ? {} : { COUNTERSIGN_CRASH_STORE: JSON.stringify(store) }),
    },
  })
  running.add(child)
  let output = ''
  let isOver = false
  const lines = createInterface(child.stdout)
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = new Promise<Ending>((resolve) => {
    child.on('close', (code, signal) => {
      running.delete(child)
      isOver = true
      resolve({ code, signal, output })
    })
  })
  const listening = new Promise<string>((resolve) => {
    lines.on('line', (line) => {
      const url = /^listening on (http\S+)$/.exec(line)?.[1]
      if (url !== undefined) resolve(url)
    })
  })
  return {
    ready: Promise.race([listening, ended.then(() => undefined)]),
    ended,
    hasEnded: () => isOver,
    pid: child.pid,
    kill: (signal = 'SIGKILL') => void child.kill(signal),
  }
}

const HOST = new URL('./host.ts', import.meta.url)

const running = new Set<ChildProcess>()

process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
