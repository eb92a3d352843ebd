import { oncePer } from '../collections/once-per.ts'
import { factsFor, waysOf, type Approver } from './approvers.ts'
import { holds, type Allowance, type Expression, type Facts } from './expression.ts'
import type { RulesVersion } from './rules.ts'

/**
 * Whether a user's approval can matter to a consensus: whether there are approvers with whom the consensus is false, and with whom and
 * this user it is true. Such a user is *pivotal*.
 *
 * Searching all sets of users is too expensive in general, so the search tries the sets that matter for usual policies. First it tries
 * the present approvers, and no approvers. Then it begins with all users, and removes each user without whom the consensus stays
 * true: if the rest needs this user, the user is pivotal. The rest depends on the order of removal, so the search tries several
 * orders: the order of creation; the reverse; users with the same tags first, so that this user is needed instead; and the present
 * approvers last, so that they stay. It does the same for each clause of an outermost `||`, because a larger clause can hide a smaller
 * one.
 *
 * The answer yes is always right. The answer no can be wrong in three cases: alternatives are deep inside an expression; more approvals
 * make a true expression false; or the search uses up its allowance.
 *
 * @param everyone  all users of the organization
 * @param present  the users who approve now
 * @param candidate  the user, with all credentials
 * @param allowance  the steps that the search may take
 */
export const isPivotal = (
  consensus: Expression,
  activity: Facts['activity'],
  everyone: readonly Approver[],
  present: readonly Approver[],
  candidate: Approver,
  rules: RulesVersion,
  allowance: Allowance,
): boolean => {
  allowance.steps -= rules.stepsPerSearch(everyone.length)
  if (allowance.steps <= 0) return false
  const agree = (expression: Expression, approvers: readonly Approver[]) =>
    holds(expression, factsFor(consensus, activity, approvers), rules, allowance)
  const isOther = ({ user }: Approver) => user.id !== candidate.user.id
  const others = everyone.filter(isOther)
  const presentOthers = present.filter(isOther)
  const orders = removalOrders(others, presentOthers, candidate)
  for (const way of consensus.keywords.has('credentials') ? waysOf(candidate) : [candidate]) {
    const tips = (approvers: readonly Approver[]) =>
      !agree(consensus, approvers) && agree(consensus, [...approvers, way])
    if (tips(presentOthers) || tips([])) return true
    for (const goal of [consensus, ...consensus.alternatives]) {
      const suffices = (approvers: readonly Approver[]) => agree(goal, [...approvers, way])
      if (!suffices(others)) continue
      for (const order of orders) {
        if (tips(needed(order, suffices))) return true
      }
    }
  }
  return false
}

const removalOrders = (
  others: readonly Approver[],
  present: readonly Approver[],
  candidate: Approver,
): readonly (readonly Approver[])[] => {
  const approving = new Set(present.map(({ user }) => user.id))
  const tags = tagsOf(candidate)
  const isAlike = (other: Approver) => tagsOf(other) === tags
  const isPresent = ({ user }: Approver) => approving.has(user.id)
  return [
    others,
    others.toReversed(),
    [...others.filter(isAlike), ...others.filter((other) => !isAlike(other))],
    [...others.filter((other) => !isPresent(other)), ...others.filter(isPresent)],
  ]
}

/** The tags of a user as one text, computed once: each search compares all users, and a user can have a hundred tags. */
const tagTextOf = oncePer(({ tags }: Approver['user']) => tags.toSorted().join())
const tagsOf = ({ user }: Approver): string => tagTextOf(user)

/**
 * Removes, in order, each user without whom the rest suffices. It tries a whole range before its halves: if more approvals never hurt,
 * the result is the same as one by one, with far fewer evaluations.
 */
const needed = (
  order: readonly Approver[],
  suffices: (approvers: readonly Approver[]) => boolean,
): readonly Approver[] => {
  const kept: Approver[] = []
  const takeAway = (from: number, to: number): void => {
    if (from === to || suffices([...kept, ...order.slice(to)])) return
    if (to - from === 1) {
      kept.push(...order.slice(from, to))
      return
    }
    const middle = (from + to) >> 1
    takeAway(from, middle)
    takeAway(middle, to)
  }
  takeAway(0, order.length)
  return kept
}
