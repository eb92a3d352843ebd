import type { Decision, Verdict } from '../log/decision.ts'
import type { Operation } from '../definition/operation.ts'
import { approvalIn, approvalsOf, decisionInputOf } from '../deciding/decision-input.ts'
import type { LiveActivity } from '../deciding/live-activity.ts'
import { rejection } from '../deciding/decide.ts'
import { votersOf } from '../deciding/voters.ts'
import { millis, type EventOf } from '../log/event.ts'
import { REQUEST } from '../log/parts.ts'
import type { Approval } from '../policy/approvers.ts'
import { decide, type Ruling } from '../policy/decide.ts'
import type { Language } from '../policy/expression.ts'
import { isOutOfScope } from '../policy/scope.ts'
import type { RulesVersion } from '../policy/rules.ts'
import type { TimeZones } from '../ports/time-zones.ts'
import type { AuditedActivity, Auditor, Where } from './audited-log.ts'
import { checkBasis } from './check-basis.ts'
import { deciderIn } from './decider-in.ts'
import { watched } from './erased-reads.ts'
import { isSame } from './same-json.ts'

const genesis: Compared = { verdict: { outcome: 'ALLOWED', rule: 'genesis', evaluations: [] }, factors: [] }

/** What the log says of a decision that is taken again. */
type Compared = Pick<Ruling, 'verdict' | 'factors'>

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
  if (sequence === 1n) return compare(auditor, where, decision, genesis)
  const { decoded } = where
  const decider = deciderIn(where, data.home)
  if (rules === undefined || !where.log.isStateKnown || decider === undefined || form === undefined) return
  const atMs = millis(decision.basis.at)
  const own = approvalIn(requester, decision.basis)
  const approvals = approvalsOf(undefined, atMs, own)
  if (decoded === undefined) {
    checkGiven(where, decision, approvals)
    return countErased(auditor, where.logged.erased.includes(REQUEST))
  }
  const input = () =>
    decisionInputOf(form, { organization: where.log.draft, type: data.type, intent: decoded.intent, requester, atMs })
  const take = (taking: Taking): Ruling => decide(decider, input(), approvals, taking)
  takeAgain(auditor, where, rules, decision, take, (taking) => scopeProblems(isOutOfScope(decider, own, input, taking)))
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
  const atMs = millis(decision.basis.at)
  const approval = approvalIn(user, decision.basis)
  const approvals = approvalsOf(activity, atMs, approval)
  if (decoded === undefined) {
    checkGiven(where, decision, selection === 'VOTE_SELECTION_APPROVED' ? approvals : [])
    return countErased(auditor, live.gone !== undefined)
  }
  const { type, requester } = activity
  const input = () => decisionInputOf(form, { organization: draft, type, intent: decoded.intent, requester, atMs })
  const take = (taking: Taking): Ruling =>
    selection === 'VOTE_SELECTION_REJECTED' ? rejection : decide(decider, input(), approvals, taking)
  takeAgain(auditor, where, rules, decision, take, (taking) => {
    const operations = { ...auditor.catalogue, byType: () => ({ operation: form }) }
    const voters = votersOf({ organization: draft, decider }, operations, atMs, taking)
    const seen = { activity, decoded, requests: noRequests }
    const isEligible = voters.isEligible(seen, user)
    const adds = selection !== 'VOTE_SELECTION_APPROVED' || voters.addsApproval(seen, approval)
    return [
      ...(adds ? [] : ['the approval of this user counts already, or it meets no step that was missing']),
      ...(isEligible ? [] : ['this user could not vote on the activity']),
      ...scopeProblems(isOutOfScope(decider, approval, input, taking)),
    ]
  })
}

const scopeProblems = (isOutside: boolean): readonly string[] =>
  isOutside ? ['the activity was outside the scope of the key of the stamp'] : []

// Only the rules are asked, and they do not ask for the requests.
const noRequests: LiveActivity['requests'] = new Map()

/**
 * @param take  takes the decision
 * @param check  finds out what is wrong with the request or vote
 */
const takeAgain = (
  auditor: Auditor,
  where: Where,
  rules: RulesVersion,
  decision: Decision,
  take: (taking: Taking) => Ruling,
  check: (taking: Taking) => readonly string[] = () => [],
): void => {
  const { language, timeZones } = auditor.catalogue
  const taking = { rules, language, timeZones, looksAhead: true }
  const { given: again, hasRead } = watched(auditor.erasedReads, () => ({
    ruling: take(taking),
    wrong: check(taking),
  }))
  if (hasRead || again === undefined) {
    checkAllowance(auditor, where, decision, () => take({ ...taking, looksAhead: false }))
    return countErased(auditor, true)
  }
  for (const message of again.wrong) where.complain('VOTE_INVALID', `${message}${otherZones(auditor, decision)}`)
  if (rules !== auditor.rules.at(-1)) auditor.counts.byOlderRules += 1
  compare(auditor, where, decision, again.ruling)
}

/**
 * Checks a decision that read what was erased. Whoever might still have approved explains why an activity waits, also one that is its
 * requester's own where no policy decides, and never why it is allowed: that has to hold by the approvals that are there, unless one of
 * them is by the erased person.
 */
const checkAllowance = (auditor: Auditor, where: Where, decision: Decision, take: () => Ruling): void => {
  const { given, hasRead } = watched(auditor.erasedReads, take)
  if (given === undefined || hasRead) return
  checkFactors(where, decision, given)
  const [verdict, again] = [decision.verdict, given.verdict]
  if (isAllowed(again) === isAllowed(verdict)) return
  if (again.rule === 'own-credentials' && verdict.outcome === 'CONSENSUS_NEEDED') return
  where.complain('DECISION_DIFFERS', `taken again by the approvals that are there, the decision is ${again.outcome}`)
}

const isAllowed = ({ outcome }: Verdict): boolean => outcome === 'ALLOWED'

/** Counts a decision that cannot be taken again, because something that it rests on was erased. */
const countErased = ({ counts }: Auditor, isErased: boolean): void => {
  if (isErased) counts.decisionsErased += 1
}

const checkFactors = ({ complain }: Where, { basis }: Decision, { factors }: Compared): void => {
  if (!isSame(basis.factors, factors))
    complain('BASIS_DIFFERS', `expected the second factors that were given: ${factors.join(', ') || 'none'}`)
}

/** Checks the factors of a decision that cannot be taken again: whatever the steps were, somebody has to have given them. */
const checkGiven = ({ complain }: Where, { basis }: Decision, approvals: readonly Approval[]): void => {
  if (!basis.factors.every((factor) => approvals.some(({ credentialId }) => credentialId === factor)))
    complain('BASIS_DIFFERS', 'a second factor of the decision is the credential of no approval')
}

const compare = (auditor: Auditor, where: Where, decision: Decision, again: Compared): void => {
  checkFactors(where, decision, again)
  if (isSame(decision.verdict, again.verdict)) auditor.counts.decisions += 1
  else {
    const { outcome, rule, evaluations } = again.verdict
    where.complain(
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
