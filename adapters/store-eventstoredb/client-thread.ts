import type { Worker } from 'node:worker_threads'
import { LogClientError, type StreamEvent } from './log-client.ts'
import { packEvents, type Packed } from './worker-pack.ts'
import { startWorker } from './worker-start.ts'
import type { Answer, FromWorker, Refused, Request, Step, ToWorker, WorkerOptions } from './worker-messages.ts'

/** One connection, in a thread of its own. It serves until the connection ends, and never again. */
export type Thread = {
  /** Sends a request. The answer of one that was cut off says so, and nothing comes later. */
  readonly ask: (request: Request, limits: Limits, events?: readonly StreamEvent[]) => Promise<Answer>
  readonly follow: (request: Request, follower: Follower) => Followed
  /** Whether it takes requests. */
  readonly isUsable: () => boolean
  /** Takes no more requests, and ends when those under way are answered. Its subscriptions are dropped at once. */
  readonly retire: () => Promise<void>
  /** The same, and its subscriptions end without a word. */
  readonly close: () => Promise<void>
}

export type Limits = {
  readonly timeoutMs: number
  /** Whether it may have been done although no answer came. */
  readonly isWriting: boolean
  readonly signal?: AbortSignal | undefined
}

export type Follower = {
  readonly followed: (steps: readonly Step[], packed: Packed) => void
  readonly dropped: (refused: Refused) => void
}
export type Followed = {
  /** One message was taken: the next may come. */
  readonly taken: () => void
  readonly stop: () => void
}

/** The client says itself when it has found nobody; only if it says nothing, we end it. */
const SILENCE_MS = 5_000

/** A thread that has not ended by itself then is ended. */
const CLOSE_MS = 2_000

/** @throws `LogClientError` */
export const startThread = (
  options: WorkerOptions,
): Promise<{ readonly thread: Thread; readonly firstIds: readonly string[] }> =>
  new Promise((resolve, reject) => {
    const worker = startWorker(options)
    const failed = (refused: Refused): void => {
      clearTimeout(timer)
      worker.off('message', first).off('error', broken).off('exit', ended)
      worker.on('error', () => undefined)
      void worker.terminate()
      reject(errorOf(refused))
    }
    const first = (told: FromWorker): void => {
      if (told._tag !== 'connected') return failed(told._tag === 'not-connected' ? told.refused : ENDED)
      clearTimeout(timer)
      worker.off('message', first).off('error', broken).off('exit', ended)
      resolve({ thread: threadOf(worker), firstIds: told.firstIds })
    }
    const broken = (error: Error): void =>
      failed('code' in error && /MODULE_NOT_FOUND/.test(String(error.code)) ? MISSING : ENDED)
    const ended = (): void => failed(ENDED)
    const timer = setTimeout(() => failed(SILENT), options.connectTimeoutMs + SILENCE_MS)
    worker.on('message', first).on('error', broken).on('exit', ended)
  })

export const errorOf = ({ trouble, message }: Refused): LogClientError => new LogClientError(trouble, message)

const unavailable = (message: string): Refused => ({
  _tag: 'refused',
  trouble: { _tag: 'unavailable' },
  message,
  isLost: true,
})
const ENDED = unavailable('the connection to the server has ended in an unexpected way: try again')
const SILENT = unavailable('the server does not answer: try again')
const MISSING: Refused = {
  _tag: 'refused',
  trouble: { _tag: 'unusable' },
  message: 'the package @eventstore/db-client is missing, which this store needs: npm install @eventstore/db-client@6',
}

/** Why an answer is no longer waited for. */
const cutOff = (isWriting: boolean, message: string, isLost: boolean): Refused => ({
  _tag: 'refused',
  trouble: { _tag: isWriting ? 'unknown' : 'unavailable' },
  message,
  isLost,
})

type Waiting = { readonly isWriting: boolean; readonly settle: (answer: Answer) => void }

