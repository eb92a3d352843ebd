import type { Decision, Verdict } from '../activity/decision.ts'
import { approvalsOf, matterOf } from '../activity/matter.ts'
import type { LiveActivity } from '../command/cell.ts'
import { votersOf } from '../command/view.ts'
import { millis, type EventOf } from '../log/event.ts'
import { decide } from '../policy/consensus.ts'
import type { Work } from '../policy/expression.ts'
import { currentRules, type RulesVersion } from '../policy/rules.ts'
import type { AuditedActivity, Auditor, Where } from './audited-log.ts'
import { checkBasis } from './check-basis.ts'
import { isSame } from './same-json.ts'

const genesisVerdict: Verdict = { outcome: 'ALLOWED', rule: 'genesis', evaluations: [] }
const rejectedVerdict: Verdict = { outcome: 'REJECTED', rule: 'vote', evaluations: [] }

/**
 * What one decision may take, in steps. The rules of today end long before it; by the first rules a policy could make a
 * decision take seconds, and whoever makes up a log of them could keep an auditor busy for days.
 */
const WORK_MAX = 8_000_000

type Taking = { readonly rules: RulesVersion; readonly work: Work }

/**
 * Takes the decision on a new activity again.
 *
 * @param live  the activity as the event makes it
 */
export const checkNewDecision = (
  auditor: Auditor,
  where: Where,
  { sequence, data }: EventOf<'ActivityCreated'>,
  live: AuditedActivity,
): void => {
  const { decision, requester } = data
  const rules = checkBasis(auditor, where, decision.basis)
  if (sequence === 1n) return compare(auditor, where, decision, genesisVerdict)
  const found = auditor.catalogue.byType(data.type)
  const asked = live.intent?.asked()
  if (rules === undefined || !where.log.isStateKnown || found === undefined || asked === undefined) return
  const atMs = millis(decision.basis.at)
  const approval = { userId: requester, credentialId: decision.basis.credential }
  const matter = matterOf(found.operation, data.type, asked.intent, requester, atMs)
  takeAgain(auditor, where, rules, decision, (taking) =>
    decide(where.log.draft, matter, approvalsOf(undefined, atMs, approval), taking),
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
  live: AuditedActivity,
): void => {
  const { decision, user, selection } = data
  const { draft, isStateKnown } = where.log
  const rules = checkBasis(auditor, where, decision.basis)
  const asked = live.intent?.asked()
  if (rules === undefined || !isStateKnown || asked === undefined) return
  const { activity } = live
  const atMs = millis(decision.basis.at)
  const found = auditor.catalogue.byType(activity.type)
  takeAgain(auditor, where, rules, decision, (taking) => {
    const voters = votersOf(draft, auditor.catalogue, atMs, taking)
    if (selection === 'VOTE_SELECTION_APPROVED' && voters.hasApproved(activity, user))
      where.complain('VOTE_INVALID', 'the approval of this user counts already')
    if (!voters.isEligible({ activity, asked, requests: noRequests }, user) && taking.work.left > 0)
      where.complain('VOTE_INVALID', 'this user could not vote on the activity')
    if (selection === 'VOTE_SELECTION_REJECTED' || found === undefined) return rejectedVerdict
    const matter = matterOf(found.operation, activity.type, asked.intent, activity.requester, atMs)
    const approvals = approvalsOf(activity, atMs, { userId: user, credentialId: decision.basis.credential })
    return decide(draft, matter, approvals, taking)
  })
}

// Only the rules are asked, and they do not ask for the requests.
const noRequests: LiveActivity['requests'] = new Map()

const takeAgain = (
  auditor: Auditor,
  where: Where,
  rules: RulesVersion,
  decision: Decision,
  take: (taking: Taking) => Verdict,
): void => {
  const work = { left: WORK_MAX }
  const again = take({ rules, work })
  if (rules.version < currentRules.version) auditor.counts.byOlderRules += 1
  if (work.left > 0) return compare(auditor, where, decision, again)
  where.log.isStateKnown = false
  where.complain(
    'AUDIT_IMPOSSIBLE',
    `the decision takes more than ${WORK_MAX} steps; what follows in this log is not judged by the state`,
  )
}

const compare = ({ counts }: Auditor, { complain }: Where, { verdict }: Decision, again: Verdict): void => {
  if (isSame(verdict, again)) counts.decisions += 1
  else
    complain(
      'DECISION_DIFFERS',
      `taken again, the decision is ${again.outcome} by ${again.rule}, with ${again.evaluations.length} policies`,
    )
}
