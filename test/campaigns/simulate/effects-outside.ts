import * as t from '../../../core/codec/t.ts'
import { operation, type Operation } from '../../../core/definition/operation.ts'
import { refuse } from '../../../core/definition/refuse.ts'
import { hostState } from '../../core/world/with-host.ts'
import type { Violation } from './journal.ts'
import type { Random } from './random.ts'
import type { Host, Scheduler } from './scheduler.ts'

/** Services outside, which many processes call, and what must not happen there. */
export type EffectsOutside = {
  /** The operations as one process has them. */
  readonly operationsOf: (performer: Performer) => readonly Operation[]
  /** How often the service did what the activity asked for. */
  readonly timesDone: (activityId: string) => number
  /** To be called when the log says that the effect of an activity was interrupted. */
  readonly interrupted: (activityId: string) => void
}

/** The process that performs an effect. */
export type Performer = {
  readonly host: Host
  /** Whether it does not know if it has the lease of an activity. */
  readonly isUnsureOf: (activityId: string) => boolean
}

type Run = {
  readonly performer: Performer
  readonly activityId: string
  readonly signal: AbortSignal
  readonly beganAtMs: number
  readonly era: number
}

type Ports = {
  readonly random: Random
  readonly scheduler: Scheduler
  readonly era: () => number
  readonly isHealthy: () => boolean
  readonly violate: (violation: Violation) => void
}

/** How long the slowest service takes: longer than a lease. */
const SLOW_MS = 40_000

export const effectsOutside = ({ random, scheduler, era, isHealthy, violate }: Ports): EffectsOutside => {
  const done = new Map<string, number>()
  let running: readonly Run[] = []

  /** Whether somebody is at work on the activity who can know that nobody else may be. */
  const isHeld = (activityId: string): boolean =>
    running.some(
      (run) =>
        run.activityId === activityId &&
        run.era === era() && // a failover may lose leases
        !run.signal.aborted &&
        !run.performer.host.isOver() &&
        !run.performer.host.stoodStillSince(run.beganAtMs) &&
        !run.performer.isUnsureOf(activityId),
    )

  const serve = (activityId: string, answer: (isDown: boolean) => void): void => {
    const happen = (): void => {
      const isDown = !isHealthy() && random.chance(0.2)
      if (!isDown) done.set(activityId, (done.get(activityId) ?? 0) + 1)
      scheduler.later(() => answer(isDown))
    }
    if (random.chance(0.6)) scheduler.later(happen)
    else scheduler.after(random.below(random.chance(0.5) ? SLOW_MS : 3_000), happen)
  }

  const perform = (performer: Performer, reference: string, activityId: string, signal: AbortSignal) =>
    new Promise<{ readonly reference: string }>((resolve, reject) => {
      if (isHeld(activityId))
        violate({ promise: 'an effect is not begun while somebody is at work on it', detail: activityId })
      const run = { performer, activityId, signal, beganAtMs: scheduler.elapsedMs(), era: era() }
      running = [...running, run]
      const end = (isDown: boolean): void => {
        running = running.filter((one) => one !== run)
        if (isDown) reject(refuse('UNAVAILABLE', 'the service is down'))
        else resolve({ reference })
      }
      signal.addEventListener('abort', () => end(true))
      serve(activityId, (isDown) => performer.host.later(() => end(isDown)))
    })

  const operationOf = (performer: Performer, path: string, whenInterrupted: 'retry' | 'fail'): Operation =>
    operation({
      type: `ACTIVITY_TYPE_${path.toUpperCase()}`,
      path,
      summary: 'Calls a service.',
      resource: 'PAYMENT',
      action: 'CREATE',
      intent: t.fields({ reference: t.Label }),
      result: t.fields({ reference: t.Label }),
      change: t.fields({ reference: t.Label }),
      perform: {
        outside: true,
        resumeAfterMs: 1_000,
        attemptsMax: 1_000,
        whenInterrupted,
        performed: t.fields({ reference: t.Label }),
        run: ({ reference }, { activityId, signal }) => perform(performer, reference, activityId, signal),
      },
      execute: ({ reference }, { performed }) => ({ result: performed, change: { reference } }),
      evolve: (draft, { reference }) => void hostState.in(draft).set(`done ${reference}`, true),
    })

  return {
    operationsOf: (performer) => [operationOf(performer, 'pay', 'retry'), operationOf(performer, 'wire', 'fail')],
    timesDone: (activityId) => done.get(activityId) ?? 0,
    interrupted: (activityId) => {
      if (isHeld(activityId))
        violate({ promise: 'an effect is not called interrupted while somebody is at work on it', detail: activityId })
    },
  }
}
