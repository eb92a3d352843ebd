import { isFinished } from '../activity/activity.ts'
import { activityKey, type ActivityKey } from '../activity/activity-key.ts'
import { resumeAfter } from '../definition/operation.ts'
import type { Clock } from '../ports/clock.ts'
import { E } from '../prelude.ts'
import { RETRY_AFTER_MS, type ActivityName } from './attempt-turns.ts'
import { operationOf, tryAgain, type Attempting } from './effect-attempts.ts'
import type { EffectJobs } from './effect-jobs.ts'
import type { ImportedEffects } from './imported-effects.ts'

type Ports = Attempting & {
  readonly clock: Clock
  readonly imported: Pick<ImportedEffects, 'areHeld'>
  readonly jobs: EffectJobs
}

/** Looks at an activity whose effects were started, and lets another attempt follow when that is due, unless the activity has ended. */
export const takingUp = (ports: () => Ports): ((activity: ActivityName) => Promise<void>) => {
  /** Attempts that are due later than any clock like this one could have said: their pause is waited for here, once. */
  const paused = new Map<ActivityKey, number>()

  /** How long to wait for the next attempt; 0 if it is due. */
  const pauseOf = (key: ActivityKey, attempt: number, untilDueMs: number, pauseMaxMs: number): number => {
    if (untilDueMs > pauseMaxMs && paused.get(key) !== attempt) {
      paused.set(key, attempt)
      return pauseMaxMs
    }
    if (untilDueMs > 0 && untilDueMs <= pauseMaxMs) return untilDueMs
    paused.delete(key)
    return 0
  }

  return async (activity) => {
    const attempting = ports()
    const { rules, clock, turns, imported, jobs } = attempting
    const found = await turns.findLatest(activity) // another process may have started it
    if (E.isLeft(found)) {
      if (found.left.code === 'UNAVAILABLE') jobs.resumeLater(activity, RETRY_AFTER_MS)
      return
    }
    const live = found.right
    if (live === undefined || isFinished(live.activity) || live.activity.attempt === 0) return
    const operation = operationOf(rules, live)
    if (operation?.perform === undefined) return
    const areHeld = await imported.areHeld(activity)
    if (E.isLeft(areHeld)) return jobs.resumeLater(activity, RETRY_AFTER_MS)
    if (areHeld.right) return
    // It waits until the engine has the services that the work needs.
    if (live.decoded && rules.unsupported?.(operation, live.decoded.intent) !== undefined) return
    const { resumeAtMs, attempt } = live.activity
    const pauseMaxMs = resumeAfter(operation.perform, attempt)
    const pauseMs = pauseOf(activityKey(activity), attempt, resumeAtMs - clock.now(), pauseMaxMs)
    if (pauseMs > 0) return jobs.resumeLater(activity, pauseMs)
    await jobs.underLease(activity, false, (lost) => tryAgain(attempting, live, operation, lost))
  }
}
