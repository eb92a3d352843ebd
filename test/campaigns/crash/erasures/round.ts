import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { builtProgram } from '../../built-program.ts'
import type { Random } from '../random.ts'
import { checkErased, checkFiles } from './check.ts'
import type { ErasureHostOptions } from './host.ts'
import type { Prepared } from './prepared.ts'

/** Where the process can be made to die while it erases: a point of the store, and how often it has been there. */
export const ERASURE_POINTS = [
  'before-append:1', // nothing is stored
  'within-group:1',
  'after-append:1', // the erasure is started
  'within-erasure:1',
  'after-erasure:1', // the parts are gone from the file, and not yet from its log
  'log-emptied:1', // the snapshot still has the data
  'within-drop:1',
  'after-erasure:2',
  'log-emptied:2', // all is gone, and nothing says so
  'before-append:2',
  'within-group:2',
  'after-append:2', // it is completed, and nobody has been told
] as const

/** How often the process dies, one time after the other, before it is left alone. */
export type ErasureRound = { readonly kills: readonly string[]; readonly engines: 1 | 3 }

export const atPoint = (at: string): ErasureRound => ({ kills: [at], engines: 1 })

export const atRandom = (random: Random): ErasureRound => ({
  kills: Array.from({ length: 1 + random.below(2) }, () => random.pick(ERASURE_POINTS) ?? ERASURE_POINTS[0]),
  engines: random.below(2) === 0 ? 1 : 3,
})

export const nameOf = ({ kills, engines }: ErasureRound): string =>
  `${kills.join(', ')}${engines === 1 ? '' : ', three engines'}`

export type ErasureReport = { readonly reached: number; readonly violations: readonly string[] }

/** Each start is so much later that the erasure is taken up again. */
const LATER_MS = 10 * 60_000

/** Kills the process that erases, starts it again until the person is erased, and checks what is left. */
export const runErasure = async (prepared: Prepared, { kills, engines }: ErasureRound): Promise<ErasureReport> => {
  const options = { path: prepared.path, ...prepared.request, engines }
  let reached = 0
  for (const [index, kill] of kills.entries())
    if (await dies({ ...options, aheadMs: index * LATER_MS }, kill)) reached += 1
  const host = start({ ...options, aheadMs: kills.length * LATER_MS })
  const said = await host.says('erased')
  const open = said ? checkFiles(prepared, 'of the running process') : [`it is not erased: ${host.output()}`]
  host.kill('SIGTERM')
  const code = await host.ended
  if (code !== 0) return { reached, violations: [...open, `it ended with ${code ?? 'a signal'}: ${host.output()}`] }
  return {
    reached,
    violations: [...open, ...checkFiles(prepared, 'of the closed store'), ...(await checkErased(prepared))],
  }
}

/** Whether the process died before it had ended its work. */
const dies = async (options: ErasureHostOptions, crashAt: string): Promise<boolean> => {
  const host = start(options, crashAt)
  const isDone = await host.says('erased')
  if (isDone) host.kill('SIGKILL') // with three engines others may have come there before
  await host.ended
  return !isDone
}

const HOST = new URL('./host.ts', import.meta.url)

const start = (options: ErasureHostOptions, crashAt?: string) => {
  const child = spawn(process.execPath, builtProgram(HOST, options), {
    cwd: fileURLToPath(new URL('../../../../', import.meta.url)),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...(crashAt === undefined ? {} : { COUNTERSIGN_CRASH_AT: crashAt }) },
  })
  const onExit = (): void => void child.kill('SIGKILL')
  process.once('exit', onExit)
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const lines = createInterface(child.stdout)
  lines.on('line', (line) => (output += `${line}\n`))
  const ended = new Promise<number | null>((resolve) =>
    child.on('close', (code, signal) => {
      if (signal !== null) output += `ended by ${signal}\n`
      process.off('exit', onExit)
      resolve(code)
    }),
  )
  return {
    ended,
    output: () => output,
    kill: (signal: 'SIGKILL' | 'SIGTERM') => void child.kill(signal),
    /** Resolves to whether it says so before it ends. */
    says: (word: string): Promise<boolean> =>
      Promise.race([
        new Promise<boolean>((resolve) => lines.on('line', (line) => line === word && resolve(true))),
        ended.then(() => false),
      ]),
  }
}
