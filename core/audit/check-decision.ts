import type { Decision, Verdict } from '../log/decision.ts'
import type { Operation } from '../definition/operation.ts'
import { approvalsOf, decisionInputOf } from '../deciding/decision-input.ts'
import type { LiveActivity } from '../deciding/live-activity.ts'
import { votersOf } from '../deciding/voters.ts'
import { millis, type EventOf } from '../log/event.ts'
import { REQUEST } from '../log/parts.ts'
import { decide } from '../policy/consensus.ts'
import type { Language } from '../policy/expression.ts'
import type { RulesVersion } from '../policy/rules.ts'
import type { TimeZones } from '../ports/time-zones.ts'
import type { AuditedActivity, Auditor, Where } from './audited-log.ts'
import { checkBasis } from './check-basis.ts'
import { deciderIn } from './decider-in.ts'
import { watched } from './erased-reads.ts'
import { isSame } from './same-json.ts'

const genesisVerdict: Verdict = { outcome: 'ALLOWED', rule: 'genesis', evaluations: [] }
const rejectedVerdict: Verdict = { outcome: 'REJECTED', rule: 'vote', evaluations: [] }

type Taking = {
  readonly rules: RulesVersion
  readonly language: Language
  readonly timeZones: TimeZones
  readonly looksAhead: boolean
}

/**
 * Takes the decision on a new activity again.
 *
 * @param form  the operation as it was; `undefined` where it is not known
 */
export const checkNewDecision = (
  auditor: Auditor,
  where: Where,
  { sequence, data }: EventOf<'ActivityCreated'>,
  form: Operation | undefined,
): void => {
  const { decision, requester } = data
  const rules = checkBasis(auditor, where, decision.basis, data)
  if (sequence === 1n) return compare(auditor, where, decision, genesisVerdict)
  const { decoded } = where
  const decider = deciderIn(where, data.home)
  if (rules === undefined || !where.log.isStateKnown || decider === undefined || form === undefined) return
  if (decoded === undefined) return countErased(auditor, where.logged.erased.includes(REQUEST))
  const atMs = millis(decision.basis.at)
  const approval = { userId: requester, credentialId: decision.basis.credential }
  takeAgain(auditor, where, rules, decision, (taking) => {
    const input = decisionInputOf(form, {
      organization: where.log.draft,
      type: data.type,
      intent: decoded.intent,
      requester,
      atMs,
    })
    return decide(decider, input, approvalsOf(undefined, atMs, approval), taking)
  })
}

/**
 * Takes the decision after a vote again, and checks that the user could vote.
 *
 * @param live  the activity before the vote
 * @param form  the operation as it was; `undefined` where it is not known
 */
export const checkVoteDecision = (
  auditor: Auditor,
  where: Where,
  { data }: EventOf<'ActivityVoted'>,
  live: AuditedActivity,
  form: Operation | undefined,
): void => {
  const { decision, user, selection } = data
  const { draft, isStateKnown } = where.log
  const { activity } = live
  const rules = checkBasis(auditor, where, decision.basis, activity)
  const { decoded } = where
  const decider = deciderIn(where, activity.home)
  if (rules === undefined || !isStateKnown || decider === undefined || form === undefined) return
  if (decoded === undefined) return countErased(auditor, live.gone !== undefined)
  const atMs = millis(decision.basis.at)
  const take = (taking: Taking): Verdict => {
    if (selection === 'VOTE_SELECTION_REJECTED') return rejectedVerdict
    const input = decisionInputOf(form, {
      organization: draft,
      type: activity.type,
      intent: decoded.intent,
      requester: activity.requester,
      atMs,
    })
    const approvals = approvalsOf(activity, atMs, { userId: user, credentialId: decision.basis.credential })
    return decide(decider, input, approvals, taking)
  }
  takeAgain(auditor, where, rules, decision, take, (taking) => {
    const operations = { ...auditor.catalogue, byType: () => ({ operation: form }) }
    const voters = votersOf({ organization: draft, decider }, operations, atMs, taking)
    const hasApproved = selection === 'VOTE_SELECTION_APPROVED' && voters.hasApproved(activity, user)
    const isEligible = voters.isEligible({ activity, decoded, requests: noRequests }, user)
    return [
      ...(hasApproved ? ['the approval of this user counts already'] : []),
      ...(isEligible ? [] : ['this user could not vote on the activity']),
    ]
  })
}

// Only the rules are asked, and they do not ask for the requests.
const noRequests: LiveActivity['requests'] = new Map()

/**
 * @param take  takes the decision
 * @param check  finds out what is wrong with a vote
 */
const takeAgain = (
  auditor: Auditor,
  where: Where,
  rules: RulesVersion,
  decision: Decision,
  take: (taking: Taking) => Verdict,
  check: (taking: Taking) => readonly string[] = () => [],
): void => {
  const { language, timeZones } = auditor.catalogue
  const taking = { rules, language, timeZones, looksAhead: true }
  const { given: again, hasRead } = watched(auditor.erasedReads, () => ({
    verdict: take(taking),
    wrong: check(taking),
  }))
  if (hasRead || again === undefined) {
    checkAllowance(auditor, where, decision, () => take({ ...taking, looksAhead: false }))
    return countErased(auditor, true)
  }
  for (const message of again.wrong) where.complain('VOTE_INVALID', `${message}${otherZones(auditor, decision)}`)
  if (rules !== auditor.rules.at(-1)) auditor.counts.byOlderRules += 1
  compare(auditor, where, decision, again.verdict)
}

/**
 * Checks a decision that read what was erased. Whoever might still have approved explains why an activity waits, also one that is its
 * requester's own where no policy decides, and never why it is allowed: that has to hold by the approvals that are there, unless one of
 * them is by the erased person.
 */
const checkAllowance = (auditor: Auditor, { complain }: Where, { verdict }: Decision, take: () => Verdict): void => {
  const { given, hasRead } = watched(auditor.erasedReads, take)
  if (given === undefined || hasRead || isAllowed(given) === isAllowed(verdict)) return
  if (given.rule === 'own-credentials' && verdict.outcome === 'CONSENSUS_NEEDED') return
  complain('DECISION_DIFFERS', `taken again by the approvals that are there, the decision is ${given.outcome}`)
}

const isAllowed = ({ outcome }: Verdict): boolean => outcome === 'ALLOWED'

/** Counts a decision that cannot be taken again, because something that it rests on was erased. */
const countErased = ({ counts }: Auditor, isErased: boolean): void => {
  if (isErased) counts.decisionsErased += 1
}

const compare = (auditor: Auditor, { complain }: Where, decision: Decision, again: Verdict): void => {
  if (isSame(decision.verdict, again)) auditor.counts.decisions += 1
  else {
    const { outcome, rule, evaluations } = again
    complain(
      'DECISION_DIFFERS',
      `taken again, the decision is ${outcome} by ${rule}, with ${evaluations.length} policies${otherZones(auditor, decision)}`,
    )
  }
}

/**
 * Says that a decision was taken with other data of time zones, which may be why it differs. It is a finding all the same: whoever forges
 * a decision can write any version beside it.
 */
const otherZones = ({ catalogue: { timeZones } }: Auditor, { basis }: Decision): string =>
  basis.timeZones === undefined || basis.timeZones === timeZones.version
    ? ''
    : `; it was taken with version ${basis.timeZones} of the time zones, and this audit has ${timeZones.version}`
