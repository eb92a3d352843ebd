import { evolve, type Activity } from '../activity/activity.ts'
import type { Operation } from '../definition/operation.ts'
import { millis, type EventOf } from '../log/event.ts'
import type { AuditedActivity, Auditor, Where } from './audited-log.ts'
import { clockOf } from './check-basis.ts'
import { checkAccepted } from './check-execution.ts'
import { isInstant } from './check-time.ts'
import { noteStarted } from './erasures.ts'
import { checkBegins } from './check-begun.ts'
import { keep } from './keep.ts'
import { isSame } from './same-json.ts'

/** Judges that an attempt at effects outside could begin, and when. */
export const judgeStarted = (
  auditor: Auditor,
  where: Where,
  event: EventOf<'ActivityStarted'>,
  live: AuditedActivity | undefined,
  form: Operation | undefined,
): void => {
  if (live === undefined) return
  const { activity } = live
  noteStarted(where, live, form)
  checkBegins(where, event, form)
  const after = { ...live, activity: evolve(activity, event) }
  keep(auditor, where, after, form) // first: the code of a host may throw
  if (activity.status !== 'ACTIVITY_STATUS_PENDING') {
    where.complain('STATUS_IMPOSSIBLE', 'an activity that is not allowed was started')
  } else {
    const checked = checkAccepted(auditor, where, live, form)
    const begins = event.data.begins === true ? begunBy(live, event, checked) : undefined
    if (form?.verify !== undefined || begins !== undefined) keep(auditor, where, { ...after, checked, begins }, form)
  }
  const isEarly = activity.attempt > 0 && millis(event.at) < activity.resumeAtMs
  if (isEarly && activity.status === 'ACTIVITY_STATUS_PENDING') {
    where.complain('TIME_DIFFERS', 'another attempt began earlier than the one before it let it')
  }
  if (form !== undefined && form.perform?.outside !== true) {
    where.complain('STATUS_IMPOSSIBLE', 'the operation has no effects outside that could be started')
  }
  if (event.data.attempt !== activity.attempt + 1) {
    where.complain('STATUS_IMPOSSIBLE', `expected attempt ${activity.attempt + 1}`)
  }
  if (!isInstant(event.data.resumeAt)) where.complain('TIME_DIFFERS', 'expected a time in UTC with milliseconds')
  else if (millis(event.data.resumeAt) < earliestClock(where, event, activity))
    where.complain('TIME_DIFFERS', 'another attempt may follow before this one began')
}

/** What may begin below an activity after one more start: each value of `check` once. */
const begunBy = (
  { begins }: AuditedActivity,
  { sequence }: EventOf<'ActivityStarted'>,
  checked: unknown,
): AuditedActivity['begins'] => {
  const { startedAt = sequence, values = [] } = begins ?? {}
  const isKnown = values.some((value) => value === checked || isSame(value, checked))
  return { startedAt, values: isKnown ? values : [...values, checked] }
}

/**
 * The earliest time that the clock can have said when an attempt began. The clock may have been behind the log only where the event has the
 * time of the one before it; for the first attempt, the decision says it.
 */
const earliestClock = (
  { previousAt }: Where,
  { at }: EventOf<'ActivityStarted'>,
  { attempt, resumeAtMs, votes }: Activity,
): number => {
  if (attempt > 0) return at === previousAt ? resumeAtMs : millis(at)
  const basis = votes.at(-1)?.decision.basis
  return basis === undefined ? 0 : clockOf(basis)
}
