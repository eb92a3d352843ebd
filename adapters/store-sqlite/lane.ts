import type { Worker } from 'node:worker_threads'
import { E, TE } from '../../core/prelude.ts'
import type { Failure } from '../../core/failure.ts'
import { refused } from './reason.ts'
import { failureOf } from './failures.ts'
import type { Answer, Answers, Asked, Discard, LaneOptions, RequestTag, Requests, Told } from './requests.ts'
import { startWorker } from './start-worker.ts'

/** The store's side of its writing worker. */
export type Lane = {
  /** Answered once it is durable. The buffers in `transfer` are handed over and empty afterwards. */
  readonly ask: <Tag extends RequestTag>(
    tag: Tag,
    body: Requests[Tag],
    transfer?: readonly ArrayBuffer[],
  ) => TE.TaskEither<Failure, Answers[Tag]>
  /** Says what closing removes; nothing unless told otherwise. */
  readonly discard: (what: Discard) => void
  /** Lets everything that was asked before be done, then ends the worker. */
  readonly close: () => Promise<void>
}

export const openLane =
  (options: LaneOptions): TE.TaskEither<Failure, Lane> =>
  () =>
    new Promise((resolve) => {
      const worker = startWorker('writer', options)
      worker.once('message', (told: Told) => {
        if (told._tag === 'not-opened') resolve(E.left(failureOf(told.reason)))
        else resolve(E.right(lane(worker)))
      })
      worker.once('error', () => resolve(E.left(failureOf('UNEXPECTED'))))
    })

/** The lane of a store that is open for reading: it refuses. */
export const closedLane: Lane = {
  ask: () => TE.left(failureOf('READ_ONLY')),
  discard: () => {},
  close: async () => {},
}

const lane = (worker: Worker): Lane => {
  const waiting = new Map<number, (answer: Answer) => void>()
  let tickets = 0
  let hasEnded = false
  let discard: Discard = 'nothing'
  let closing: Promise<void> | undefined

  const ask = (request: Asked['request'], transfer: readonly ArrayBuffer[]): Promise<Answer> =>
    new Promise((resolve) => {
      if (hasEnded) return resolve(refused('CLOSED'))
      waiting.set(++tickets, resolve)
      if (waiting.size === 1) worker.ref() // a process does not end while somebody waits, but may while nobody does
      const asked: Asked = { ticket: tickets, request }
      worker.postMessage(asked, transfer)
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
  worker.on('error', () => {}) // 'exit' follows
  worker.on('exit', () => {
    hasEnded = true
    for (const resolve of waiting.values()) resolve(refused('ENDED'))
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
        const answer = await ask({ _tag: tag, ...body } as Asked['request'], transfer) // a tag and its own body
        return answer._tag === 'refused'
          ? E.left(failureOf(answer.reason))
          : E.right(answer.value as Answers[typeof tag]) // paired by ticket
      },
    discard: (what) => void (discard = what),
    close: () => (closing ??= hasEnded ? Promise.resolve() : close()),
  }
}
