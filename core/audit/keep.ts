import { isFinished, type Activity } from '../activity/activity.ts'
import type { Basis } from '../log/decision.ts'
import type { Operation } from '../definition/operation.ts'
import type { EventType } from '../log/event.ts'
import type { AuditedActivity, Auditor, Where } from './audited-log.ts'
import { readIn } from './check-read.ts'
import { revisionIn } from './check-revision.ts'
import { own } from './own.ts'

/**
 * Keeps an activity until its end, and notes what has to follow.
 *
 * @param form  the operation as it was; `undefined` where this version does not know it any more
 */
export const keep = (
  { catalogue }: Auditor,
  where: Where,
  live: AuditedActivity,
  form: Operation | undefined,
): void => {
  const { log, logged, complain } = where
  const { activity, intent, gone, cast, checked, proposer, begins } = live
  if (isFinished(activity)) {
    intent?.release()
    return void log.activities.delete(activity.activityId)
  }
  const isKnown = catalogue.byType(activity.type) !== undefined
  const types = isKnown ? nextOf(form, logged.event.type, activity) : []
  log.due =
    types.length === 0
      ? undefined
      : {
          activity: activity.activityId,
          at: logged.event.at,
          revision: revisionIn(logged.event),
          read: readIn(logged.event),
          types,
          complain,
        }
  const kept = types.length === 0 ? { activity: slim(activity), intent, gone, cast, checked, proposer, begins } : live
  log.activities.set(kept.activity.activityId, kept)
}

/**
 * The events that have to follow in the same commit. If an operation refuses a new activity, nothing is stored. If it refuses after a
 * vote, the activity has failed.
 */
const nextOf = (form: Operation | undefined, type: EventType, { status }: Activity): readonly EventType[] => {
  const isDecision = type === 'ActivityCreated' || type === 'ActivityVoted'
  if (status !== 'ACTIVITY_STATUS_PENDING' || !isDecision) return []
  if (form === undefined) return ['ActivityStarted', 'ActivityCompleted', 'ActivityFailed']
  const success = form.perform?.outside === true ? 'ActivityStarted' : 'ActivityCompleted'
  return type === 'ActivityCreated' ? [success] : [success, 'ActivityFailed']
}

/**
 * The activity without what nobody needs again: lapsed votes, and evaluations. Its texts are copied, because a substring would
 * keep its whole line in memory.
 */
export const slim = (activity: Activity): Activity => ({
  ...activity,
  activityId: own(activity.activityId),
  organizationId: own(activity.organizationId),
  type: own(activity.type),
  requester: own(activity.requester),
  fingerprint: own(activity.fingerprint),
  ...(activity.home === undefined ? {} : { home: own(activity.home) }),
  votesBeforeWindow: 0,
  votes: activity.votes.slice(activity.votesBeforeWindow).map((vote) => ({
    ...vote,
    id: '',
    userId: own(vote.userId),
    credentialId: own(vote.credentialId),
    scheme: '',
    decision: {
      verdict: { ...vote.decision.verdict, evaluations: [] },
      basis: NO_BASIS,
    },
  })),
})

const NO_BASIS: Basis = {
  rules: 0,
  generation: 1,
  read: [],
  at: '',
  credential: '',
  scheme: '',
  address: null,
  factors: [],
  revision: 1,
}
