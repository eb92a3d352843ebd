/*
 * The thread of a store on EventStoreDB. It has one client with one connection, and ends when that connection does.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { connect, type Connected } from './worker-connect.ts'
import { subscribe, type Subscribed } from './worker-follow.ts'
import { buffersOf, unpackEvents } from './worker-pack.ts'
import { readAll, readPositions, readStream, type Reading } from './worker-read.ts'
import { refusalOf } from './worker-refusal.ts'
import type { LeaderClient } from './worker-client.ts'
import { appendBehind, checkLeader, deleteSoftly, tombstone } from './worker-write.ts'
import type { Answer, Answered, FromWorker, Request, ToWorker, WorkerOptions } from './worker-messages.ts'
import type { StreamEvent } from './log-client.ts'

/** How long the server may take to hear that we end. */
const CLOSE_MS = 500

// The client tries whether metadata is JSON, and catches what that throws: with a stack, it would cost more than the rest of the event.
Error.stackTraceLimit = 0

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
  /** What can be ended while it is under way: reads and subscriptions; and the waiting for an append. */
  const ends = new Map<number, () => void>()
  const subscribed = new Map<number, Subscribed>()

  /** The last append to each stream, until it is answered, or nobody waits for it any more. */
  const appending = new Map<string, Promise<void>>()
  const appended = (ticket: number, stream: string, done: Promise<Answer>): Promise<Answer> => {
    const over = new Promise<void>((resolve) => {
      ends.set(ticket, resolve)
      void done.finally(resolve)
    })
    appending.set(stream, over)
    void over.finally(() => {
      if (appending.get(stream) === over) appending.delete(stream)
    })
    return done
  }

  const settle = async (ticket: number, done: Promise<Answer>): Promise<void> => {
    const outcome = await done
    ends.delete(ticket)
    answer({ ticket, answer: outcome })
  }

  const read = (ticket: number, reading: Reading): void => {
    ends.set(ticket, reading.end)
    void settle(ticket, reading.answer)
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
      case 'append': {
        const own = events.slice(request.first.length)
        const first = request.first.flatMap((stream, index) => {
          const event = events[index]
          return event === undefined ? [] : [{ stream, event }]
        })
        const done = appendBehind(client, first, request.stream, request.expected, own)
        return void settle(ticket, appended(ticket, request.stream, done))
      }
      case 'tombstone':
        return void settle(ticket, tombstone(client, request.stream))
      case 'deleteSoftly':
        return void settle(ticket, deleteSoftly(client, request.stream, request.last))
      case 'checkLeader':
        return void settle(ticket, checkLeader(client, request.stream))
      case 'follow':
        return follow(ticket, request.from)
      case 'positions': {
        const before = appending.get(request.stream)
        if (before === undefined) return read(ticket, readingOf(client, request))
        return void before.then(() => read(ticket, readingOf(client, request)))
      }
      case 'readStream':
      case 'readAll':
        return read(ticket, readingOf(client, request))
    }
  }

  client.watch(() => tell({ _tag: 'lost' }))
  port.on('message', (message: ToWorker) => {
    switch (message._tag) {
      case 'asked': {
        const events = unpackEvents(message.packed)
        let next = 0
        for (const { ticket, request } of message.requests) {
          const count = request._tag === 'append' ? request.first.length + request.count : 0
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

const readingOf = (
  client: LeaderClient,
  request: Extract<Request, { readonly _tag: 'positions' | 'readStream' | 'readAll' }>,
): Reading => {
  if (request._tag === 'readAll') return readAll(client, request.page)
  if (request._tag === 'readStream') return readStream(client, request.stream, request.page)
  return readPositions(client, request.stream, request.from, request.count)
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
