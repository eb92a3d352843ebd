import { isFinished } from '../activity/activity.ts'
import { activityKey, type ActivityKey } from '../activity/activity-key.ts'
import { failure, type Failure, type Json } from '../failure.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import { E } from '../prelude.ts'
import type { ActivityView } from '../query/activity-view.ts'
import {
  attemptOf,
  attemptTurns,
  isNewest,
  RETRY_AFTER_MS,
  type ActivityName,
  type Attempt,
  type AttemptPorts,
} from './attempt-turns.ts'
import type { Authenticated } from './authenticate.ts'
import type { LiveActivity } from './cell.ts'
import type { TellThrown } from './guarded.ts'
import type { ImportedEffects } from './imported-effects.ts'
import { isWithin } from './is-within.ts'
import { tally } from './tally.ts'
import { conclude, failed, limitsOf, started, type Proposal } from './turn.ts'
import { interruptedWork, work, type WorkOptions } from './work.ts'

/** Work outside the organization's turn. */
export type Effects = {
  /** Runs `perform` of an operation without effects outside. */
  readonly performInside: (proposal: Proposal, requester: string) => Promise<E.Either<Failure, Json>>
  /** Begins effects whose start is durable, and waits for their end as long as a caller is made to wait. */
  readonly begin: (
    live: LiveActivity,
    pending: E.Either<Failure, ActivityView>,
    request: Authenticated,
  ) => Promise<E.Either<Failure, ActivityView>>
  /**
   * Takes up what a process that died had started: with another attempt, or with its failure. What another installation had
   * started is left as it is.
   */
  readonly resume: (organizationId: string, activityId: string) => void
  /** Lets what was started fail, as interrupted; whether it did. */
  readonly interrupt: (activity: ActivityName) => Promise<boolean>
  /** Aborts what runs and waits for it, bounded. Gives how much was left behind, by the type of its operation. */
  readonly close: () => Promise<ReadonlyMap<string, number>>
}

export type EffectsPorts = AttemptPorts & {
  readonly telemetry: Telemetry | undefined
  readonly tell: TellThrown
  readonly imported: Pick<ImportedEffects, 'areHeld'>
}

export type EffectsOptions = WorkOptions & { readonly waitForEffectsMs?: number; readonly waitForEffectsMax?: number }

