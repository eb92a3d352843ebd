import { activityKey, type ActivityKey } from '../activity/activity-key.ts'
import type { Leasing } from '../leasing/leasing.ts'
import type { Clock } from '../ports/clock.ts'
import { E } from '../prelude.ts'
import type { TellThrown } from '../telemetry/tell-thrown.ts'
import type { ActivityName } from './attempt-turns.ts'
import type { Work } from './work.ts'

/** The jobs that work on effects outside: one at a time for each activity, in this process and in all others. */
export type EffectJobs = {
  /**
   * Does a job when there is a place for it. If another job for the same activity runs or waits already, this one is not done. Very many
   * jobs may wait after a start of the engine, so each keeps only what it needs.
   *
   * @param onEnd  called when the job, or the one in its place, has ended
   */
  readonly alone: (activity: ActivityName, job: () => Promise<void>, onEnd?: () => void) => void
  /**
   * Does a job while no other process works on the effects of the activity. Otherwise looks again later.
   *
   * @param isOurs  whether this process has just started the attempt: then it goes on even if the store does not answer
   */
  readonly underLease: (
    activity: ActivityName,
    isOurs: boolean,
    job: (lost: AbortSignal) => Promise<void>,
  ) => Promise<void>
  /** Takes an activity up, unless it waits for that already. If a job for it runs or waits, it is taken up when that has ended. */
  readonly resume: (organizationId: string, activityId: string) => void
  readonly resumeLater: (activity: ActivityName, delayMs: number) => void
}

type Ports = {
  readonly clock: Clock
  readonly tell: TellThrown
  readonly leasing: Leasing
  readonly work: Pick<Work, 'later' | 'isClosing'>
  readonly takeUp: (activity: ActivityName) => Promise<void>
}

export const effectJobs = ({ clock, tell, leasing, work: { later, isClosing }, takeUp }: Ports): EffectJobs => {
  /** Jobs that run or wait for a place, each with the callbacks for its end. */
  const running = new Map<ActivityKey, readonly (() => void)[]>()
  const awaited = new Set<ActivityKey>()
  /** Activities to be looked at again when their job has ended: what it saw may be older than what somebody wants it to take up. */
  const missed = new Set<ActivityKey>()

  const alone: EffectJobs['alone'] = (activity, job, onEnd) => {
    const key = activityKey(activity)
    const found = running.get(key)
    running.set(key, onEnd === undefined ? (found ?? NOBODY) : [...(found ?? NOBODY), onEnd])
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

  const resume = (organizationId: string, activityId: string): void => {
    const activity = { organizationId, activityId }
    const key = activityKey(activity)
    if (isClosing() || awaited.has(key)) return
    if (running.has(key)) missed.add(key)
    else alone(activity, () => takeUp(activity))
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

  return {
    alone,
    underLease: async (activity, isOurs, job) => {
      const found = await leasing.hold(leaseOf(activity))
      const held = E.isRight(found) ? found.right : undefined
      // Who stood still behind its own start may find somebody else at work.
      if (held === undefined && (E.isRight(found) || !isOurs)) return resumeLater(activity, leasing.askAgainMs)
      try {
        await job(held?.lost ?? new AbortController().signal)
      } finally {
        await held?.giveUp()
      }
    },
    resume,
    resumeLater,
  }
}

const leaseOf = ({ organizationId, activityId }: ActivityName): string => `effect ${organizationId} ${activityId}`

const NOBODY: readonly (() => void)[] = []
