import { spawn } from 'node:child_process'
import { builtProgram } from '../built-program.ts'

/** A process of its own that does what it is asked. */
export type Child = {
  readonly pid: number
  /** @param onProgress  told now and then how much of a long job is done, in whatever the job counts */
  readonly ask: <A>(job: string, options?: unknown, onProgress?: (done: number) => void) => Promise<A>
  readonly close: () => Promise<void>
}

type Asked = { readonly id: number; readonly job: string; readonly options: unknown }
type Told = { readonly id: number; readonly result?: unknown; readonly error?: string; readonly done?: number }

/**
 * @param flags  of Node itself
 * @param before  what starts Node, such as `taskset -c 0`
 */
export const startChild = (file: URL, flags: readonly string[] = [], before: readonly string[] = []): Child => {
  const [command = '', ...args] = [...before, process.execPath, ...flags, ...builtProgram(file)]
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], serialization: 'advanced' })
  const waiting = new Map<number, (told: Told) => void>()
  let ids = 0
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.on('message', (told: Told) => waiting.get(told.id)?.(told))
  child.once('exit', () => {
    for (const [id, tell] of waiting) tell({ id, error: 'the process ended' })
  })
  return {
    pid: child.pid ?? 0,
    ask: <A>(job: string, options: unknown = {}, onProgress: (done: number) => void = () => undefined) =>
      new Promise<A>((resolve, reject) => {
        const id = ++ids
        waiting.set(id, ({ result, error, done }) => {
          if (done !== undefined) return onProgress(done)
          waiting.delete(id)
          if (error === undefined)
            resolve(result as A) // of the job that was asked for
          else reject(new Error(`${job}: ${error}`))
        })
        child.send({ id, job, options } satisfies Asked)
      }),
    close: async () => {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}

/** Starts such a process, and ends it after `use`, also if that throws. */
export const inChild = async <A>(
  file: URL,
  use: (child: Child) => Promise<A>,
  before: readonly string[] = [],
): Promise<A> => {
  const child = startChild(file, [], before)
  try {
    return await use(child)
  } finally {
    await child.close()
  }
}

/** The inside of such a process: answers each job with what its function returns, and ends with the process that asks. */
export const doJobs = (
  jobs: Readonly<Record<string, (options: never, progress: (done: number) => void) => Promise<unknown>>>,
  close: () => Promise<void> = async () => undefined,
): void => {
  process.on('message', ({ id, job, options }: Asked) => {
    const tell = (told: Omit<Told, 'id'>): void => void process.send?.({ id, ...told })
    const work = jobs[job]
    if (work === undefined) return tell({ error: 'no such job' })
    // The options are those of the job that was asked for.
    work(options as never, (done) => tell({ done })).then(
      (result) => tell({ result }),
      (error: unknown) =>
        tell({ error: error instanceof Error ? (error.stack ?? error.message) : JSON.stringify(error) }),
    )
  })
  process.on('disconnect', () => void close().then(() => process.exit()))
}
