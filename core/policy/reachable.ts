import { factsFor, waysOf, type Approver } from './approvers.ts'
import { holds, type Allowance, type Expression, type Facts } from './expression.ts'
import type { RulesVersion } from './rules.ts'

/**
 * Whether a consensus that is not true yet could become true by more approvals: with those of all users and all their
 * credentials, or with those of one user more than now.
 *
 * Where more approvals never hurt, the first test is exact. A consensus that more approvals can break, such as
 * `approvers.count() == 2` or `approvers.all(…)`, is only seen one approval ahead.
 *
 * @param everyone  all users of the organization
 * @param present  those who approve now
 * @param allowance  what the search may take; without it the answer is no
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
  // Those who approve now come first, in their order: a consensus may ask for the first approver.
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
