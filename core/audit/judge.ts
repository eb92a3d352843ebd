import { evolve } from '../activity/activity.ts'
import type { Envelope } from '../activity/envelope.ts'
import { fingerprintOf } from '../activity/identity.ts'
import type { Basis } from '../log/decision.ts'
import type { EventOf } from '../log/event.ts'
import { partsOf, REQUEST } from '../log/parts.ts'
import type { StampedRequest } from '../log/request-part.ts'
import { isWaiting } from '../log/standing.ts'
import { decodedIn, type Operation } from '../definition/operation.ts'
import { deletedUsers } from '../organization/deleted-users.ts'
import { hasEnded } from '../organization/ended.ts'
import { foldEvent } from '../organization/fold.ts'
import { profile } from '../organization/profile.ts'
import { E } from '../prelude.ts'
import type { AuditedActivity, Auditor, Where } from './audited-log.ts'
import { checkBeginning, isBeginning } from './check-beginning.ts'
import { isBegunBelow, judgeBegun, judgeBegunWith, judgeBelow } from './check-begun.ts'
import { checkSender } from './check-sender.ts'
import { checkNewDecision, checkVoteDecision } from './check-decision.ts'
import { checkAccepted, checkExecution } from './check-execution.ts'
import { checkLimits } from './check-limits.ts'
import { checkParts } from './check-parts.ts'
import { checkBallot, checkCopy, checkSubmitted, requestOf } from './check-request.ts'
import { checkSnapshot } from './check-snapshot.ts'
import { checkOthers, readIn } from './check-read.ts'
import { checkGeneration, formFor, revisionIn } from './check-revision.ts'
import { checkSubjects, checkVotedSubjects } from './check-subjects.ts'
import { markErasedIn } from './erased-reads.ts'
import { noteConcluded, noteEnded, noteMissing } from './erasures.ts'
import { checkInspected, decodedFor } from './inspect-again.ts'
import { checkTime } from './check-time.ts'
import { checkHome, deciderIn } from './decider-in.ts'
import type { KeptIntent } from './intents.ts'
import { keptHashes } from './kept-hashes.ts'
import { judgeStarted } from './judge-started.ts'
import { keep } from './keep.ts'
import { own } from './own.ts'
import { isSame } from './same-json.ts'

/** How many findings a log may have before its state counts as unknown. It bounds the work that a forged log can cause. */
const FINDINGS_MAX = 500

/**
 * Judges the next event of a log on the state before it, and applies it to that state. It applies the event as the log has it, also
 * where that is wrong, because later decisions were made on it.
 */
export const judge = (auditor: Auditor, where: Where): void => {
  const { log, logged, complain } = where
  const { event } = logged
  if (logged.isGap) {
    log.isStateKnown = false
    log.hasGap = true
  }
  checkTime(where)
  checkGeneration(auditor, where)
  checkParts(auditor, where)
  noteMissing(where, log.activities.get(event.activity))
  checkDue(where)
  if (event.sequence === 1n && !isBeginning(event)) {
    complain('GENESIS_INVALID', 'expected the log to begin with a create-organization activity')
  }
  judgeEvent(auditor, where)
  if ('decision' in event.data || event.type === 'ActivityStarted') fold(auditor, where)
  checkSnapshot(auditor, where)
  keepHash(where)
  if (log.findings > FINDINGS_MAX && log.isStateKnown) {
    log.isStateKnown = false
    complain('AUDIT_IMPOSSIBLE', 'so much is wrong in this log that what follows is not judged by the state')
  }
}

const keepHash = ({ log, logged: { event, hash } }: Where): void => {
  if (log.hashes === undefined && !mayErase(log.draft)) return
  log.hashes ??= keptHashes(event.sequence)
  log.hashes.push(hash)
}

/** Whether an erasure can follow, which names a line from here on. */
const mayErase = (draft: Where['log']['draft']): boolean =>
  deletedUsers.of(draft).size > 0 || hasEnded(draft) || profile.of(draft).firstChildAt !== undefined

const judgeEvent = (auditor: Auditor, where: Where): void => {
  const { event } = where.logged
  if (event.type === 'ActivityCreated') return judgeCreated(auditor, where, event)
  const live = find(where)
  const form = live === undefined ? undefined : formFor(auditor, where, live.activity.type)
  if (live !== undefined) checkLimits(auditor, where, live, form === undefined)
  checkInspected(auditor, where, form)
  if (live !== undefined) findWhatItRestsOn(auditor, where, live, form)
  switch (event.type) {
    case 'ActivityVoted':
      return judgeVoted(auditor, where, event, live, form)
    case 'ActivityStarted':
      return judgeStarted(auditor, where, event, live, form)
    case 'ActivityCompleted':
    case 'ActivityFailed':
      return judgeConcluded(auditor, where, event, live, form)
    default:
      return event satisfies never
  }
}

