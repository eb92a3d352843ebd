import type { Verdict } from '../log/decision.ts'
import type { Organization } from '../organization/state.ts'
import { stampsByUser, type Approval } from './approvers.ts'
import { verdictOf, type DecisionInput, type DecisionOptions } from './consensus.ts'
import { factorsFor, type Factors } from './factors.ts'

/** A decision, and what it rests on. */
export type Ruling = {
  readonly verdict: Verdict
  /** The ids of the credentials that met steps of MFA policies, in their order. */
  readonly factors: readonly string[]
  /** The approvals with which policies came to their outcomes. */
  readonly approvals: readonly Approval[]
}

/**
 * Decides on an activity. It is called again after each vote.
 *
 * An approval counts only if its user's stamps meet the MFA policy of this user. So the decision is taken twice: with all approvals, and
 * with those that count. Only the first denies, because a missing factor must not switch a denial off; and both have to allow. If nothing is
 * denied, and the requester lacks a factor, the activity waits for that, whatever else is missing.
 *
 * @param approvals  the approvals of the window, in order; the first of each user that counts is used
 */
export const decide = (
  organization: Organization,
  input: DecisionInput,
  approvals: readonly Approval[],
  options: DecisionOptions = {},
): Ruling => {
  const verdict = verdictOf(organization, input, approvals, options)
  const factors = factorsOfVoters(organization, input, approvals, options)
  const ruling = (ruled: Verdict, by = approvals): Ruling => ({
    verdict: ruled,
    factors: idsOf(factors),
    approvals: by,
  })
  const lacking = lackingIn(factors)
  if (verdict.outcome === 'DENIED' || lacking.size === 0) return ruling(verdict)
  if (lacking.has(input.requester)) return ruling({ ...verdict, outcome: 'AUTHENTICATORS_NEEDED' })
  if (verdict.outcome !== 'ALLOWED') return ruling(verdict)
  const counted = approvals.filter(({ userId }) => !lacking.has(userId))
  const again = verdictOf(organization, input, counted, options)
  return ruling(again.outcome === 'ALLOWED' ? again : { ...again, outcome: 'CONSENSUS_NEEDED' }, counted)
}

/**
 * The factors of the requester, who may have to stamp again after the window, and of all whose approvals count; of each of them with a
 * policy that counts.
 */
export const factorsOfVoters = (
  organization: Organization,
  input: DecisionInput,
  approvals: readonly Approval[],
  options: Pick<DecisionOptions, 'language' | 'rules'> = {},
): readonly Factors[] => {
  const stamps = stampsByUser(organization, approvals)
  const find = factorsFor(organization, input, options)
  return [...new Set([input.requester, ...stamps.keys()])].flatMap(
    (userId) => find(userId, stamps.get(userId) ?? []) ?? [],
  )
}

/** The users whose approvals do not count, because a step of their policies is not met. */
export const lackingIn = (factors: readonly Pick<Factors, 'userId' | 'isMet'>[]): ReadonlySet<string> =>
  new Set(factors.flatMap(({ userId, isMet }) => (isMet ? [] : [userId])))

const idsOf = (factors: readonly Factors[]): readonly string[] =>
  factors.flatMap(({ met }) => met.map(({ credentialId }) => credentialId)).toSorted()
