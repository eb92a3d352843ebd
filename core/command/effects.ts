import { failure, type Failure, type Json } from '../failure.ts'
import { E } from '../prelude.ts'
import type { ActivityView } from '../view/activity-view.ts'
import { attemptOf, attemptTurns, type ActivityName, type AttemptPorts } from './attempt-turns.ts'
import type { Authenticated } from './authenticate.ts'
import type { LiveActivity } from '../deciding/live-activity.ts'
import { interrupted, runAttempt } from './effect-attempts.ts'
import { effectJobs } from './effect-jobs.ts'
import type { ImportedEffects } from './imported-effects.ts'
import { isWithin } from '../ports/is-within.ts'
import type { Leasing } from '../leasing/leasing.ts'
import type { Proposal } from '../deciding/proposal.ts'
import { takingUp } from './take-up.ts'
import { waitingCallers } from './waiting-callers.ts'
import { interruptedWork, work as workOf, type WorkOptions, type WorkPorts } from './work.ts'

/** The work of operations, which is done outside the turn. */
export type Effects = {
  /** Runs `perform` of an operation without effects outside. */
  readonly performInside: (proposal: Proposal, requester: string, checked: unknown) => Promise<E.Either<Failure, Json>>
  /** Begins effects whose start is durable, and waits for their end, at most `waitForEffectsMs`. */
  readonly begin: (
    live: LiveActivity,
    checked: unknown,
    pending: E.Either<Failure, ActivityView>,
    request: Authenticated,
  ) => Promise<E.Either<Failure, ActivityView>>
  /**
   * Takes up effects that a dead process had started, or that did not end in time: it makes another attempt, or lets the activity
   * fail. If effects of the activity run or wait in this process, it looks at them again when those have ended. It does nothing for effects
   * that another installation had started.
   */
  readonly resume: (organizationId: string, activityId: string) => void
  /** Lets a started activity fail as interrupted. Gives whether it did. */
  readonly interrupt: (activity: ActivityName) => Promise<boolean>
  /** Aborts running work and waits for it, for a bounded time. Gives how many pieces still run then, by the type of the operation. */
  readonly close: () => Promise<ReadonlyMap<string, number>>
}

export type EffectsPorts = AttemptPorts &
  WorkPorts & { readonly imported: Pick<ImportedEffects, 'areHeld'>; readonly leasing: Leasing }

export type EffectsOptions = WorkOptions & { readonly waitForEffectsMs?: number; readonly waitForEffectsMax?: number }

export const effects = (
  ports: EffectsPorts,
  { waitForEffectsMs = 5_000, waitForEffectsMax = 128, ...options }: EffectsOptions = {},
): Effects => {
  const { clock } = ports
  const turns = attemptTurns(ports)
  const work = workOf(ports, options)
  const callers = waitingCallers(waitForEffectsMax)
  const jobs = effectJobs({ ...ports, work, takeUp: takingUp(() => attempting) })
  const attempting = { ...ports, turns, work, jobs }

  return {
    performInside: async (
      { organization: { organizationId }, operation, decoded, activityId, atMs },
      requester,
      checked,
    ) => {
      if (!callers.enter(organizationId)) return tooManyWait
      const context = { activityId, requester, atMs, attempt: 1 }
      const outcome = await work
        .unlessLeftBehind(work.inPlace(organizationId, () => work.perform(operation, { decoded, checked, context })))
        .finally(() => callers.leave(organizationId))
      return outcome ?? interruptedWork
    },
    begin: async (live, checked, pending, request) => {
      const attempt = attemptOf(live)
      const { organizationId } = attempt
      const job = (): Promise<void> =>
        jobs.underLease(attempt, true, (lost) => runAttempt(attempting, attempt, checked, lost))
      const end = new Promise<void>((resolve) => jobs.alone(attempt, job, resolve))
      if (!callers.enter(organizationId)) return pending
      const isDone = await work.unlessLeftBehind(isWithin(clock, waitForEffectsMs, end))
      callers.leave(organizationId)
      return (isDone ? await turns.presentView(attempt, request) : undefined) ?? pending
    },
    resume: jobs.resume,
    interrupt: async (activity) => {
      const found = await turns.findLatest(activity)
      if (E.isLeft(found) || found.right === undefined || found.right.activity.attempt === 0) return false
      return (await turns.happen(attemptOf(found.right), interrupted)) !== undefined
    },
    close: work.close,
  }
}

const tooManyWait = E.left(
  failure('RATE_LIMIT_EXCEEDED', 'too many requests of this organization wait for work at once; try again'),
)
