import type { Asked } from '../command/cell.ts'
import { conclude, limitsOf, refusalOf, type Proposal } from '../command/turn.ts'
import type { Json } from '../failure.ts'
import { millis, type EventOf } from '../log/event.ts'
import type { Operation } from '../operations/operation.ts'
import type { AuditedActivity, Auditor, Where } from './audited-log.ts'
import { isSame } from './same-json.ts'

/**
 * Checks that the operation did not refuse the activity when it was asked for, or when its work was to begin: then nothing
 * of it would be stored, or its failure.
 */
export const checkAccepted = (auditor: Auditor, where: Where, live: AuditedActivity): void => {
  const { log, logged, complain } = where
  const operation = auditor.catalogue.byType(live.activity.type)?.operation
  const asked = live.intent?.asked()
  if (!log.isStateKnown || operation === undefined || asked === undefined) return
  const rules = { digest: auditor.signatures, catalogue: auditor.catalogue, limits: limitsOf(live.activity) }
  const proposal = proposalOf(log, logged.event, live, operation, asked, undefined)
  const refusal = refusalOf(rules, proposal, live.activity.requester)
  if (refusal !== undefined)
    complain('EXECUTION_DIFFERS', `executed again, the activity is refused with ${refusal.code}`)
}

type Conclusion = EventOf<'ActivityCompleted'> | EventOf<'ActivityFailed'>

/**
 * Executes the activity again, on the state right before its conclusion: operations are pure, and ids of what they create
 * follow from the activity. What a service outside said is taken from the event. A failure of the service itself is taken
 * on trust, but not one by which the operation would have refused before the service was asked.
 */
export const checkExecution = (auditor: Auditor, where: Where, event: Conclusion, live: AuditedActivity): void => {
  const { log, complain } = where
  const found = auditor.catalogue.byType(live.activity.type)
  if (found === undefined) return
  const { operation } = found
  if (event.type === 'ActivityCompleted' && event.data.type !== operation.type)
    return complain('EXECUTION_DIFFERS', `executed again, the activity is one of ${operation.type}`)
  const asked = live.intent?.asked()
  if (!log.isStateKnown || asked === undefined) return
  const again = executedAgain(auditor, where, event, live, operation, asked)
  if (typeof again === 'string') complain('EXECUTION_DIFFERS', again)
  else if (again) auditor.counts.executions += 1
}

/** Whether it came out the same, or how it did not; false where it is taken on trust. */
const executedAgain = (
  { signatures, catalogue }: Auditor,
  { log }: Where,
  event: Conclusion,
  live: AuditedActivity,
  operation: Operation,
  asked: Asked,
): boolean | string => {
  const { activity } = live
  const performed = event.type === 'ActivityCompleted' ? event.data.performed : undefined
  const rules = { digest: signatures, catalogue, limits: limitsOf(activity) }
  const proposal = proposalOf(log, event, live, operation, asked, performed)
  if (operation.perform === undefined || performed !== undefined) {
    if (event.type === 'ActivityCompleted' && (operation.perform === undefined) !== (performed === undefined))
      return wrongPerformed(performed)
    return differenceOf(event, conclude(rules, proposal, activity.requester)) ?? true
  }
  if (event.type === 'ActivityCompleted') return wrongPerformed(performed)
  if (activity.attempt > 0) return false
  // It failed before anything was performed: the operation refused, or work without effects outside failed.
  const refusal = refusalOf(rules, proposal, activity.requester)
  if (refusal !== undefined)
    return refusal.code === event.data.failure.code || `executed again, the activity fails with ${refusal.code}`
  if (operation.perform.outside) return 'executed again, the activity is not refused'
  // After work that could not be done now, the vote is not stored: it can be sent again.
  return event.data.failure.code === 'UNAVAILABLE' ? 'an activity does not fail because its work has to wait' : false
}

const proposalOf = (
  { draft }: Where['log'],
  event: Where['logged']['event'],
  { activity }: AuditedActivity,
  operation: Operation,
  asked: Asked,
  performed: Json | undefined,
): Proposal => ({
  organization: draft,
  sequence: event.sequence - 1n,
  atMs: millis(event.at),
  clockMs: millis(event.at),
  activityId: event.activity,
  type: activity.type,
  operation,
  asked,
  performed,
})

const differenceOf = (event: Conclusion, again: ReturnType<typeof conclude>): string | undefined => {
  const difference = howDifferent(event, again)
  return difference === undefined ? undefined : `executed again, the activity ${difference}`
}

const howDifferent = (event: Conclusion, again: ReturnType<typeof conclude>): string | undefined => {
  if (again.type === 'ActivityFailed') {
    const { code } = again.data.failure
    return event.type === 'ActivityFailed' && event.data.failure.code === code ? undefined : `fails with ${code}`
  }
  if (again.type !== 'ActivityCompleted' || event.type !== 'ActivityCompleted') return 'completes'
  if (!isSame(event.data.change, again.data.change)) return 'changes the organization otherwise'
  return isSame(event.data.result, again.data.result) ? undefined : 'gives another result'
}

const wrongPerformed = (performed: Json | undefined): string =>
  performed === undefined
    ? 'expected what the work of the operation brought'
    : 'the operation has no work that could have brought anything'