/** Finds once what all checks of an event need: the intent may have to be read again from a disk. */
const findWhatItRestsOn = (
  auditor: Auditor,
  where: Where,
  live: AuditedActivity,
  form: Operation | undefined,
): void => {
  if (form !== undefined) where.decoded = decodedFor(auditor, where, live, form)
  where.others = checkOthers(auditor, where, form, live.activity.home)
}

/** Judges that a log ends where it can: a commit is appended whole. */
export const judgeEnd = ({ due }: Where['log']): void =>
  due?.complain('STATUS_IMPOSSIBLE', 'the log ends before the end of the commit that this event belongs to')

// The outcome of an allowed activity is in the same commit, so it has the same time.
const checkDue = ({ log, logged: { event, isGap } }: Where): void => {
  const { due } = log
  log.due = undefined
  if (due === undefined || isGap) return
  if (due.types.includes(event.type) && event.activity === due.activity && event.at === due.at) {
    if (revisionIn(event) !== due.revision)
      due.complain('BASIS_DIFFERS', 'expected one revision of the operation in all events of a commit')
    if (!isSame(readIn(event), due.read))
      due.complain('BASIS_DIFFERS', 'expected one state of each other organization in all events of a commit')
    return
  }
  due.complain(
    'STATUS_IMPOSSIBLE',
    `expected ${due.types.join(' or ')} of this activity as the next event, at the same time`,
  )
}

const judgeCreated = (auditor: Auditor, where: Where, event: EventOf<'ActivityCreated'>): void => {
  const { log, complain } = where
  auditor.counts.activities += 1
  // The audit forgets an activity after its end. The revision still shows that it was there.
  if (event.revision !== 1n || log.activities.has(event.activity))
    return complain('STATUS_IMPOSSIBLE', 'the activity has been created already')
  const isBelow = isBegunBelow(event)
  const request = isBelow ? undefined : requestOf(auditor, where)
  const envelope = isBelow ? undefined : checkSubmitted(auditor, where, event, request)
  const live = {
    activity: evolve(undefined, event),
    intent: isBelow ? undefined : intentOf(auditor, where, event, request, envelope),
    gone: goneIn(where, event),
    proposer: proposerOf(event),
    cast: noVotes,
  }
  const form = formFor(auditor, where, event.data.type)
  checkLimits(auditor, where, undefined, form === undefined)
  checkInspected(auditor, where, form)
  findWhatItRestsOn(auditor, where, live, form)
  if (isBelow) {
    judgeBegun(auditor, where, event)
    keep(auditor, where, live, form)
    return checkNoLimits(where, event.data.decision.basis)
  }
  checkHome(where, event, form)
  if (event.sequence === 1n) log.beginning = { where, request }
  else checkSender(auditor, where, request, deciderIn(where, event.data.home))
  checkSubjects(auditor, where, event, form, live.intent?.decoded())
  checkNewDecision(auditor, where, event, form)
  keep(auditor, where, live, form) // first: the code of a host may throw
  if (isWaiting(live.activity.status)) checkAccepted(auditor, where, live, form)
  else checkNoLimits(where, event.data.decision.basis)
}

const proposerOf = ({ data: { decision } }: EventOf<'ActivityCreated'>): AuditedActivity['proposer'] => ({
  credential: own(decision.basis.credential),
  scheme: own(decision.basis.scheme),
})

/** Checks that a decision names no limits. The next event of the commit names those that were read; and a denial reads none. */
const checkNoLimits = ({ complain }: Where, { limits }: Basis): void => {
  if (limits !== undefined)
    complain('BASIS_DIFFERS', 'expected no limits: what follows the decision, or nobody, has read them')
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
  const decoded = found.version.decodeIntent(envelope.parameters)
  if (E.isRight(decoded)) return intents.keep(request.body, decoded.right, (body) => decodedIn(found.version, body))
  complain('REQUEST_DIFFERS', `the parameters cannot be read: ${decoded.left.message}`)
  return undefined
}

/** What the event says of its request, if that is gone. */
const goneIn = ({ logged: { erased } }: Where, event: EventOf<'ActivityCreated'>): AuditedActivity['gone'] =>
  erased.includes(REQUEST) ? { subjects: event.data.subjects?.map(own), revision: revisionIn(event) } : undefined

