import { evolve } from '../activity/activity.ts'
import { parseEnvelope, type Envelope } from '../activity/envelope.ts'
import { fingerprintOf } from '../activity/identity.ts'
import type { Asked } from '../command/cell.ts'
import { millis, type EventOf } from '../log/event.ts'
import type { StampedRequest } from '../log/request-part.ts'
import { createOrganization } from '../operations/organization/create-organization.ts'
import type { Version } from '../operations/operation.ts'
import { foldEvent } from '../organization/fold.ts'
import { E } from '../prelude.ts'
import type { AuditedActivity, Auditor, Where } from './audited-log.ts'
import { checkNewDecision, checkVoteDecision } from './check-decision.ts'
import { checkAccepted, checkExecution } from './check-execution.ts'
import { checkBallot, checkCopy, checkStamp, checkSubmitted, requestOf } from './check-request.ts'
import { checkTime, isInstant } from './check-time.ts'
import type { KeptIntent } from './intents.ts'
import { keep } from './keep.ts'

/** How many findings a log may have before its state is no longer believed: each costs as much as what is in order. */
const FINDINGS_MAX = 500

/**
 * Judges the next event of a log on the state that those before it left, and works it into that state. It goes on as the
 * log says, also where that is wrong: later decisions were made on it.
 */
export const judge = (auditor: Auditor, where: Where): void => {
  const { log, logged, complain } = where
  const { event } = logged
  if (logged.isGap) {
    log.isStateKnown = false
    log.hasGap = true
  }
  checkTime(auditor, where)
  checkParts(where)
  checkDue(where)
  if (event.sequence === 1n && !isBeginning(event)) {
    complain('GENESIS_INVALID', 'expected the log to begin with a create-organization activity')
  }
  judgeEvent(auditor, where)
  if (log.findings > FINDINGS_MAX && log.isStateKnown) {
    log.isStateKnown = false
    complain('AUDIT_IMPOSSIBLE', 'so much is wrong in this log that what follows is not judged by the state')
  }
}

const judgeEvent = (auditor: Auditor, where: Where): void => {
  const { event } = where.logged
  switch (event.type) {
    case 'ActivityCreated':
      return judgeCreated(auditor, where, event)
    case 'ActivityVoted':
      return judgeVoted(auditor, where, event)
    case 'ActivityStarted':
      return judgeStarted(auditor, where, event)
    case 'ActivityCompleted':
    case 'ActivityFailed':
      return judgeConcluded(auditor, where, event)
    default:
      return event satisfies never
  }
}

/** Judges that a log ends where it can: a commit is appended whole. */
export const judgeEnd = ({ due }: Where['log']): void =>
  due?.where.complain('STATUS_IMPOSSIBLE', 'the log ends before the end of the commit that this event belongs to')

const isBeginning = ({ type, data }: Where['logged']['event']): boolean =>
  type === 'ActivityCreated' && 'requester' in data && data.type === createOrganization.type

/** That the request is there, is asked where it is read. */
const checkParts = ({ logged: { event }, complain }: Where): void => {
  const hasRequest = event.type === 'ActivityCreated' || event.type === 'ActivityVoted'
  for (const name of Object.keys(event.parts))
    if (!hasRequest || name !== 'request') complain('PART_MISPLACED', 'the event names a part that it cannot have')
}

// What an allowed activity leads to is in the same commit, and so it has the same time.
const checkDue = ({ log, logged: { event, isGap } }: Where): void => {
  const { due } = log
  log.due = undefined
  if (due === undefined || isGap) return
  if (due.types.includes(event.type) && event.activity === due.activity && event.at === due.at) return
  due.where.complain(
    'STATUS_IMPOSSIBLE',
    `expected ${due.types.join(' or ')} of this activity as the next event, at the same time`,
  )
}

const judgeCreated = (auditor: Auditor, where: Where, event: EventOf<'ActivityCreated'>): void => {
  const { log, complain } = where
  auditor.counts.activities += 1
  // After its end an activity is no longer among those that the audit keeps: its revision still tells that it was there.
  if (event.revision !== 1n || log.activities.has(event.activity))
    return complain('STATUS_IMPOSSIBLE', 'the activity has been created already')
  const request = requestOf(where)
  const envelope = checkSubmitted(auditor, where, event, request)
  if (event.sequence === 1n) {
    log.beginning = { where, request }
  } else if (request !== undefined) {
    const { requester, decision } = event.data
    checkStamp(auditor, where, request, { userId: requester, basis: decision.basis }, stateOf(where))
  }
  const live = {
    activity: evolve(undefined, event),
    intent: intentOf(auditor, where, event, request, envelope),
    cast: noVotes,
  }
  checkNewDecision(auditor, where, event, live)
  keep(auditor, where, live) // first: the code of a host may throw
  if (live.activity.status === 'ACTIVITY_STATUS_CONSENSUS_NEEDED') checkAccepted(auditor, where, live)
}

const intentOf = (
  { catalogue, intents }: Auditor,
  { complain }: Where,
  { data }: EventOf<'ActivityCreated'>,
  request: StampedRequest | undefined,
  envelope: Envelope | undefined,
): KeptIntent | undefined => {
  const found = catalogue.byType(data.type)
  if (found === undefined) {
    complain('OPERATION_UNKNOWN', `this version does not know the operation ${data.type}`)
    return undefined
  }
  if (request === undefined || envelope === undefined) return undefined
  const asked = found.version.decodeIntent(envelope.parameters)
  if (E.isRight(asked)) return intents.keep(request.body, asked.right, (body) => askedIn(found.version, body))
  complain('REQUEST_DIFFERS', `the parameters cannot be read: ${asked.left.message}`)
  return undefined
}

