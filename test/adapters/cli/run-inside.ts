import { once } from 'node:events'
import { Readable, Writable } from 'node:stream'
import { commandLine } from '../../../adapters/cli/command-line.ts'
import type { Ended, RunOptions } from './run-cli.ts'

/**
 * Runs the command line in this process: the same as in one of its own, but ten times as soon. Folder and variables belong to the process,
 * so one command runs after the other, and all is as it was when it has ended.
 */
export const runInside = (args: readonly string[], options: RunOptions): Promise<Ended> => {
  const ended = last.then(() => runAlone(args, options))
  last = ended.catch(() => undefined)
  return ended
}
let last: Promise<unknown> = Promise.resolve()

const runAlone = async (args: readonly string[], { cwd, env = {}, input = '' }: RunOptions): Promise<Ended> => {
  const before = { cwd: process.cwd(), env: { ...process.env } }
  const listeners = SIGNALS.map((name) => process.listeners(name))
  const stdout = collecting()
  const stderr = collecting()
  try {
    process.chdir(cwd)
    become({ ...without(before.env, 'COUNTERSIGN_'), ...env })
    const code = await commandLine(args, { stdin: Readable.from([Buffer.from(input)]), stdout, stderr })
    stdout.end()
    await once(stdout, 'finish')
    return { code, signal: null, stdout: stdout.text(), stderr: stderr.text() }
  } finally {
    process.chdir(before.cwd)
    become(before.env)
    for (const [index, name] of SIGNALS.entries())
      for (const listener of process.listeners(name))
        if (listeners[index]?.includes(listener) !== true) process.off(name, listener)
  }
}

const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const

type Environment = NodeJS.ProcessEnv

const without = (env: Environment, beginning: string): Environment =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith(beginning)))

const become = (env: Environment): void => {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
  Object.assign(process.env, env)
}

const collecting = (): Writable & { readonly text: () => string } => {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write: (chunk: Buffer, _, done) => {
      chunks.push(chunk)
      done()
    },
  })
  return Object.assign(stream, { text: () => Buffer.concat(chunks).toString() })
}
