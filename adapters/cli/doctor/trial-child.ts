import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Task } from './trial-process.ts'
import type { TrialStore } from './trial-store.ts'

/** A process of a trial. */
export type TrialChild = {
  /** The lines that it has printed. */
  readonly lines: readonly string[]
  /** Waits until it has printed so many lines. */
  readonly printed: (count: number) => Promise<void>
  /** Tells it to begin. */
  readonly go: () => void
  readonly kill: () => Promise<void>
  /** Waits for its end; rejects if it did not end well. */
  readonly ended: () => Promise<void>
}

const running = new Set<ChildProcess>()

/** Ends the processes of trials that did not end them. */
export const endChildren = (): void => running.forEach((child) => child.kill('SIGKILL'))

/** Starts a process with a task. It ends with this one. */
export const startChild = (task: Task, store: TrialStore): TrialChild => {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js' // in the package, it was compiled
  const file = fileURLToPath(new URL(`./trial-process.${extension}`, import.meta.url))
  const child = spawn(process.execPath, [...process.execArgv, file], { stdio: ['pipe', 'pipe', 'ignore'] })
  child.stdin.on('error', () => undefined) // it was killed
  child.stdin.write(`${JSON.stringify({ task, store })}\n`)
  const lines: string[] = []
  const reader = createInterface(child.stdout)
  reader.on('line', (line) => lines.push(line))
  running.add(child)
  const exit = once(child, 'exit')
  void exit.then(() => running.delete(child))
  const closing = once(reader, 'close')
  return {
    lines,
    printed: async (count) => {
      while (lines.length < count) {
        const isOver = await Promise.race([once(reader, 'line').then(() => false), closing.then(() => true)])
        if (isOver && lines.length < count) throw new Error('a process of the trial has ended early')
      }
    },
    go: () => void child.stdin.write('go\n'),
    kill: async () => {
      child.kill('SIGKILL')
      await Promise.all([exit, closing])
    },
    ended: async () => {
      const [code] = (await exit) as [number | null]
      await closing
      if (code !== 0) throw new Error('a process of the trial has failed')
    },
  }
}