const askedIn = (version: Version, body: Uint8Array): Asked | undefined => {
  const envelope = parseEnvelope(body)
  const asked = E.isRight(envelope) ? version.decodeIntent(envelope.right.parameters) : envelope
  return E.isRight(asked) ? asked.right : undefined
}

const judgeVoted = (auditor: Auditor, where: Where, event: EventOf<'ActivityVoted'>): void => {
  const live = find(where)
  const request = requestOf(where)
  let cast = live?.cast ?? []
  if (request !== undefined) {
    const { user, decision } = event.data
    const fingerprint = fingerprintOf(auditor.signatures, request.body)
    checkBallot(auditor, where, event, request, fingerprint, live?.activity)
    if (live !== undefined) checkCopy(where, live, { user, fingerprint })
    cast = [...cast, { user, fingerprint }]
    checkStamp(auditor, where, request, { userId: user, basis: decision.basis }, stateOf(where))
  }
  if (live === undefined) return
  const { status } = live.activity
  if (status !== 'ACTIVITY_STATUS_CONSENSUS_NEEDED' && status !== 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED') {
    where.complain('STATUS_IMPOSSIBLE', 'the activity waited for no vote')
  }
  checkVoteDecision(auditor, where, event, live)
  keep(auditor, where, { ...live, activity: evolve(live.activity, event), cast })
}

const judgeStarted = (auditor: Auditor, where: Where, event: EventOf<'ActivityStarted'>): void => {
  const live = find(where)
  if (live === undefined) return
  const { activity } = live
  const found = auditor.catalogue.byType(activity.type)
  keep(auditor, where, { ...live, activity: evolve(activity, event) })
  if (activity.status !== 'ACTIVITY_STATUS_PENDING') {
    where.complain('STATUS_IMPOSSIBLE', 'an activity that is not allowed was started')
  } else if (activity.attempt === 0) {
    checkAccepted(auditor, where, live)
  } else if (where.log.rules?.isTimeMonotonic === true && millis(event.at) < activity.resumeAtMs) {
    where.complain('TIME_DIFFERS', 'another attempt began earlier than the one before it let it')
  }
  if (found !== undefined && found.operation.perform?.outside !== true) {
    where.complain('STATUS_IMPOSSIBLE', 'the operation has no effects outside that could be started')
  }
  if (event.data.attempt !== activity.attempt + 1) {
    where.complain('STATUS_IMPOSSIBLE', `expected attempt ${activity.attempt + 1}`)
  }
  if (!isInstant(event.data.resumeAt)) where.complain('TIME_DIFFERS', 'expected a time in UTC with milliseconds')
}

const judgeConcluded = (
  auditor: Auditor,
  where: Where,
  event: EventOf<'ActivityCompleted'> | EventOf<'ActivityFailed'>,
): void => {
  const { log, logged, complain } = where
  const live = find(where)
  if (live !== undefined) {
    const { status, type, attempt } = live.activity
    const isOutside = auditor.catalogue.byType(type)?.operation.perform?.outside === true
    if (status !== 'ACTIVITY_STATUS_PENDING')
      complain('STATUS_IMPOSSIBLE', 'an activity that is not allowed was concluded')
    else if (isOutside && attempt === 0 && event.type === 'ActivityCompleted')
      complain('STATUS_IMPOSSIBLE', 'an activity was completed before it was started')
    checkExecution(auditor, where, event, live)
    live.intent?.release()
    log.activities.delete(event.activity)
  }
  fold(auditor, where)
  const { beginning } = log
  log.beginning = undefined
  if (event.sequence === 2n) log.genesis = logged.hash
  if (beginning !== undefined) checkBeginning(auditor, where, beginning)
}

/** The key that an organization begins with vouches for itself: it has to be one of a root user that it registers. */
const checkBeginning = (
  auditor: Auditor,
  { log }: Where,
  { where, request }: NonNullable<Where['log']['beginning']>,
): void => {
  const { event } = where.logged
  if (event.type !== 'ActivityCreated') return
  const { requester, decision } = event.data
  if (request !== undefined) {
    checkStamp(auditor, where, request, { userId: requester, basis: decision.basis }, stateOf(where))
  }
  if (log.isStateKnown && !log.draft.quorum.userIds.includes(requester)) {
    where.complain('GENESIS_INVALID', 'the organization was begun by none of its root users')
  }
}

const fold = (auditor: Auditor, { log, logged: { event }, complain }: Where): void => {
  if (event.type !== 'ActivityCompleted') return
  log.changedAt = event.sequence
  if (!log.isStateKnown) return
  const folded = foldEvent(log.draft, event, auditor.catalogue)
  if (E.isRight(folded)) return
  log.isStateKnown = false
  const isUnknown = auditor.catalogue.byType(event.data.type) === undefined
  complain(
    isUnknown ? 'OPERATION_UNKNOWN' : 'AUDIT_IMPOSSIBLE',
    `${folded.left.message}; what follows is not judged by the state`,
  )
}

/** The state then, if it is known. */
const stateOf = ({ log }: Where): Where['log']['draft'] | undefined => (log.isStateKnown ? log.draft : undefined)

/** The activity that the event is about, unless it is finished or was never created. */
const find = ({ log, logged, complain }: Where): AuditedActivity | undefined => {
  const live = log.activities.get(logged.event.activity)
  // Where events are missing, the creation may be among them: that was said already.
  if (live === undefined && !log.hasGap) complain('STATUS_IMPOSSIBLE', 'the activity is finished, or was never created')
  return live
}

// The requester's own body is known by the activity's fingerprint.
const noVotes: AuditedActivity['cast'] = []
