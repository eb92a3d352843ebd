import { conclude } from '../command/turn.ts'
import type { LiveActivity } from '../command/cell.ts'
import type { Json } from '../failure.ts'
import { millis, type EventOf } from '../log/event.ts'
import { defaultLimits } from '../operations/limits.ts'
import type { Auditor, Where } from './audited-log.ts'
import { isSame } from './same-json.ts'

/**
 * Executes the activity again, on the state right before its conclusion: operations are pure, and ids of what they create
 * follow from the activity. What a service outside said is taken from the event. A failure of the service itself is taken
 * on trust.
 */
export const checkExecution = (
  { signatures, catalogue, counts }: Auditor,
  { log, complain }: Where,
  event: EventOf<'ActivityCompleted'> | EventOf<'ActivityFailed'>,
  { activity, asked }: LiveActivity,
): void => {
  const found = catalogue.byType(activity.type)
  if (!log.isStateKnown || found === undefined || asked === undefined) return
  const performed = event.type === 'ActivityCompleted' ? event.data.performed : undefined
  if ((found.operation.perform === undefined) !== (performed === undefined)) {
    if (event.type === 'ActivityCompleted') complain('EXECUTION_DIFFERS', wrongPerformed(performed))
    return
  }
  const basis = activity.votes.at(-1)?.decision.basis
  const again = conclude(
    { digest: signatures, catalogue, limits: { ...defaultLimits, ...basis?.limits } },
    {
      organization: log.draft,
      sequence: event.sequence - 1n,
      atMs: millis(event.at),
      activityId: event.activity,
      type: activity.type,
      operation: found.operation,
      asked,
      performed,
    },
    activity.requester,
  )
  const difference = differenceOf(event, again)
  if (difference === undefined) counts.executions += 1
  else complain('EXECUTION_DIFFERS', `executed again, the activity ${difference}`)
}

const differenceOf = (
  event: EventOf<'ActivityCompleted'> | EventOf<'ActivityFailed'>,
  again: ReturnType<typeof conclude>,
): string | undefined => {
  if (again.type === 'ActivityFailed') {
    const { code } = again.data.failure
    return event.type === 'ActivityFailed' && event.data.failure.code === code ? undefined : `fails with ${code}`
  }
  if (again.type !== 'ActivityCompleted' || event.type !== 'ActivityCompleted') return 'completes'
  if (event.data.type !== again.data.type) return `is one of ${again.data.type}`
  if (!isSame(event.data.change, again.data.change)) return 'changes the organization otherwise'
  return isSame(event.data.result, again.data.result) ? undefined : 'gives another result'
}

const wrongPerformed = (performed: Json | undefined): string =>
  performed === undefined
    ? 'expected what the work of the operation brought'
    : 'the operation has no work that could have brought anything'
