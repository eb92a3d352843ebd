import { activityKey, type ActivityKey } from '../activity/activity-key.ts'
import type { Clock } from '../ports/clock.ts'
import type { ActivityName } from './attempt-turns.ts'

/** Effects that were started and have no end yet. Each is told to `onDue` when another attempt may follow. */
export type OpenStarts = {
  /** Notes a start. It replaces an earlier start of the same activity. */
  readonly note: (activity: ActivityName, dueAtMs: number) => void
  /** Removes an activity that has ended. */
  readonly forget: (activity: ActivityName) => void
  readonly close: () => void
}

/** @param onDue  called with an activity when its time has come. Then it is forgotten. */
export const openStarts = (clock: Clock, onDue: (activity: ActivityName) => void): OpenStarts => {
  const timers = new Map<ActivityKey, () => void>()
  const forget = (activity: ActivityName): void => {
    if (timers.size === 0) return
    const key = activityKey(activity)
    timers.get(key)?.()
    timers.delete(key)
  }
  return {
    note: (activity, dueAtMs) => {
      forget(activity)
      const key = activityKey(activity)
      const callOff = clock.after(Math.max(0, dueAtMs - clock.now()), () => {
        timers.delete(key)
        onDue(activity)
      })
      timers.set(key, callOff)
    },
    forget,
    close: () => {
      for (const callOff of timers.values()) callOff()
      timers.clear()
    },
  }
}
