import { E } from '../../core/prelude.ts'
import type { Failure } from '../../core/failure.ts'
import { errorOf, startThread, type Followed, type Follower, type Limits, type Thread } from './client-thread.ts'
import { LogClientError, type StreamEvent } from './log-client.ts'
import type { Target } from './url.ts'
import type { Answer, Refused, Request, WorkerOptions } from './worker-messages.ts'

/** The connection of a store: one thread after the other. */
export type Connection = {
  readonly ask: (request: Request, limit: Limit, events?: readonly StreamEvent[]) => Promise<Answer>
  /** @throws `LogClientError` if there is no connection */
  readonly follow: (request: Request, follower: Follower) => Promise<Followed>
  /** How many threads were started that have connected. */
  readonly made: () => number
  /** Refuses what comes later, waits for what came before, and ends the threads. */
  readonly close: () => Promise<void>
}

export type Limit = Limits & {
  /** Whether the same request, sent again, does the same: then it is, if the connection ends before the answer. */
  readonly isRepeatable: boolean
}

/** How often one request is sent. If it ends each connection that it is sent over, the reason may be the request. */
const SENDINGS_MAX = 3
/** After a failure, the next attempt to connect waits, twice as long each time. */
const PAUSE_MS = 100
const PAUSE_MAX_MS = 2_000

/**
 * @param target  reads the URL, and the certificates that it names: they may be others when the connection is made again
 * @throws `LogClientError`
 */
export const reconnecting = async (
  target: () => E.Either<Failure, Target>,
  options: Omit<WorkerOptions, 'target' | 'firstIds'>,
): Promise<Connection> => {
  const found = target()
  if (E.isLeft(found)) throw new LogClientError({ _tag: 'unusable' }, found.left.message)
  let last = found.right
  const { firstIds, ...first } = await startThread({ ...options, target: last, firstIds: undefined })
  let thread = first.thread
  let connecting: Promise<Thread> | undefined
  let isClosed = false
  let made = 1
  let failure: { readonly error: unknown; readonly until: number; readonly pauseMs: number } | undefined
  const threads = new Set([thread])
  const underWay = new Set<Promise<unknown>>()

  const connect = async (): Promise<Thread> => {
    try {
      const again = target()
      if (E.isRight(again)) last = again.right
      thread = (await startThread({ ...options, target: last, firstIds })).thread
      threads.add(thread)
      made += 1
      failure = undefined
      return thread
    } catch (error) {
      const pauseMs = Math.min(PAUSE_MAX_MS, (failure?.pauseMs ?? PAUSE_MS / 2) * 2)
      failure = { error, until: performance.now() + pauseMs, pauseMs }
      throw error
    } finally {
      connecting = undefined
    }
  }

  /** @throws `LogClientError` */
  const usable = (): Thread | Promise<Thread> => {
    if (thread.isUsable()) return thread
    const old = thread
    void old.retire().finally(() => threads.delete(old))
    if (failure !== undefined && performance.now() < failure.until) throw failure.error
    return (connecting ??= connect())
  }

  const run = async (request: Request, limit: Limit, events?: readonly StreamEvent[]): Promise<Answer> => {
    const until = performance.now() + limit.timeoutMs
    /** What an earlier sending has left open: if it may have been done, no later failure can say that it was not. */
    let open: Refused | undefined
    for (let sendings = 1; ; sendings++) {
      const left = until - performance.now()
      const found = await within(left, limit.signal, usable)
      if ('trouble' in found) return open ?? found
      const answer = await found.ask(request, { ...limit, timeoutMs: Math.max(1, until - performance.now()) }, events)
      const isCut = answer._tag === 'refused' && answer.isLost === true
      if (!isCut) return answer._tag === 'refused' && answer.trouble._tag === 'unavailable' ? (open ?? answer) : answer
      if (answer.trouble._tag === 'unknown') open = answer
      void found.retire()
      const isOver = limit.signal?.aborted === true || performance.now() >= until
      if (!limit.isRepeatable || isOver || sendings === SENDINGS_MAX) return open ?? answer
    }
  }

  return {
    ask: async (request, limit, events) => {
      if (isClosed) return CLOSED
      const running = run(request, limit, events)
      underWay.add(running)
      try {
        return await running
      } finally {
        underWay.delete(running)
      }
    },
    follow: async (request, follower) => {
      if (isClosed) throw errorOf(CLOSED)
      return (await usable()).follow(request, follower)
    },
    made: () => made,
    close: async () => {
      isClosed = true
      await Promise.all(underWay)
      await connecting?.catch(() => undefined)
      await Promise.all([...threads].map((one) => one.close()))
    },
  }
}

const refusedAs = (message: string): Refused => ({ _tag: 'refused', trouble: { _tag: 'unavailable' }, message })
const CLOSED = refusedAs('the connection to the server is closed')

/** Waits for a thread as long as the caller waits. Nothing has been sent meanwhile. */
const within = async (
  ms: number,
  signal: AbortSignal | undefined,
  usable: () => Thread | Promise<Thread>,
): Promise<Thread | Refused> => {
  if (signal?.aborted === true) return refusedAs('the caller did not wait for the answer')
  let cleanUp = (): void => undefined
  try {
    const found = usable()
    if (!(found instanceof Promise)) return found
    const over = new Promise<Refused>((resolve) => {
      const give = (): void =>
        resolve(refusedAs('the connection to the server was lost, and is not there again: try again'))
      const timer = setTimeout(give, Math.max(0, ms))
      signal?.addEventListener('abort', give)
      cleanUp = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', give)
      }
    })
    return await Promise.race([found, over])
  } catch (error) {
    if (error instanceof LogClientError) return { _tag: 'refused', trouble: error.trouble, message: error.message }
    throw error
  } finally {
    cleanUp()
  }
}
