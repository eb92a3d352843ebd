/*
 * A second thread that reads the log: while it reads a page from SQLite, the store's own thread works on the page before.
 */
import { parentPort, workerData } from 'node:worker_threads'
import type { ReadAsked, ReadOptions, ReadTold } from './read-elsewhere.ts'
import { logReader, type LogReader, type Page } from './read-log.ts'
import type { Step } from './read-steps.ts'

const port = parentPort
if (port === null) throw new Error('reader.ts runs as a worker of the SQLite store')

const tell = (told: ReadTold, transfer: ArrayBuffer[]): void => port.postMessage(told, transfer)

const stepsOf = (reader: LogReader, page: Page): readonly Step[] | undefined => {
  try {
    return reader.steps(page)
  } catch {
    return undefined // the store then reads the page itself, and reports the error
  }
}

/** libsql gives each value a buffer of its own, so it can be transferred. */
const buffersOf = (steps: readonly Step[]): ArrayBuffer[] => {
  const buffers = new Set<ArrayBufferLike>()
  for (const { lines, parts } of steps) {
    buffers.add(lines.buffer)
    if (parts !== undefined) buffers.add(parts.bytes.buffer)
  }
  return [...buffers].filter((buffer) => buffer instanceof ArrayBuffer)
}

const { path, ready } = workerData as ReadOptions // the store starts us with nothing else
const reader = logReader(path)
port.on('message', (message: ReadAsked) => {
  if (message._tag === 'close') {
    reader.close()
    port.close()
    return
  }
  const steps = stepsOf(reader, message.page)
  tell({ ticket: message.ticket, steps }, buffersOf(steps ?? []))
})
Atomics.store(ready, 0, 1)
