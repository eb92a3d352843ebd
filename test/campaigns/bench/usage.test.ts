import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  allocatedBytes,
  handedOverBytes,
  measureUsage,
  onProcessorUs,
  usageOf,
  withWorker,
  type Counters,
} from './usage.ts'

const it = suite('what a process uses')

const IO = `rchar: 1055309
wchar: 8673
syscr: 489
syscw: 308
read_bytes: 0
write_bytes: 16384
cancelled_write_bytes: 0
`

it('reads the time on a processor from schedstat, whose first number is nanoseconds', () => {
  assert.is(onProcessorUs('129947603 7947032 104\n'), 129_947.603)
  assert.is(onProcessorUs('0 0 0\n'), 0)
})

it('reads what a thread handed to the kernel from io', () => assert.is(handedOverBytes(IO), 8673))

it('reads nothing from any other text', () => {
  for (const text of ['', '129947603', '1 2', '1 2 3 4', '-1 2 3', '0.5 2 3', '1e3 2 3'])
    assert.is(onProcessorUs(text), undefined)
  for (const text of ['', 'wchar:', 'wchar: x', 'rchar: 5', 'cancelled_wchar: 5'])
    assert.is(handedOverBytes(text), undefined)
  fc.assert(
    fc.property(fc.string(), (text) => {
      for (const read of [onProcessorUs(text), handedOverBytes(text)])
        assert.ok(read === undefined || (Number.isFinite(read) && read >= 0))
    }),
  )
})

const counters = (cpuUs: number, mainUs?: number, writingUs?: number, writtenBytes?: number): Counters => ({
  cpuUs,
  mainUs,
  writingUs,
  writtenBytes,
})

it('splits the time between two looks into main thread, writing thread and the rest', () =>
  assert.equal(usageOf(counters(1000, 500, 200, 4096), counters(4000, 2000, 800, 20_480), 77), {
    cpuUs: 3000,
    mainUs: 1500,
    writingUs: 600,
    restUs: 900,
    allocatedBytes: 77,
    writtenBytes: 16_384,
  }))

it('counts what is not the main thread as the rest where nothing writes', () => {
  const { writingUs, restUs, writtenBytes } = usageOf(counters(0, 0), counters(100, 60), 0)
  assert.equal([writingUs, restUs, writtenBytes], [undefined, 40, undefined])
})

it('knows only the whole where the system does not tell of threads', () => {
  const { cpuUs, mainUs, restUs } = usageOf(counters(0), counters(100), 0)
  assert.equal([cpuUs, mainUs, restUs], [100, undefined, undefined])
})

it('never gives a rest below 0: the clocks differ by a tick', () =>
  assert.is(usageOf(counters(0, 0, 0), counters(100, 90, 12), 0).restUs, 0))

it('adds up how much the heap grew between collections', () => {
  assert.is(allocatedBytes(10, [], 25), 15)
  const collections = [
    { before: 100, after: 20 },
    { before: 110, after: 30 },
  ]
  assert.is(allocatedBytes(10, collections, 35), 90 + 90 + 5)
})

it('measures what a loop allocates', () => {
  const end = measureUsage(undefined)
  const kept: { a: number; b: number; c: number; d: number }[] = []
  for (let n = 0; n < 1_000_000; n += 1) kept[n % 10] = { a: n, b: n, c: n, d: n }
  const measured = end().allocatedBytes
  const made = 1_000_000 * (3 + 4) * 8 // a header of three words, and a word for each member
  assert.ok(measured > made * 0.97 && measured < made * 1.25, `${measured} bytes instead of ${made}`)
  assert.is(kept.length, 10)
})

const BUSY = `
  const { readlinkSync } = require('node:fs')
  const { parentPort } = require('node:worker_threads')
  const until = Date.now() + 200
  while (Date.now() < until);
  let thread
  try { thread = readlinkSync('/proc/thread-self').split('/').at(-1) } catch {}
  parentPort.postMessage(thread)
  parentPort.on('message', () => {})`

it('finds the thread of the worker that some work starts, by the id that the worker itself reads', async () => {
  const { result, thread } = await withWorker(async () => {
    const worker = new Worker(BUSY, { eval: true })
    const told: readonly unknown[] = await once(worker, 'message')
    return { worker, own: told[0] }
  })
  assert.is(thread, result.own)
  if (existsSync('/proc/self/task')) assert.type(thread, 'string')
  await result.worker.terminate()
})

it('finds no thread where no worker was started', async () =>
  assert.equal(await withWorker(async () => 5), { result: 5, thread: undefined }))

it.run()
