import { isFinished } from '../activity/activity.ts'
import { activityKey, type ActivityKey } from '../activity/activity-key.ts'
import { failure, type Failure, type Json } from '../failure.ts'
import type { EventPayload, PayloadWithParts } from '../log/event.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import { E } from '../prelude.ts'
import type { ActivityView } from '../view/activity-view.ts'
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
import type { LiveActivity } from '../deciding/live-activity.ts'
import type { TellThrown } from '../telemetry/tell-thrown.ts'
import type { Troubles } from '../telemetry/troubles.ts'
import type { ImportedEffects } from './imported-effects.ts'
import { isWithin } from '../ports/is-within.ts'
import { resumeAfter, type Operation } from '../definition/operation.ts'
import type { Leasing } from '../leasing/leasing.ts'
import { failed } from '../deciding/payloads.ts'
import { conclude, limitsOf, startAgain } from '../deciding/trying.ts'
import type { Proposal } from '../deciding/turn.ts'
import type { Services } from '../definition/port.ts'
import { waitingCallers } from './waiting-callers.ts'
import { interruptedWork, work, type WorkOptions } from './work.ts'

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

export type EffectsPorts = AttemptPorts & {
  readonly telemetry: Telemetry | undefined
  readonly tell: TellThrown
  readonly failures: Pick<Troubles, 'note' | 'wentWell'>
  readonly accidents: Pick<Troubles, 'note'>
  readonly services: Services
  readonly imported: Pick<ImportedEffects, 'areHeld'>
  readonly leasing: Leasing
}

export type EffectsOptions = WorkOptions & { readonly waitForEffectsMs?: number; readonly waitForEffectsMax?: number }

