import type { Failure, Json } from '../failure.ts'
import { millis, type Event, type Selection } from '../log/event.ts'
import type { Decision, Verdict } from './decision.ts'

/** Every status of the wire that this engine gives; `ACTIVITY_STATUS_CREATED` is never shown to anyone. */
export type Status =
  | 'ACTIVITY_STATUS_PENDING'
  | 'ACTIVITY_STATUS_COMPLETED'
  | 'ACTIVITY_STATUS_FAILED'
  | 'ACTIVITY_STATUS_CONSENSUS_NEEDED'
  | 'ACTIVITY_STATUS_REJECTED'
  | 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED'

/** A user's approval or rejection. Its id is the id of the event that it came with. */
export type Vote = {
  readonly id: string
  readonly userId: string
  /** The id of the API key that stamped it. */
  readonly credentialId: string
  readonly scheme: string
  readonly selection: Selection
  readonly decision: Decision
  readonly atMs: number
}

/** One activity: the fold of its stream. */
export type Activity = {
  readonly activityId: string
  readonly organizationId: string
  readonly type: string
  readonly requester: string
  readonly fingerprint: string
  readonly status: Status
  readonly votes: readonly Vote[]
  /** When the approvals that count began to be gathered; they lapse 24 hours later. */
  readonly windowStartedAtMs: number
  /** How many votes came before that: an order, where times may jump. */
  readonly votesBeforeWindow: number
  /** How often effects outside were started, and when the next attempt may follow. */
  readonly attempt: number
  readonly resumeAtMs: number
  readonly result: Json | undefined
  readonly failure: Failure | undefined
  readonly revision: bigint
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

/** How long approvals count, from the first of them. */
export const APPROVALS_LAPSE_AFTER_MS = 24 * 60 * 60 * 1000

/** Folds one event into the activity; `undefined` before the first. The only place that defines a status. */
export const evolve = (activity: Activity | undefined, event: Event): Activity => {
  const atMs = millis(event.at)
  if (event.type === 'ActivityCreated') {
    return {
      activityId: event.activity,
      organizationId: event.organization,
      type: event.data.type,
      requester: event.data.requester,
      fingerprint: event.data.fingerprint,
      status: statusAfter(event),
      votes: [voteOf(event.id, event.data.requester, 'VOTE_SELECTION_APPROVED', event.data.decision, atMs)],
      windowStartedAtMs: atMs,
      votesBeforeWindow: 0,
      attempt: 0,
      resumeAtMs: 0,
      result: undefined,
      failure: undefined,
      revision: event.revision,
      createdAtMs: atMs,
      updatedAtMs: atMs,
    }
  }
  if (activity === undefined) throw new Error('an activity stream begins with ActivityCreated') // a broken invariant of the log
  const before = { ...activity, status: statusAfter(event), revision: event.revision, updatedAtMs: atMs }
  switch (event.type) {
    case 'ActivityVoted': {
      const vote = voteOf(event.id, event.data.user, event.data.selection, event.data.decision, atMs)
      const reopened = vote.selection === 'VOTE_SELECTION_APPROVED' && hasLapsed(activity, atMs)
      return {
        ...before,
        votes: [...activity.votes, vote],
        windowStartedAtMs: reopened ? atMs : activity.windowStartedAtMs,
        votesBeforeWindow: reopened ? activity.votes.length : activity.votesBeforeWindow,
      }
    }
    case 'ActivityStarted':
      return {
        ...before,
        attempt: event.data.attempt,
        resumeAtMs: millis(event.data.resumeAt),
      }
    case 'ActivityCompleted':
      return { ...before, result: event.data.result }
    case 'ActivityFailed':
      return { ...before, failure: event.data.failure }
    default:
      return event satisfies never
  }
}

/** The status that an event leads to. */
export const statusAfter = (event: Event): Status => {
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

const statusOf = (verdict: Verdict): Status => {
  switch (verdict.outcome) {
    case 'ALLOWED':
      return 'ACTIVITY_STATUS_PENDING'
    case 'CONSENSUS_NEEDED':
      return 'ACTIVITY_STATUS_CONSENSUS_NEEDED'
    case 'DENIED':
    case 'REJECTED':
      return 'ACTIVITY_STATUS_REJECTED'
    default:
      return verdict.outcome satisfies never
  }
}

const voteOf = (id: string, userId: string, selection: Selection, decision: Decision, atMs: number): Vote => ({
  id,
  userId,
  credentialId: decision.basis.credential,
  scheme: decision.basis.scheme,
  selection,
  decision,
  atMs,
})

/** Whether the activity has come to its end: nothing changes it any more. */
export const isFinished = (activity: Activity): boolean =>
  activity.status === 'ACTIVITY_STATUS_COMPLETED' ||
  activity.status === 'ACTIVITY_STATUS_FAILED' ||
  activity.status === 'ACTIVITY_STATUS_REJECTED'

/** Whether the approvals gathered so far no longer count. */
export const hasLapsed = (activity: Activity, atMs: number): boolean =>
  atMs >= activity.windowStartedAtMs + APPROVALS_LAPSE_AFTER_MS

/**
 * Whether the activity's own body, from another user, still approves it: within the first window, and never again. A copy of
 * it that somebody kept must not renew an approval that has lapsed.
 */
export const isApprovedByBody = (activity: Activity, atMs: number): boolean =>
  activity.windowStartedAtMs === activity.createdAtMs && !hasLapsed(activity, atMs)

/** The approvals that have not lapsed at `atMs`: those of the window, in order. */
export const liveApprovals = (activity: Activity, atMs: number): readonly Vote[] =>
  hasLapsed(activity, atMs)
    ? []
    : activity.votes
        .slice(activity.votesBeforeWindow)
        .filter(({ selection }) => selection === 'VOTE_SELECTION_APPROVED')
