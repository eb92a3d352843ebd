import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import type { Page } from './read-log.ts'
import type { Step } from './read-steps.ts'
import { startWorker } from './start-worker.ts'

/** The options of the reading thread. It writes into `ready` when it can read. */
export type ReadOptions = { readonly path: string; readonly ready: Int32Array<SharedArrayBuffer> }
/** A request to the reading thread. */
export type ReadAsked =
  { readonly _tag: 'read'; readonly ticket: number; readonly page: Page } | { readonly _tag: 'close' }
/** The answer of the reading thread; if it is `undefined`, the store reads the page itself. */
export type ReadTold = { readonly ticket: number; readonly steps: Steps }
type Steps = readonly Step[] | undefined

/** Reads on another thread: while it takes a page out of SQLite, this one works on the page before. */
export type ReadElsewhere = {
  readonly steps: (page: Page) => Promise<Steps>
  /** Waits until all earlier requests are done, then ends the thread. */
  readonly close: () => Promise<void>
}

/**
 * The thread is started at the first request. The store reads itself until the thread is ready, after it has ended, and if there is only
 * one processor: so nothing ever waits for the start of a thread.
 */
export const readElsewhere = (path: string, processors = availableParallelism()): ReadElsewhere => {
  const waiting = new Map<number, (steps: Steps) => void>()
  let tickets = 0
  let worker: Worker | undefined
  let ended: Promise<void> = Promise.resolve()
  // Shared memory and not a message: while the store's thread reads page after page, it does not receive messages.
  const ready = new Int32Array(new SharedArrayBuffer(4))
  let isOver = processors < 2

  const start = (): void => {
    const started = startWorker('reader', { path, ready } satisfies ReadOptions)
    worker = started
    started.unref() // the process may end if no request is waiting
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

  const ask = (message: ReadAsked): void => worker?.postMessage(message, [])

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