export const effects = (
  ports: EffectsPorts,
  { waitForEffectsMs = 5_000, waitForEffectsMax = 128, ...options }: EffectsOptions = {},
): Effects => {
  const { clock, rules, tell } = ports
  const turns = attemptTurns(ports)
  const { inPlace, later, perform, unlessLeftBehind, isClosing, isOver, close } = work(ports, options)
  const callers = bounded(waitForEffectsMax)
  /** Attempts that run, or wait for a place to run in, with who is to be told of their end. */
  const running = new Map<ActivityKey, readonly (() => void)[]>()
  const awaited = new Set<ActivityKey>()

  const operationOf = ({ activity }: LiveActivity) => rules.catalogue.byType(activity.type)?.operation

  /**
   * Does a job in a place, one at a time for each activity: where one runs or waits already, this one is not done. Very many may
   * wait after a start, so only what one of them needs is kept of it.
   */
  const alone = (activity: ActivityName, job: () => Promise<void>, onEnd?: () => void): void => {
    const key = activityKey(activity)
    const found = running.get(key)
    if (onEnd !== undefined || found === undefined)
      running.set(key, onEnd === undefined ? NOBODY : [...(found ?? NOBODY), onEnd])
    if (found !== undefined) return
    later(activity.organizationId, async () => {
      try {
        if (!isClosing()) await job()
      } catch (thrown) {
        // The activity is left as it was: the next start takes it up.
        tell(`the effect of activity ${activity.activityId}`, thrown)
      }
      const ends = running.get(key) ?? NOBODY
      running.delete(key)
      for (const end of ends) end()
    })
  }

  const ended = (activity: ActivityName, job: () => Promise<void>): Promise<void> =>
    new Promise((resolve) => alone(activity, job, resolve))

  const run = async (attempt: Attempt): Promise<void> => {
    const found = await turns.find(attempt)
    if (E.isLeft(found)) return resumeLater(attempt, RETRY_AFTER_MS)
    const live = found.right
    if (live === undefined || !isNewest(live, attempt) || isClosing()) return
    const operation = operationOf(live)
    if (operation?.perform === undefined || live.asked === undefined) return
    const { attemptsMax, resumeAfterMs } = operation.perform
    const organization = await turns.durableState(attempt.organizationId)
    if (E.isLeft(organization)) return resumeLater(attempt, resumeAfterMs)
    const { activityId, requester } = live.activity
    const limits = limitsOf(live.activity)
    const context = { organization: organization.right, activityId, requester, attempt: attempt.attempt }
    const outcome = await perform(operation, live.asked.intent, context)
    if (isOver() || (E.isLeft(outcome) && isClosing())) return // the next start of the engine takes it up
    if (E.isLeft(outcome) && outcome.left.code === 'UNAVAILABLE' && attempt.attempt < attemptsMax)
      return resumeLater(attempt, resumeAfterMs)
    const concluded = await turns.happen(attempt, (proposal) =>
      E.isLeft(outcome)
        ? failed(outcome.left)
        : conclude({ ...rules, limits }, { ...proposal, performed: outcome.right }, requester),
    )
    if (concluded === undefined) resumeLater(attempt, resumeAfterMs)
  }

  const resumeLater = ({ organizationId, activityId }: ActivityName, delayMs: number): void => {
    const key = activityKey({ organizationId, activityId })
    if (awaited.has(key)) return
    awaited.add(key)
    clock.after(delayMs, () => {
      awaited.delete(key)
      resume(organizationId, activityId)
    })
  }

  const resume = (organizationId: string, activityId: string): void => {
    const activity = { organizationId, activityId }
    if (!isClosing() && !awaited.has(activityKey(activity))) alone(activity, () => takeUp(activity))
  }

  const takeUp = async (activity: ActivityName): Promise<void> => {
    const found = await turns.find(activity)
    if (E.isLeft(found)) {
      if (found.left.code === 'UNAVAILABLE') resumeLater(activity, RETRY_AFTER_MS)
      return
    }
    const live = found.right
    const how = live === undefined ? undefined : operationOf(live)?.perform
    if (live === undefined || how === undefined || isFinished(live.activity) || live.activity.attempt === 0) return
    const areHeld = await ports.imported.areHeld(activity)
    if (E.isLeft(areHeld)) return resumeLater(activity, RETRY_AFTER_MS)
    if (areHeld.right) return
    const { attempt, resumeAtMs } = live.activity
    const pauseMs = resumeAtMs - clock.now()
    if (pauseMs > 0) return resumeLater(activity, pauseMs)
    const mayRepeat = how.whenInterrupted === 'retry' && attempt < how.attemptsMax
    const next = await turns.happen({ ...activity, attempt }, (proposal) =>
      mayRepeat ? started(proposal.operation, attempt + 1, proposal.clockMs) : interrupted,
    )
    if (next === undefined) return resumeLater(activity, how.resumeAfterMs)
    if (mayRepeat) await run(attemptOf(next))
  }

  return {
    performInside: async ({ organization, operation, asked, activityId }, requester) => {
      const { organizationId } = organization
      if (!callers.enter(organizationId)) return tooManyWait
      const context = { organization, activityId, requester, attempt: 1 }
      const outcome = await unlessLeftBehind(
        inPlace(organizationId, () => perform(operation, asked.intent, context)),
      ).finally(() => callers.leave(organizationId))
      return outcome ?? interruptedWork
    },
    begin: async (live, pending, request) => {
      const attempt = attemptOf(live)
      const { organizationId } = attempt
      const end = ended(attempt, () => run(attempt))
      if (!callers.enter(organizationId)) return pending
      const isDone = await unlessLeftBehind(isWithin(clock, waitForEffectsMs, end))
      callers.leave(organizationId)
      return (isDone ? await turns.settledView(attempt, request) : undefined) ?? pending
    },
    resume,
    interrupt: async (activity) => {
      const found = await turns.find(activity)
      if (E.isLeft(found) || found.right === undefined || found.right.activity.attempt === 0) return false
      return (await turns.happen(attemptOf(found.right), () => interrupted)) !== undefined
    },
    close,
  }
}

const NOBODY: readonly (() => void)[] = []

/** Counts those of each organization that wait, up to a bound. */
const bounded = (max: number) => {
  const { of, up, down } = tally()
  return {
    /** Whether there is room for one more; then it is counted. */
    enter: (organizationId: string): boolean => {
      const hasRoom = of(organizationId) < max
      if (hasRoom) up(organizationId)
      return hasRoom
    },
    leave: down,
  }
}

const tooManyWait = E.left(
  failure('RATE_LIMIT_EXCEEDED', 'too many requests of this organization wait for work at once; try again'),
)

const interrupted = failed(
  failure('INTERRUPTED', 'the effect was interrupted, and its outcome is not known; it is not repeated'),
)
