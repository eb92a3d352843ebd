import type { Found } from '../found.ts'
import type { Payments } from '../payments.ts'

const WIRE = 'ACTIVITY_TYPE_WIRE_TRANSFER'

/** An effect begins after its start is durable, once per attempt, under one key; and what was done is not forgotten. */
export const checkEffects = ({ events, activities }: Found, { asked, paid }: Payments): readonly string[] => {
  const starts = new Map<string, number>()
  for (const { type, activity } of events) {
    if (type === 'ActivityStarted') starts.set(activity, (starts.get(activity) ?? 0) + 1)
  }
  const violations: string[] = []
  for (const [key, times] of asked) {
    const attempts = starts.get(key) ?? 0
    if (times > attempts)
      violations.push(`the payment for activity ${key} was asked for ${times} times in ${attempts} attempts`)
  }
  for (const key of paid.keys()) {
    const activity = activities.get(key)?.activity
    const isSettled = activity?.status === 'ACTIVITY_STATUS_COMPLETED' || activity?.failure?.code === 'INTERRUPTED'
    if (!isSettled) violations.push(`activity ${key} was paid, and is ${activity?.status ?? 'not there'}`)
  }
  for (const [id, { activity }] of activities) {
    if (activity.type !== WIRE || activity.status !== 'ACTIVITY_STATUS_COMPLETED') continue
    if (!JSON.stringify(activity.result).includes(`"${paid.get(id)}"`))
      violations.push(`activity ${id} is completed, and was not paid so`)
  }
  return violations
}
