import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import type { Page } from './read-log.ts'
import type { Step } from './read-steps.ts'
import { startWorker } from './start-worker.ts'

/** What the reading thread is started with. It writes into `ready` once it can read. */
export type ReadOptions = { readonly path: string; readonly ready: Int32Array<SharedArrayBuffer> }
/** To the reading thread. */
export type ReadAsked =
  { readonly _tag: 'read'; readonly ticket: number; readonly page: Page } | { readonly _tag: 'close' }
/** Its answer; `undefined`: the store had better read them itself. */
export type ReadTold = { readonly ticket: number; readonly steps: Steps }
type Steps = readonly Step[] | undefined

/** Reads on another thread: while it takes a page out of SQLite, this one works on the page before. */
export type ReadElsewhere = {
  readonly steps: (page: Page) => Promise<Steps>
  /** Lets everything that was asked before be done, then ends the thread. */
  readonly close: () => Promise<void>
}

/**
 * The thread is started when it is first asked. Until it is ready, after it has ended, and where there is but one processor,
 * the store reads itself: nothing ever waits for a thread to start.
 */
export const readElsewhere = (path: string, processors = availableParallelism()): ReadElsewhere => {
  const waiting = new Map<number, (steps: Steps) => void>()
  let tickets = 0
  let worker: Worker | undefined
  let ended: Promise<void> = Promise.resolve()
  // A message would not be heard: who reads page after page on one thread never comes to its messages.
  const ready = new Int32Array(new SharedArrayBuffer(4))
  let isOver = processors < 2

  const start = (): void => {
    const started = startWorker('reader', { path, ready } satisfies ReadOptions)
    worker = started
    started.unref() // a process does not end while somebody waits, but may while nobody does
    started.on('message', ({ ticket, steps }: ReadTold) => {
      waiting.get(ticket)?.(steps)
      waiting.delete(ticket)
      if (waiting.size === 0 && !isOver) started.unref()
    })
    started.on('error', () => {}) // 'exit' follows
    ended = new Promise((resolve) => {
      started.once('exit', () => {
        isOver = true
        for (const answer of waiting.values()) answer(undefined)
        waiting.clear()
        resolve()
      })
    })
  }

  const ask = (asked: ReadAsked): void => worker?.postMessage(asked, [])

  return {
    steps: (page) => {
      if (!isOver && worker === undefined) start()
      if (isOver || Atomics.load(ready, 0) === 0) return Promise.resolve(undefined)
      return new Promise((resolve) => {
        waiting.set(++tickets, resolve)
        if (waiting.size === 1) worker?.ref()
        ask({ _tag: 'read', ticket: tickets, page })
      })
    },
    close: async () => {
      isOver = true
      ask({ _tag: 'close' })
      worker?.ref()
      await ended
    },
  }
}
