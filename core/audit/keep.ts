import { isFinished, type Activity } from '../activity/activity.ts'
import { decodeUtf8, encodeUtf8 } from '../bytes.ts'
import type { EventType } from '../log/event.ts'
import type { AuditedActivity, Auditor, Where } from './audited-log.ts'

/** Keeps an activity for as long as it is not finished, and says what has to follow. */
export const keep = ({ catalogue }: Auditor, where: Where, live: AuditedActivity): void => {
  const { log, logged } = where
  const { activity, intent, cast } = live
  if (isFinished(activity)) {
    intent?.release()
    return void log.activities.delete(activity.activityId)
  }
  const types = nextOf(catalogue, logged.event.type, activity)
  log.due = types.length === 0 ? undefined : { activity: activity.activityId, at: logged.event.at, types, where }
  const kept = types.length === 0 ? { activity: slim(activity), intent, cast } : live
  log.activities.set(kept.activity.activityId, kept)
}

/**
 * What has to follow in the same commit. An activity that could not be executed is refused when it is created, and nothing
 * of it is stored; after a vote it has failed.
 */
const nextOf = (
  catalogue: Auditor['catalogue'],
  type: EventType,
  { status, type: activityType }: Activity,
): readonly EventType[] => {
  const operation = catalogue.byType(activityType)?.operation
  const isDecision = type === 'ActivityCreated' || type === 'ActivityVoted'
  if (status !== 'ACTIVITY_STATUS_PENDING' || !isDecision || operation === undefined) return []
  const success = operation.perform?.outside === true ? 'ActivityStarted' : 'ActivityCompleted'
  return type === 'ActivityCreated' ? [success] : [success, 'ActivityFailed']
}

/**
 * Without what nobody asks for again: votes that have lapsed, and evaluations. Its texts are its own, since a part of a line
 * would keep the whole line in memory.
 */
const slim = (activity: Activity): Activity => ({
  ...activity,
  activityId: own(activity.activityId),
  organizationId: own(activity.organizationId),
  type: own(activity.type),
  requester: own(activity.requester),
  fingerprint: own(activity.fingerprint),
  votesBeforeWindow: 0,
  votes: activity.votes.slice(activity.votesBeforeWindow).map((vote) => ({
    ...vote,
    id: '',
    userId: own(vote.userId),
    credentialId: own(vote.credentialId),
    scheme: '',
    decision: {
      verdict: { ...vote.decision.verdict, evaluations: [] },
      basis: {
        ...NO_BASIS,
        ...(vote.decision.basis.limits === undefined ? {} : { limits: vote.decision.basis.limits }),
      },
    },
  })),
})

const own = (text: string): string => decodeUtf8(encodeUtf8(text)) ?? ''

const NO_BASIS = { rules: 0, read: [], at: '', credential: '', scheme: '', address: null, factors: [] }
