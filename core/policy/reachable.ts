import { factsFor, waysOf, type Approver } from './approvers.ts'
import { holds, type Allowance, type Expression, type Facts } from './expression.ts'
import type { RulesVersion } from './rules.ts'

/**
 * Whether a false consensus could become true by more approvals. It evaluates the consensus with all users and all their credentials,
 * and then with the present approvers and one more user.
 *
 * If more approvals never hurt, the first test is exact. If more approvals can make the consensus false, as with
 * `approvers.count() == 2` or `approvers.all(…)`, it looks only one approval ahead.
 *
 * @param everyone  all users of the organization
 * @param present  the users who approve now
 * @param allowance  the steps that the search may take; when they are used up, the answer is no
 */
export const isReachable = (
  consensus: Expression,
  activity: Facts['activity'],
  everyone: readonly Approver[],
  present: readonly Approver[],
  rules: RulesVersion,
  allowance: Allowance,
): boolean => {
  allowance.steps -= rules.stepsPerSearch(everyone.length)
  if (allowance.steps <= 0) return false
  const approving = new Set(present.map(({ user }) => user.id))
  const others = everyone.filter(({ user }) => !approving.has(user.id))
  // The present approvers come first, in their order, because a consensus may use the first approver.
  const byId = new Map(everyone.map((approver) => [approver.user.id, approver]))
  const first = present.map((approver) => byId.get(approver.user.id) ?? approver)
  if (holds(consensus, factsFor(consensus, activity, [...first, ...others]), rules, allowance)) return true
  const asksCredentials = consensus.keywords.has('credentials')
  for (const other of others) {
    for (const way of asksCredentials ? waysOf(other) : [other]) {
      if (holds(consensus, factsFor(consensus, activity, [...present, way]), rules, allowance)) return true
    }
  }
  return false
}
