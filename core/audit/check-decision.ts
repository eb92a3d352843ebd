import type { Basis, Decision, Verdict } from '../activity/decision.ts'
import { approvalsOf, matterOf } from '../activity/matter.ts'
import { millis, type EventOf } from '../log/event.ts'
import { decide, RULES_VERSION } from '../policy/consensus.ts'
import type { LiveActivity } from '../command/cell.ts'
import { hasApproved, isEligible } from '../command/view.ts'
import type { Auditor, Where } from './audited-log.ts'
import { isSame } from './same-json.ts'

const genesisVerdict: Verdict = { outcome: 'ALLOWED', rule: 'genesis', evaluations: [] }
const rejectedVerdict: Verdict = { outcome: 'REJECTED', rule: 'vote', evaluations: [] }

/**
 * Takes the decision on a new activity again.
 *
 * @param live  the activity as the event makes it
 */
export const checkNewDecision = (
  auditor: Auditor,
  where: Where,
  { sequence, data }: EventOf<'ActivityCreated'>,
  live: LiveActivity,
): void => {
  const { decision, requester } = data
  const fits = checkBasis(where, decision.basis)
  if (sequence === 1n) return compare(auditor, where, decision, genesisVerdict)
  const found = auditor.catalogue.byType(data.type)
  if (!fits || !where.log.isStateKnown || found === undefined || live.asked === undefined) return
  const approval = { userId: requester, credentialId: decision.basis.credential }
  const matter = matterOf(found.operation, data.type, live.asked.intent, requester)
  compare(
    auditor,
    where,
    decision,
    decide(where.log.draft, matter, approvalsOf(undefined, millis(decision.basis.at), approval)),
  )
}

/**
 * Takes the decision after a vote again, and checks that the user could vote.
 *
 * @param live  the activity before the vote
 */
export const checkVoteDecision = (
  auditor: Auditor,
  where: Where,
  { data }: EventOf<'ActivityVoted'>,
  live: LiveActivity,
): void => {
  const { decision, user, selection } = data
  const { draft, isStateKnown } = where.log
  const atMs = millis(decision.basis.at)
  if (selection === 'VOTE_SELECTION_APPROVED' && hasApproved(live.activity, user, atMs)) {
    where.complain('VOTE_INVALID', 'the approval of this user counts already')
  }
  const fits = checkBasis(where, decision.basis)
  if (!isStateKnown || live.asked === undefined) return
  if (!isEligible(draft, auditor.catalogue, live, user, atMs)) {
    where.complain('VOTE_INVALID', 'this user could not vote on the activity')
  }
  if (selection === 'VOTE_SELECTION_REJECTED') return compare(auditor, where, decision, rejectedVerdict)
  const found = auditor.catalogue.byType(live.activity.type)
  if (!fits || found === undefined) return
  const matter = matterOf(found.operation, live.activity.type, live.asked.intent, live.activity.requester)
  const approvals = approvalsOf(live.activity, atMs, { userId: user, credentialId: decision.basis.credential })
  compare(auditor, where, decision, decide(draft, matter, approvals))
}

const compare = ({ counts }: Auditor, { complain }: Where, { verdict }: Decision, again: Verdict): void => {
  if (isSame(verdict, again)) counts.decisions += 1
  else
    complain(
      'DECISION_DIFFERS',
      `taken again, the decision is ${again.outcome} by ${again.rule}, with ${again.evaluations.length} policies`,
    )
}

/** Whether the decision can be taken again: whether what it says that it was made on is what the log has. */
const checkBasis = ({ log, logged, complain }: Where, basis: Basis): boolean => {
  const { organization, sequence, at } = logged.event
  if (basis.at !== at) complain('TIME_DIFFERS', 'the decision used another time than that of its event')
  const [read] = basis.read
  if (
    basis.read.length !== 1 ||
    read?.organization !== organization ||
    !/^(?:0|[1-9][0-9]{0,18})$/.test(read.sequence)
  ) {
    complain('BASIS_DIFFERS', 'expected a decision on the state of its organization alone')
    return false
  }
  // What others appended in between does not matter if it did not change the organization.
  const readTo = BigInt(read.sequence)
  if (readTo >= sequence || (log.isStateKnown && readTo < log.changedAt)) {
    complain(
      'BASIS_DIFFERS',
      `the decision was not made on the state right before it, but on that of sequence ${read.sequence}`,
    )
    return false
  }
  if (basis.rules === RULES_VERSION) return true
  complain(
    'BASIS_DIFFERS',
    `the decision was made by version ${basis.rules} of the rules; this version knows ${RULES_VERSION}`,
  )
  return false
}
