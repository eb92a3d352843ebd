import { failure, type Failure, type Json } from '../failure.ts'
import type { DecodedIntent, Operation, PerformContext } from '../definition/operation.ts'
import type { Clock } from '../ports/clock.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import { E } from '../prelude.ts'
import { fairQueue } from '../collections/fair-queue.ts'
import { causeOf, withThrown, type Cause } from '../telemetry/cause.ts'
import type { TellThrown } from '../telemetry/tell-thrown.ts'
import type { Troubles } from '../telemetry/troubles.ts'
import { isWithin } from '../ports/is-within.ts'
import { spanned } from '../telemetry/measured.ts'
import { latch } from '../collections/latch.ts'
import { tally } from '../collections/tally.ts'
import type { Services } from '../definition/port.ts'
import { servicesFor } from './services.ts'

/** Does the work of operations: a bounded number at once, and organizations take turns. */
export type Work = {
  /** Does the job when there is a place for it, and gives its result; `undefined` if the engine closes before that. */
  readonly inPlace: <A>(organizationId: string, job: () => Promise<A>) => Promise<A | undefined>
  /** Does the job when there is a place for it. Only the function is kept while it waits. It must not reject. */
  readonly later: (organizationId: string, job: () => Promise<void>) => void
  /** Runs `perform`. Call it inside a job. It never rejects. @param lost  aborts the work, as the end of the engine does */
  readonly perform: (operation: Operation, given: Given, lost?: AbortSignal) => Promise<E.Either<Failure, Json>>
  /** The value of the promise, or `undefined` if the engine has closed before. */
  readonly unlessLeftBehind: <A>(promise: Promise<A>) => Promise<A | undefined>
  readonly isClosing: () => boolean
  /** Whether closing has ended. Work that still runs then may not write anything. */
  readonly isOver: () => boolean
  /** Aborts all work and waits for its end, for a bounded time. Gives how much still runs then, by the type of the operation. */
  readonly close: () => Promise<ReadonlyMap<string, number>>
}

/** The input of work. */
export type Given = {
  readonly decoded: DecodedIntent
  /** The value of `check`. */
  readonly checked: unknown
  readonly context: Omit<PerformContext, 'signal' | 'ports'>
}

export type WorkPorts = {
  readonly clock: Clock
  readonly telemetry: Telemetry | undefined
  readonly tell: TellThrown
  /** Failed attempts, for the operator. */
  readonly failures: Pick<Troubles, 'note' | 'wentWell'>
  readonly accidents: Pick<Troubles, 'note'>
  /** The services behind the ports of operations, by name. */
  readonly services: Services
}

/** How long a closing engine waits for work that may never end. */
export const CLOSE_WITHIN_MS = 5_000

export type WorkOptions = {
  readonly effectsAtOnce?: number
  readonly effectsAtOncePerOrganization?: number
  readonly closeWithinMs?: number
}

export const work = (
  { clock, telemetry, tell, failures, accidents, services }: WorkPorts,
  { effectsAtOnce = 256, effectsAtOncePerOrganization = 32, closeWithinMs = CLOSE_WITHIN_MS }: WorkOptions,
): Work => {
  const places = fairQueue(effectsAtOnce, effectsAtOncePerOrganization)
  const [closing, leaving] = [latch(), latch()]
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

  /** Tells the operator of a failed attempt, by the code of the failure and its cause: its message may hold a secret. */
  const countFailure = (
    { type }: Operation,
    { activityId, attempt }: Given['context'],
    code: string,
    cause: Cause,
  ): void => {
    telemetry?.count('countersign.attempt_failures', 1, { type, code })
    const told = code === 'UNAVAILABLE' ? failures : accidents
    told.note(`${type} ${code}`, () => ({
      level: 'warn',
      message: 'the work of an operation failed',
      context: { ...cause, operation: type, activity: activityId, attempt, code },
    }))
  }

  const performed = async (
    operation: Operation,
    { decoded, checked, context }: Given,
    lost: AbortSignal | undefined,
  ) => {
    const { type } = operation
    const signal = lost === undefined ? abort.signal : AbortSignal.any([abort.signal, lost])
    const run = { type }
    running.add(run)
    telemetry?.count('countersign.attempts', 1, { type })
    try {
      const ports = servicesFor(operation, services)
      const outcome = await operation.run(decoded.intent, checked, { ...context, ports, signal })()
      if (E.isRight(outcome)) {
        failures.wentWell(`${type} `)
        return outcome
      }
      if (signal.aborted) return interruptedWork
      countFailure(operation, context, outcome.left.code, causeOfHost(outcome.left))
      return outcome
    } catch (thrown) {
      const { activityId, attempt } = context
      telemetry?.count('countersign.attempt_failures', 1, { type, code: 'THROWN' })
      tell(`the work of ${type}`, thrown, { operation: type, activity: activityId, attempt })
      // When a host throws, the outcome is as unknown as when a service does not answer.
      return E.left(withThrown(failure('UNAVAILABLE', `the work of ${type} threw`), thrown))
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
    perform: (operation, given, lost) =>
      spanned(telemetry, 'countersign.perform', { type: operation.type, attempt: given.context.attempt }, () =>
        performed(operation, given, lost),
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

/** The cause that the host gave with its refusal. */
const causeOfHost = (refused: Failure): Cause => {
  try {
    return causeOf(refused) ?? {}
  } catch {
    return {} // it is a function of the host
  }
}

export const interruptedWork = E.left(failure('UNAVAILABLE', 'the engine is closing'))
