import type { Standing } from '../ports/event-store.ts'
import type { Verdict } from './decision.ts'
import type { EventPayload } from './event.ts'

/** Raise it when `statusAfter` or `standingAfter` come out otherwise: the next start makes the standings of old events again. */
export const STANDINGS_VERSION = 1n

/** The statuses of the wire that this engine uses; it never shows `ACTIVITY_STATUS_CREATED`. */
export type Status =
  | 'ACTIVITY_STATUS_PENDING'
  | 'ACTIVITY_STATUS_COMPLETED'
  | 'ACTIVITY_STATUS_FAILED'
  | 'ACTIVITY_STATUS_CONSENSUS_NEEDED'
  | 'ACTIVITY_STATUS_REJECTED'
  | 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED'

/** The statuses of activities that wait for votes. */
export const WAITING: readonly Status[] = ['ACTIVITY_STATUS_CONSENSUS_NEEDED', 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED']

/** Whether an activity of this status waits for votes. */
export const isWaiting = (status: string): boolean => WAITING.some((one) => one === status)

/** The status that an event leads to. This is the only place that defines a status. */
export const statusAfter = (event: EventPayload): Status => {
  switch (event.type) {
    case 'ActivityCreated':
    case 'ActivityVoted':
      return statusOf(event.data.decision.verdict)
    case 'ActivityStarted':
      return 'ACTIVITY_STATUS_PENDING'
    case 'ActivityCompleted':
      return 'ACTIVITY_STATUS_COMPLETED'
    case 'ActivityFailed':
      return 'ACTIVITY_STATUS_FAILED'
    default:
      return event satisfies never
  }
}

/** The status that a decision leads to. */
export const statusOf = (verdict: Pick<Verdict, 'outcome'>): Status => {
  switch (verdict.outcome) {
    case 'ALLOWED':
      return 'ACTIVITY_STATUS_PENDING'
    case 'CONSENSUS_NEEDED':
      return 'ACTIVITY_STATUS_CONSENSUS_NEEDED'
    case 'AUTHENTICATORS_NEEDED':
      return 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED'
    case 'DENIED':
    case 'REJECTED':
      return 'ACTIVITY_STATUS_REJECTED'
    default:
      return verdict.outcome satisfies never
  }
}

/** A standing as events say it. */
export type LoggedStanding = Standing & { readonly status: Status }

/** The standing that an event gives its activity. */
export const standingAfter = (event: EventPayload): LoggedStanding => {
  const status = statusAfter(event)
  return event.type === 'ActivityCreated' ? { type: event.data.type, status } : { status }
}