const threadOf = (worker: Worker): Thread => {
  const waiting = new Map<number, Waiting>()
  const followers = new Map<number, Follower>()
  /** Followers that have not caught up yet: the process must not end before, nor while a request is waiting. */
  const behind = new Set<number>()
  let tickets = 0
  let isUsable = true
  let hasEnded = false
  let retiring: Promise<void> | undefined
  /** When the last answer of the server came. */
  let heardAt = performance.now()

  const send = (message: ToWorker, transfer: readonly ArrayBuffer[] = []): void => {
    if (!hasEnded) worker.postMessage(message, transfer)
  }
  const post = posting(send)

  const hold = (): void => {
    if (waiting.size > 0 || behind.size > 0 || retiring !== undefined) worker.ref()
    else worker.unref()
  }

  const settle = (ticket: number, answer: Answer): void => {
    const found = waiting.get(ticket)
    if (found === undefined) return // cut off before
    waiting.delete(ticket)
    if (waiting.size === 0) hold()
    found.settle(answer)
    if (waiting.size === 0 && retiring !== undefined) end()
  }

  const end = (): void => {
    send({ _tag: 'close' })
    setTimeout(() => void worker.terminate(), CLOSE_MS).unref()
  }

  const drop = (ticket: number, refused: Refused): void => {
    const follower = followers.get(ticket)
    followers.delete(ticket)
    behind.delete(ticket)
    hold()
    follower?.dropped(refused)
  }

  const ended = (): void => {
    if (hasEnded) return
    hasEnded = true
    isUsable = false
    for (const [ticket, { isWriting }] of waiting)
      settle(ticket, cutOff(isWriting, 'the connection to the server has ended before it answered: try again', true))
    for (const ticket of followers.keys()) drop(ticket, ENDED)
  }

  worker.unref()
  worker.on('message', (told: FromWorker) => {
    heardAt = performance.now()
    if (told._tag === 'answered') for (const { ticket, answer } of told.answers) settle(ticket, answer)
    else if (told._tag === 'followed') {
      followers.get(told.ticket)?.followed(told.steps, told.packed)
      if (told.steps.includes('caught-up') && behind.delete(told.ticket)) hold()
    } else if (told._tag === 'dropped') drop(told.ticket, told.refused)
    else void retire()
  })
  worker.on('error', ended)
  worker.on('exit', ended)

  const retire = (): Promise<void> => {
    isUsable = false
    return (retiring ??= new Promise((resolve) => {
      if (hasEnded) return resolve()
      worker.ref()
      worker.once('exit', () => resolve())
      for (const ticket of followers.keys())
        drop(ticket, unavailable('the connection to the server was lost: try again'))
      if (waiting.size === 0) end()
    }))
  }

  const ask = (request: Request, { timeoutMs, isWriting, signal }: Limits, events: readonly StreamEvent[] = []) =>
    new Promise<Answer>((resolve) => {
      const ticket = ++tickets
      const askedAt = performance.now()
      const cut = (message: string, isLost: boolean): void => {
        if (!waiting.has(ticket)) return
        send({ _tag: 'forget', ticket })
        settle(ticket, cutOff(isWriting, message, isLost))
      }
      const onAbort = (): void => cut('the caller did not wait for the answer', false)
      const timer = setTimeout(() => {
        // If this thread was busy, the answer may be here already, and has only not been read.
        setImmediate(() => {
          if (!waiting.has(ticket)) return
          const isSilent = heardAt < askedAt
          cut('the server did not answer in time: try again', isSilent)
          if (isSilent) void retire()
        })
      }, timeoutMs)
      waiting.set(ticket, {
        isWriting,
        settle: (answer) => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', onAbort)
          resolve(answer)
        },
      })
      signal?.addEventListener('abort', onAbort)
      if (waiting.size === 1) hold()
      post(ticket, request, events)
    })

  return {
    ask,
    follow: (request, follower) => {
      const ticket = ++tickets
      followers.set(ticket, follower)
      behind.add(ticket)
      hold()
      post(ticket, request, [])
      return {
        taken: () => send({ _tag: 'taken', ticket }),
        stop: () => {
          if (followers.delete(ticket)) send({ _tag: 'forget', ticket })
          if (behind.delete(ticket)) hold()
        },
      }
    },
    isUsable: () => isUsable,
    retire,
    close: () => {
      followers.clear()
      return retire()
    },
  }
}

/** What is asked in one turn goes in one message. */
const posting = (
  send: (message: ToWorker, transfer: readonly ArrayBuffer[]) => void,
): ((ticket: number, request: Request, events: readonly StreamEvent[]) => void) => {
  let requests: { readonly ticket: number; readonly request: Request }[] = []
  let events: StreamEvent[] = []
  const flush = (): void => {
    const packed = packEvents(events)
    send({ _tag: 'asked', requests, packed }, [packed.bytes])
    requests = []
    events = []
  }
  return (ticket, request, added) => {
    if (requests.length === 0) queueMicrotask(flush)
    requests.push({ ticket, request })
    for (const event of added) events.push(event)
  }
}
