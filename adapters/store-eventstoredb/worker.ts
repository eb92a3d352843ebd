/*
 * The thread of a store on EventStoreDB. It has one client with one connection, and ends when that connection does.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { connect, type Connected } from './worker-connect.ts'
import { subscribe, type Subscribed } from './worker-follow.ts'
import { buffersOf, unpackEvents } from './worker-pack.ts'
import { readAll, readStream } from './worker-read.ts'
import { refusalOf } from './worker-refusal.ts'
import { append, checkLeader, deleteSoftly, tombstone } from './worker-write.ts'
import type { Answer, Answered, FromWorker, Request, ToWorker, WorkerOptions } from './worker-messages.ts'
import type { StreamEvent } from './log-client.ts'

/** How long the server may take to hear that we end. */
const CLOSE_MS = 500

const port = parentPort
if (port === null) throw new Error('worker.ts runs as a thread of the store on EventStoreDB')
const tell = (told: FromWorker, transfer: readonly ArrayBuffer[] = []): void => port.postMessage(told, transfer)

/** Answers go together: those that came with one piece of the connection. */
const answering = (): ((answered: Answered) => void) => {
  let answers: Answered[] = []
  const flush = (): void => {
    const transfer = answers.flatMap(({ answer }) =>
      answer._tag === 'read' && typeof answer.packed === 'object' ? buffersOf(answer.packed) : [],
    )
    tell({ _tag: 'answered', answers }, transfer)
    answers = []
  }
  return (answered) => {
    if (answers.length === 0) setImmediate(flush)
    answers.push(answered)
  }
}

const serve = ({ client, version }: Connected): void => {
  const answer = answering()
  /** What can be ended while it is under way: reads and subscriptions. */
  const ends = new Map<number, () => void>()
  const subscribed = new Map<number, Subscribed>()

  const settle = async (ticket: number, done: Promise<Answer>): Promise<void> => {
    const outcome = await done
    ends.delete(ticket)
    answer({ ticket, answer: outcome })
  }

  const follow = (ticket: number, from: Extract<Request, { _tag: 'follow' }>['from']): void => {
    const subscription = subscribe(client, version, from, {
      steps: (steps, packed, transfer) => tell({ _tag: 'followed', ticket, steps, packed }, transfer),
      dropped: (refusal) => {
        subscribed.delete(ticket)
        ends.delete(ticket)
        tell({ _tag: 'dropped', ticket, refused: refusal })
      },
    })
    subscribed.set(ticket, subscription)
    ends.set(ticket, () => {
      subscribed.delete(ticket)
      subscription.stop()
    })
  }

  const ask = (ticket: number, request: Request, events: readonly StreamEvent[]): void => {
    switch (request._tag) {
      case 'append':
        return void settle(ticket, append(client, request.stream, request.expected, events))
      case 'tombstone':
        return void settle(ticket, tombstone(client, request.stream))
      case 'deleteSoftly':
        return void settle(ticket, deleteSoftly(client, request.stream, request.last))
      case 'checkLeader':
        return void settle(ticket, checkLeader(client, request.stream))
      case 'follow':
        return follow(ticket, request.from)
      case 'readStream':
      case 'readAll': {
        const reading =
          request._tag === 'readAll' ? readAll(client, request.page) : readStream(client, request.stream, request.page)
        ends.set(ticket, reading.end)
        return void settle(ticket, reading.answer)
      }
    }
  }

  client.watch(() => tell({ _tag: 'lost' }))
  port.on('message', (message: ToWorker) => {
    switch (message._tag) {
      case 'asked': {
        const events = unpackEvents(message.packed)
        let next = 0
        for (const { ticket, request } of message.asked) {
          const count = request._tag === 'append' ? request.count : 0
          try {
            ask(ticket, request, events.slice(next, (next += count)))
          } catch (error) {
            answer({ ticket, answer: refusalOf(error, false) }) // a number that the client takes for none
          }
        }
        return
      }
      case 'forget':
        ends.get(message.ticket)?.()
        ends.delete(message.ticket)
        return
      case 'taken':
        return subscribed.get(message.ticket)?.taken()
      case 'close':
        void Promise.race([client.end(), pause(CLOSE_MS)]).finally(() => process.exit())
    }
  })
}

const start = async (): Promise<void> => {
  const connected = await connect(workerData as WorkerOptions) // the store starts us with nothing else
  if ('_tag' in connected) {
    tell({ _tag: 'not-connected', refused: connected })
    return
  }
  serve(connected)
  tell({ _tag: 'connected', firstIds: connected.firstIds })
}

void start()