/** The intent of an activity in a copy of its body: its own request may be gone. */
const intentIn = ({ catalogue }: Auditor, { activity }: AuditedActivity, request: StampedRequest | undefined) => {
  const version = catalogue.byType(activity.type)?.version
  return version === undefined || request === undefined ? undefined : decodedIn(version, request.body)
}

const judgeVoted = (
  auditor: Auditor,
  where: Where,
  event: EventOf<'ActivityVoted'>,
  live: AuditedActivity | undefined,
  form: Operation | undefined,
): void => {
  const request = requestOf(auditor, where)
  let cast = live?.cast ?? []
  let isCopy: boolean | undefined
  const { user } = event.data
  checkSender(auditor, where, request, deciderIn(where, live?.activity.home))
  if (request !== undefined) {
    const fingerprint = fingerprintOf(auditor.signatures, request.body)
    checkBallot(auditor, where, event, request, fingerprint, live?.activity)
    isCopy = fingerprint === live?.activity.fingerprint
    const { credential } = event.data.decision.basis
    if (live !== undefined) checkCopy(where, live, user, { credential, fingerprint })
    cast = [...cast, { credential: own(credential), fingerprint }]
  }
  if (live === undefined) return
  if (!isWaiting(live.activity.status)) where.complain('STATUS_IMPOSSIBLE', 'the activity waited for no vote')
  const known = live.intent?.decoded() ?? (isCopy === true ? intentIn(auditor, live, request) : undefined)
  checkVotedSubjects(auditor, where, event, live, form, isCopy, known)
  checkVoteDecision(auditor, where, event, live, form)
  checkNoLimits(where, event.data.decision.basis)
  keep(auditor, where, { ...live, activity: evolve(live.activity, event), cast }, form)
}

const judgeConcluded = (
  auditor: Auditor,
  where: Where,
  event: EventOf<'ActivityCompleted'> | EventOf<'ActivityFailed'>,
  live: AuditedActivity | undefined,
  form: Operation | undefined,
): void => {
  const { log, logged, complain } = where
  if (live !== undefined) {
    const { status, attempt } = live.activity
    const isOutside = form?.perform?.outside === true
    if (status !== 'ACTIVITY_STATUS_PENDING')
      complain('STATUS_IMPOSSIBLE', 'an activity that is not allowed was concluded')
    else if (isOutside && attempt === 0 && event.type === 'ActivityCompleted')
      complain('STATUS_IMPOSSIBLE', 'an activity was completed before it was started')
    noteConcluded(where, event)
    noteEnded(where, event)
    checkExecution(auditor, where, event, live, form)
    judgeBelow(auditor, where, event, live)
    live.intent?.release()
    log.activities.delete(event.activity)
  }
  fold(auditor, where)
  const { beginning } = log
  log.beginning = undefined
  if (event.sequence === 2n) log.genesis = logged.hash
  if (beginning !== undefined) checkBeginning(auditor, where, beginning)
  if (event.sequence === 2n && event.type === 'ActivityCompleted') judgeBegunWith(auditor, where, event, form)
}

const fold = (auditor: Auditor, { log, logged: { event, parts }, complain }: Where): void => {
  if (event.type === 'ActivityCompleted') log.changedAt = event.sequence
  if (!log.isStateKnown) return
  const all = partsOf(event, parts)
  const folded = foldEvent(log.draft, event, auditor.catalogue, all)
  if (E.isRight(folded)) {
    return markErasedIn(log.draft, all, auditor.erasedReads)
  }
  log.isStateKnown = false
  const isUnknown = event.type === 'ActivityCompleted' && auditor.catalogue.byType(event.data.type) === undefined
  complain(
    isUnknown ? 'OPERATION_UNKNOWN' : 'AUDIT_IMPOSSIBLE',
    `${folded.left.message}; what follows is not judged by the state`,
  )
}

/** The activity that the event is about, unless it is finished or was never created. */
const find = ({ log, logged, complain }: Where): AuditedActivity | undefined => {
  const live = log.activities.get(logged.event.activity)
  // Where events are missing, the creation may be among them. That is a finding already.
  if (live === undefined && !log.hasGap) complain('STATUS_IMPOSSIBLE', 'the activity is finished, or was never created')
  return live
}

// The requester's own body is known by the activity's fingerprint.
const noVotes: AuditedActivity['cast'] = []
