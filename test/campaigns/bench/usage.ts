/** What a process uses: the processor time of its threads, what its main thread allocates, and what one of its threads writes. */
import { readdirSync, readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { GCProfiler } from 'node:v8'

/** So much since the measurement began. What the system does not tell is undefined. */
export type Usage = {
  /** Processor time of all threads. */
  readonly cpuUs: number
  readonly mainUs: number | undefined
  readonly writingUs: number | undefined
  /** All other threads: the pool that verifies signatures, the helpers of V8, and whatever else there is. */
  readonly restUs: number | undefined
  /** What the main thread allocated in its JavaScript heap, sooner or later garbage. */
  readonly allocatedBytes: number
  /** What the writing thread handed to the kernel. */
  readonly writtenBytes: number | undefined
}

/**
 * Begins to measure this process. The counters of the system are read once now and once at the end.
 *
 * @param writer  the id of the writing thread, if there is one and it is known
 * @returns a function that ends the measurement
 */
export const measureUsage = (writer: string | undefined): (() => Usage) => {
  const allocated = measureAllocation()
  const before = countersOf(writer)
  return () => usageOf(before, countersOf(writer), allocated())
}

export type Counters = {
  readonly cpuUs: number
  readonly mainUs: number | undefined
  readonly writingUs: number | undefined
  readonly writtenBytes: number | undefined
}

export const usageOf = (before: Counters, after: Counters, allocatedBytes: number): Usage => {
  const difference = (of: (counters: Counters) => number | undefined): number | undefined => {
    const [from, to] = [of(before), of(after)]
    return from === undefined || to === undefined ? undefined : to - from
  }
  const cpuUs = after.cpuUs - before.cpuUs
  const mainUs = difference((counters) => counters.mainUs)
  const writingUs = difference((counters) => counters.writingUs)
  return {
    cpuUs,
    mainUs,
    writingUs,
    // The total also has threads that have ended meanwhile. The clocks differ by a tick, so the rest of nothing can be below 0.
    restUs: mainUs === undefined ? undefined : Math.max(0, cpuUs - mainUs - (writingUs ?? 0)),
    allocatedBytes,
    writtenBytes: difference((counters) => counters.writtenBytes),
  }
}

const countersOf = (writer: string | undefined): Counters => {
  const { user, system } = process.cpuUsage()
  const of = (thread: string | undefined, file: string, read: (text: string) => number | undefined) => {
    const text = thread === undefined ? undefined : textOf(`/proc/self/task/${thread}/${file}`)
    return text === undefined ? undefined : read(text)
  }
  return {
    cpuUs: user + system,
    mainUs: of(String(process.pid), 'schedstat', onProcessorUs), // on Linux, the main thread has the id of the process
    writingUs: of(writer, 'schedstat', onProcessorUs),
    writtenBytes: of(writer, 'io', handedOverBytes),
  }
}

const textOf = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined // not Linux, or a kernel that does not count this
  }
}

/** Microseconds that a thread ran on a processor, from `/proc/<pid>/task/<tid>/schedstat`, whose first number is nanoseconds. */
export const onProcessorUs = (schedstat: string): number | undefined => {
  const [, ns] = /^(\d+) \d+ \d+\s*$/.exec(schedstat) ?? []
  return ns === undefined ? undefined : Number(ns) / 1000
}

/**
 * Bytes that a thread passed to `write` and its like, from `/proc/<pid>/task/<tid>/io`. `write_bytes` is not used: it counts nothing on a
 * file system in memory, and whole pages elsewhere.
 */
export const handedOverBytes = (io: string): number | undefined => {
  const [, bytes] = /^wchar: (\d+)$/m.exec(io) ?? []
  return bytes === undefined ? undefined : Number(bytes)
}

/** The used heap before and after a garbage collection, in bytes. */
export type Collection = { readonly before: number; readonly after: number }

/** What was allocated: how much the used heap grew between collections, from the start to the end. */
export const allocatedBytes = (start: number, collections: readonly Collection[], end: number): number => {
  const befores = [...collections.map(({ before }) => before), end]
  const afters = [start, ...collections.map(({ after }) => after)]
  return befores.reduce((sum, before, index) => sum + before - (afters[index] ?? 0), 0)
}

/**
 * Measures what this thread allocates in its JavaScript heap. V8 tells the used heap at the begin and at the end of each collection, so
 * nothing is sampled. Not counted: memory outside of the heap (bytes of buffers) and other threads. A loop that allocates a known number
 * of bytes was measured with an error below 1 %; what old objects free while they are swept, after a collection, is missing.
 */
const measureAllocation = (): (() => number) => {
  const profiler = new GCProfiler()
  profiler.start()
  const start = process.memoryUsage().heapUsed
  return () => {
    const end = process.memoryUsage().heapUsed
    const collections = profiler.stop().statistics.map(({ beforeGC, afterGC }) => ({
      before: beforeGC.heapStatistics.usedHeapSize,
      after: afterGC.heapStatistics.usedHeapSize,
    }))
    return allocatedBytes(start, collections, end)
  }
}

/**
 * Does something that starts a worker, and finds the thread of the first worker that it starts: the only one that is new when Node reports
 * the worker. Node has no API for that id, and gives the threads of workers no name.
 *
 * @returns the thread's id; undefined where the system does not list threads
 */
export const withWorker = async <A>(
  work: () => Promise<A>,
): Promise<{ readonly result: A; readonly thread: string | undefined }> => {
  await stat('.') // starts the threads of libuv's pool: all of them start at its first use
  const before = new Set(threads())
  let thread: string | undefined
  const look = (): void => {
    const added = threads().filter((id) => !before.has(id))
    thread = added.length === 1 ? added[0] : undefined
  }
  process.once('worker', look)
  try {
    const result = await work()
    return { result, thread }
  } finally {
    process.off('worker', look)
  }
}

const threads = (): readonly string[] => {
  try {
    return readdirSync('/proc/self/task')
  } catch {
    return []
  }
}