export const effects = (
  ports: EffectsPorts,
  { waitForEffectsMs = 5_000, waitForEffectsMax = 128, ...options }: EffectsOptions = {},
): Effects => {
  const { clock, rules, tell, telemetry, accidents, leasing } = ports
  const turns = attemptTurns(ports)
  const { inPlace, later, perform, unlessLeftBehind, isClosing, isOver, close } = work(ports, options)
  const callers = waitingCallers(waitForEffectsMax)
  /** Attempts that run or wait for a place, each with the callbacks for its end. */
  const running = new Map<ActivityKey, readonly (() => void)[]>()
  const awaited = new Set<ActivityKey>()
  /** Activities to be looked at again when their job has ended: what it saw may be older than what somebody wants it to take up. */
  const missed = new Set<ActivityKey>()
  /** Attempts that are due later than any clock like this one could have said: their pause is waited for here, once. */
  const paused = new Map<ActivityKey, number>()

  const operationOf = ({ activity }: LiveActivity) => rules.catalogue.byType(activity.type)?.operation

  /**
   * Does a job when there is a place for it. If another job for the same activity runs or waits already, this one is not done. Very many
   * jobs may wait after a start of the engine, so each keeps only what it needs.
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
      if (missed.delete(key)) resume(activity.organizationId, activity.activityId)
    })
  }

  const ended = (activity: ActivityName, job: () => Promise<void>): Promise<void> =>
    new Promise((resolve) => alone(activity, job, resolve))

  /**
   * Does a job while no other process works on the effects of the activity. Otherwise looks again later.
   *
   * @param isOurs  whether this process has just started the attempt: then it goes on even if the store does not answer
   */
  const underLease = async (
    activity: ActivityName,
    isOurs: boolean,
    job: (lost: AbortSignal) => Promise<void>,
  ): Promise<void> => {
    const found = await leasing.hold(leaseOf(activity))
    const held = E.isRight(found) ? found.right : undefined
    // Who stood still behind its own start may find somebody else at work.
    if (held === undefined && (E.isRight(found) || !isOurs)) return resumeLater(activity, leasing.askAgainMs)
    try {
      await job(held?.lost ?? new AbortController().signal)
    } finally {
      await held?.giveUp()
    }
  }

  const run = async (attempt: Attempt, checked: unknown, lost: AbortSignal): Promise<void> => {
    const found = await turns.find(attempt)
    if (E.isLeft(found)) return resumeLater(attempt, RETRY_AFTER_MS)
    const live = found.right
    if (live === undefined || !isNewest(live, attempt) || isClosing()) return
    const operation = operationOf(live)
    if (operation?.perform === undefined) return
    if (live.decoded === undefined) return void (await turns.happen(attempt, interrupted))
    const { attemptsMax } = operation.perform
    const resumeAfterMs = resumeAfter(operation.perform, attempt.attempt)
    const { activityId, requester, updatedAtMs } = live.activity
    const limits = limitsOf(rules.catalogue, live.activity, rules.limits)
    const context = { activityId, requester, atMs: updatedAtMs, attempt: attempt.attempt } // the last event is the start
    const outcome = await perform(operation, { decoded: live.decoded, checked, context }, lost)
    if (E.isLeft(outcome) && lost.aborted) return resumeLater(attempt, resumeAfterMs) // another process may have it now
    if (isOver() || (E.isLeft(outcome) && isClosing())) return // the next start of the engine takes it up
    if (E.isLeft(outcome) && outcome.left.code === 'UNAVAILABLE' && attempt.attempt < attemptsMax)
      return resumeLater(attempt, resumeAfterMs)
    const concluded = await turns.happen(attempt, (proposal) =>
      E.isLeft(outcome)
        ? failed(proposal, outcome.left)
        : conclude({ ...rules, limits }, proposal, requester, outcome.right).payload,
    )
    if (concluded === undefined) resumeLater(attempt, resumeAfterMs)
    else if (E.isRight(outcome)) tellFailed(concluded, 'the work of an operation was done, and its activity failed')
  }

  /** Tells the operator of an activity that failed although its work was done, or may have been done. */
  const tellFailed = ({ activity }: LiveActivity, message: string): void => {
    const { type, activityId, attempt, failure: cause } = activity
    if (cause === undefined) return
    const { code } = cause
    accidents.note(`${type} ${code} ${message}`, () => ({
      level: 'error',
      message,
      context: { operation: type, activity: activityId, attempt, code },
    }))
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
    const key = activityKey(activity)
    if (isClosing() || awaited.has(key)) return
    if (running.has(key)) missed.add(key)
    else alone(activity, () => takeUp(activity))
  }

  const takeUp = async (activity: ActivityName): Promise<void> => {
    const found = await turns.findLatest(activity) // another process may have started it
    if (E.isLeft(found)) {
      if (found.left.code === 'UNAVAILABLE') resumeLater(activity, RETRY_AFTER_MS)
      return
    }
    const live = found.right
    const operation = live === undefined ? undefined : operationOf(live)
    const how = operation?.perform
    if (
      operation === undefined ||
      live === undefined ||
      how === undefined ||
      isFinished(live.activity) ||
      live.activity.attempt === 0
    )
      return
    const areHeld = await ports.imported.areHeld(activity)
    if (E.isLeft(areHeld)) return resumeLater(activity, RETRY_AFTER_MS)
    if (areHeld.right) return
    if (rules.unsupported?.(operation) !== undefined) return // it waits until the engine has the services that the work needs
    const { resumeAtMs, attempt } = live.activity
    const key = activityKey(activity)
    const [pauseMs, pauseMaxMs] = [resumeAtMs - clock.now(), resumeAfter(how, attempt)]
    if (pauseMs > 0 && pauseMs <= pauseMaxMs) return resumeLater(activity, pauseMs)
    if (pauseMs > pauseMaxMs && paused.get(key) !== attempt) {
      paused.set(key, attempt)
      return resumeLater(activity, pauseMaxMs)
    }
    paused.delete(key)
    await underLease(activity, false, (lost) => tryAgain(live, operation, lost))
  }

  /** What follows an attempt of which nobody works any more. */
  const tryAgain = async (live: LiveActivity, operation: Operation, lost: AbortSignal): Promise<void> => {
    const { organizationId, activityId, attempt, requester, resumeAtMs } = live.activity
    const activity = { organizationId, activityId }
    const how = operation.perform
    if (how === undefined) return
    const mayRepeat = live.decoded !== undefined && how.whenInterrupted === 'retry' && attempt < how.attemptsMax
    const limits = limitsOf(rules.catalogue, live.activity, rules.limits)
    let checked: unknown
    const payload = (proposal: Proposal): PayloadWithParts => {
      if (!mayRepeat) return interrupted(proposal)
      const again = startAgain({ ...rules, limits }, proposal, requester, attempt + 1)
      checked = again.checked
      return again.payload
    }
    // The clock may have gone back since it was asked whether the attempt is due, or be far behind that of the process before.
    const next = await turns.happen({ ...activity, attempt }, payload, resumeAtMs)
    if (next === undefined) return resumeLater(activity, resumeAfter(how, attempt))
    if (!mayRepeat) {
      telemetry?.count('countersign.attempt_failures', 1, { type: operation.type, code: INTERRUPTED })
      tellFailed(next, 'the work of an operation was interrupted, and nobody knows whether it was done')
    }
    if (!isFinished(next.activity)) await run(attemptOf(next), checked, lost)
  }

  return {
    performInside: async (
      { organization: { organizationId }, operation, decoded, activityId, atMs },
      requester,
      checked,
    ) => {
      if (!callers.enter(organizationId)) return tooManyWait
      const context = { activityId, requester, atMs, attempt: 1 }
      const outcome = await unlessLeftBehind(
        inPlace(organizationId, () => perform(operation, { decoded, checked, context })),
      ).finally(() => callers.leave(organizationId))
      return outcome ?? interruptedWork
    },
    begin: async (live, checked, pending, request) => {
      const attempt = attemptOf(live)
      const { organizationId } = attempt
      const end = ended(attempt, () => underLease(attempt, true, (lost) => run(attempt, checked, lost)))
      if (!callers.enter(organizationId)) return pending
      const isDone = await unlessLeftBehind(isWithin(clock, waitForEffectsMs, end))
      callers.leave(organizationId)
      return (isDone ? await turns.settledView(attempt, request) : undefined) ?? pending
    },
    resume,
    interrupt: async (activity) => {
      const found = await turns.findLatest(activity)
      if (E.isLeft(found) || found.right === undefined || found.right.activity.attempt === 0) return false
      return (await turns.happen(attemptOf(found.right), interrupted)) !== undefined
    },
    close,
  }
}

const leaseOf = ({ organizationId, activityId }: ActivityName): string => `effect ${organizationId} ${activityId}`

const NOBODY: readonly (() => void)[] = []

const tooManyWait = E.left(
  failure('RATE_LIMIT_EXCEEDED', 'too many requests of this organization wait for work at once; try again'),
)

const INTERRUPTED = 'INTERRUPTED'

const interrupted = (proposal: Proposal): EventPayload =>
  failed(proposal, failure(INTERRUPTED, 'the effect was interrupted, and its outcome is not known; it is not repeated'))
