import type { Worker } from 'node:worker_threads'
import { E, TE } from '../../core/prelude.ts'
import type { Failure } from '../../core/failure.ts'
import { placeOf, refused } from './reason.ts'
import { failureOf, failuresOf, type Failures } from './failures.ts'
import { writtenHere } from './lock-holder.ts'
import type { Answer, Answers, Ticketed, Discard, WriterOptions, RequestTag, Requests, Told } from './requests.ts'
import { startWorker } from './start-worker.ts'

/** The client of the writing worker. */
export type WriterClient = {
  /** Sends a request; the answer comes when it is durable. The buffers in `transfer` are transferred, and are empty afterwards. */
  readonly ask: <Tag extends RequestTag>(
    tag: Tag,
    body: Requests[Tag],
    transfer?: readonly ArrayBuffer[],
  ) => TE.TaskEither<Failure, Answers[Tag]>
  /** Sets which files `close` removes; default: none. */
  readonly discard: (what: Discard) => void
  /** Waits until all earlier requests are done, then ends the worker. */
  readonly close: () => Promise<void>
}

export const openWriter =
  (options: WriterOptions): TE.TaskEither<Failure, WriterClient> =>
  () =>
    new Promise((resolve) => {
      const worker = startWorker('writer', options)
      const failures = failuresOf(options.path)
      worker.once('message', (told: Told) => {
        if (told._tag === 'not-opened') resolve(E.left(failures(told.refused)))
        else {
          writtenHere.add(options.path)
          worker.once('exit', () => writtenHere.delete(options.path))
          resolve(E.right(writerClient(worker, failures)))
        }
      })
      worker.once('error', (error) => resolve(E.left(failures(refused('UNEXPECTED', placeOf(error))))))
    })

/** The writer of a store that is open for reading: it refuses every request. */
export const closedWriter: WriterClient = {
  ask: () => TE.left(failureOf('READ_ONLY')),
  discard: () => {},
  close: async () => {},
}

const writerClient = (worker: Worker, failures: Failures): WriterClient => {
  const waiting = new Map<number, (answer: Answer) => void>()
  let tickets = 0
  let hasEnded = false
  /** Why the worker has ended, if an error ended it. */
  let ended: string | undefined
  let discard: Discard = 'nothing'
  let closing: Promise<void> | undefined

  const ask = (request: Ticketed['request'], transfer: readonly ArrayBuffer[]): Promise<Answer> =>
    new Promise((resolve) => {
      if (hasEnded) return resolve(closing === undefined ? refused('ENDED', ended) : refused('CLOSED'))
      waiting.set(++tickets, resolve)
      if (waiting.size === 1) worker.ref() // the process must not end while a request is waiting
      const ticketed: Ticketed = { ticket: tickets, request }
      worker.postMessage(ticketed, transfer)
    })

  worker.unref()
  worker.on('message', (told: Told) => {
    if (told._tag !== 'answered') return
    for (const { ticket, answer } of told.answers) {
      waiting.get(ticket)?.(answer)
      waiting.delete(ticket)
    }
    if (waiting.size === 0) worker.unref()
  })
  worker.on('error', (error) => (ended = placeOf(error))) // 'exit' follows
  worker.on('exit', () => {
    hasEnded = true
    for (const resolve of waiting.values()) resolve(refused('ENDED', ended))
    waiting.clear()
  })

  const close = async (): Promise<void> => {
    const exit = new Promise((resolve) => worker.once('exit', resolve))
    const closed = ask({ _tag: 'close', discard }, [])
    hasEnded = true
    await closed
    worker.ref()
    await exit
  }

  return {
    ask:
      (tag, body, transfer = []) =>
      async () => {
        const answer = await ask({ _tag: tag, ...body } as Ticketed['request'], transfer) // a tag and its own body
        return answer._tag === 'refused'
          ? E.left(answer.reason === 'CLOSED' ? failureOf('CLOSED') : failures(answer))
          : E.right(answer.value as Answers[typeof tag]) // paired by ticket
      },
    discard: (what) => void (discard = what),
    close: () => (closing ??= hasEnded ? Promise.resolve() : close()),
  }
}
