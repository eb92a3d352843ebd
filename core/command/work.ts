import { failure, type Failure, type Json } from '../failure.ts'
import { hostOutcome } from '../operations/host-outcome.ts'
import type { Intent, Operation, PerformContext } from '../operations/operation.ts'
import type { Clock } from '../ports/clock.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import { E } from '../prelude.ts'
import { fairQueue } from './fair-queue.ts'
import type { TellThrown } from './guarded.ts'
import { isWithin } from './is-within.ts'
import { spanned } from './measured.ts'
import { tally } from './tally.ts'

/** Where the work of operations is done: so much at once, and organizations take turns. */
export type Work = {
  /** Does the job when there is a place for it, and gives what it gave; `undefined` where the engine closes before. */
  readonly inPlace: <A>(organizationId: string, job: () => Promise<A>) => Promise<A | undefined>
  /** Does the job when there is a place for it. Of a job that waits, nothing but itself is kept. It must not reject. */
  readonly later: (organizationId: string, job: () => Promise<void>) => void
  /** Runs `perform`: to be called in a place. Never rejects. */
  readonly perform: (
    operation: Operation,
    intent: Intent,
    context: Omit<PerformContext, 'signal'>,
  ) => Promise<E.Either<Failure, Json>>
  /** What the promise gives, or `undefined` if the engine has closed without it. */
  readonly unlessLeftBehind: <A>(promise: Promise<A>) => Promise<A | undefined>
  readonly isClosing: () => boolean
  /** Whether closing has ended: what was left behind may say nothing any more. */
  readonly isOver: () => boolean
  /** Tells all work to end and waits for it, bounded. Gives how much was left behind, by the type of its operation. */
  readonly close: () => Promise<ReadonlyMap<string, number>>
}

type Ports = { readonly clock: Clock; readonly telemetry: Telemetry | undefined; readonly tell: TellThrown }

/** How long is waited, when the engine closes, for what may never end. */
export const CLOSE_WITHIN_MS = 5_000

export type WorkOptions = {
  readonly effectsAtOnce?: number
  readonly effectsAtOncePerOrganization?: number
  readonly closeWithinMs?: number
}

export const work = (
  { clock, telemetry, tell }: Ports,
  { effectsAtOnce = 256, effectsAtOncePerOrganization = 32, closeWithinMs = CLOSE_WITHIN_MS }: WorkOptions,
): Work => {
  const places = fairQueue(effectsAtOnce, effectsAtOncePerOrganization)
  const [closing, leaving] = [moment(), moment()]
  let isOver = false
  const abort = new AbortController()
  const jobs = new Set<Promise<unknown>>()
  const running = new Set<Pick<Operation, 'type'>>()

  const tracked = <A>(job: Promise<A>): Promise<A> => {
    jobs.add(job)
    const ended = (): void => void jobs.delete(job)
    job.then(ended, ended)
    return job
  }

  const performed = async (operation: Operation, intent: Intent, context: PerformContext) => {
    const run = { type: operation.type }
    running.add(run)
    try {
      const outcome = hostOutcome(`the work of ${operation.type}`, await operation.run(intent, context)())
      return E.isLeft(outcome) && abort.signal.aborted ? interruptedWork : outcome
    } catch (thrown) {
      tell(`the work of ${operation.type}`, thrown)
      // What a host throws says as little of the outcome as a service that does not answer.
      return E.left(failure('UNAVAILABLE', `the work of ${operation.type} threw`))
    } finally {
      running.delete(run)
    }
  }

  return {
    inPlace: async (organizationId, job) => {
      const entered = places.enter(organizationId)
      const isInside = await closing.unlessPast(entered.then(() => true))
      if (isInside === undefined) {
        void entered.then(() => places.leave(organizationId))
        return undefined
      }
      return tracked(job()).finally(() => places.leave(organizationId))
    },
    later: (organizationId, job) =>
      places.join(organizationId, () => void tracked(job()).finally(() => places.leave(organizationId))),
    perform: (operation, intent, context) =>
      spanned(telemetry, 'countersign.perform', { type: operation.type, attempt: context.attempt }, () =>
        performed(operation, intent, { ...context, signal: abort.signal }),
      ),
    unlessLeftBehind: leaving.unlessPast,
    isClosing: () => abort.signal.aborted,
    isOver: () => isOver,
    close: async () => {
      abort.abort()
      closing.pass()
      if (!(await isWithin(clock, closeWithinMs, Promise.allSettled(jobs)))) leaving.pass()
      isOver = true
      const left = tally()
      for (const { type } of running) left.up(type)
      return left.counts
    },
  }
}

export const interruptedWork = E.left(failure('UNAVAILABLE', 'the engine is closing'))

/**
 * Something that comes once, and that many wait for who may stop waiting. To wait for a promise with `Promise.race` would keep
 * each of them in memory until it comes.
 */
const moment = () => {
  const waiting = new Set<() => void>()
  let isPast = false
  return {
    pass: (): void => {
      isPast = true
      for (const wake of waiting) wake()
      waiting.clear()
    },
    /** What the promise gives, or `undefined` if the moment comes first. */
    unlessPast: <A>(promise: Promise<A>): Promise<A | undefined> =>
      new Promise((resolve, reject) => {
        if (isPast) return resolve(undefined)
        const giveUp = (): void => resolve(undefined)
        waiting.add(giveUp)
        promise.then(resolve, reject).finally(() => waiting.delete(giveUp))
      }),
  }
}
