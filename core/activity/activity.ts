import type { Failure, Json } from '../failure.ts'
import { millis, type Event, type Selection } from '../log/event.ts'
import type { AttestedKind, Decision, ReadLimits } from '../log/decision.ts'
import { noParts, type Parts } from '../log/parts.ts'
import { statusAfter, type Status } from '../log/standing.ts'

/** A user's approval or rejection. Its id is the id of its event. */
export type Vote = {
  readonly id: string
  readonly userId: string
  /** The id of the credential that stamped it. */
  readonly credentialId: string
  readonly scheme: string
  /** What its stamp proved, if that brought a token. */
  readonly attested?: AttestedKind
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
  /** The id of the organization's parent, if its users decide. */
  readonly home?: string
  readonly status: Status
  readonly votes: readonly Vote[]
  /** The time of the first approval of the window; its approvals lapse 24 hours later. */
  readonly windowStartedAtMs: number
  /** How many votes came before the window. This is needed because times may jump. */
  readonly votesBeforeWindow: number
  /** How often effects outside were started. */
  readonly attempt: number
  /** When the next attempt may follow. */
  readonly resumeAtMs: number
  /** The limits that were read for the starts of its effects: their conclusion reads the same values. */
  readonly limits: ReadLimits | undefined
  readonly result: Json | undefined
  /** The parts of its conclusion; missing if there are none. */
  readonly parts?: Parts
  readonly failure: Failure | undefined
  readonly revision: bigint
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

/** How long approvals count, from the first of them. */
export const APPROVALS_LAPSE_AFTER_MS = 24 * 60 * 60 * 1000

/**
 * Folds one event into the activity; `undefined` before the first.
 *
 * @param parts  the parts of the event
 */
export const evolve = (activity: Activity | undefined, event: Event, parts: Parts = noParts): Activity => {
  const atMs = millis(event.at)
  if (event.type === 'ActivityCreated') {
    return {
      activityId: event.activity,
      organizationId: event.organization,
      type: event.data.type,
      requester: event.data.requester,
      fingerprint: event.data.fingerprint,
      ...(event.data.home === undefined ? {} : { home: event.data.home }),
      status: statusAfter(event),
      votes: [voteOf(event.id, event.data.requester, 'VOTE_SELECTION_APPROVED', event.data.decision, atMs)],
      windowStartedAtMs: atMs,
      votesBeforeWindow: 0,
      attempt: 0,
      resumeAtMs: 0,
      limits: undefined,
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
        limits: event.data.limits === undefined ? activity.limits : { ...activity.limits, ...event.data.limits },
      }
    case 'ActivityCompleted':
      return { ...before, result: event.data.result, ...(parts.size === 0 ? {} : { parts }) }
    case 'ActivityFailed':
      return { ...before, failure: event.data.failure }
    default:
      return event satisfies never
  }
}

const voteOf = (id: string, userId: string, selection: Selection, decision: Decision, atMs: number): Vote => ({
  id,
  userId,
  credentialId: decision.basis.credential,
  scheme: decision.basis.scheme,
  ...(decision.basis.attested && { attested: decision.basis.attested.kind }),
  selection,
  decision,
  atMs,
})

/** Whether the activity has ended: nothing changes it any more. */
export const isFinished = (activity: Pick<Activity, 'status'>): boolean =>
  activity.status === 'ACTIVITY_STATUS_COMPLETED' ||
  activity.status === 'ACTIVITY_STATUS_FAILED' ||
  activity.status === 'ACTIVITY_STATUS_REJECTED'

/** Whether the approvals of the present window have lapsed. */
export const hasLapsed = (activity: Activity, atMs: number): boolean =>
  atMs >= activity.windowStartedAtMs + APPROVALS_LAPSE_AFTER_MS

/**
 * Whether the activity's own body, from another user, still approves it: only within the first window. A copy of the body that somebody
 * kept must not renew an approval that has lapsed.
 */
export const isApprovedByBody = (activity: Activity, atMs: number): boolean =>
  activity.windowStartedAtMs === activity.createdAtMs && !hasLapsed(activity, atMs)

/** The approvals of the window, in order; none if they have lapsed at `atMs`. */
export const liveApprovals = (activity: Activity, atMs: number): readonly Vote[] =>
  hasLapsed(activity, atMs)
    ? []
    : activity.votes
        .slice(activity.votesBeforeWindow)
        .filter(({ selection }) => selection === 'VOTE_SELECTION_APPROVED')
