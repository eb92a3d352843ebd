import { oncePer } from '../once-per.ts'
import { factsFor, waysOf, type Approver } from './approvers.ts'
import { holds, type Allowance, type Expression, type Facts } from './expression.ts'
import type { RulesVersion } from './rules.ts'

/**
 * Whether a user's approval can matter to a consensus: whether there are approvers without whom it is not true, and with
 * this user it is. Such a user is *pivotal*.
 *
 * To find such approvers among all sets of users is hard in general, so they are looked for where policies in use have
 * them. First the approvers of now, and none at all. Then all users, from whom everyone is taken away without whom the
 * consensus stays true: if it then needs this user, they are pivotal. Who is left depends on the order of taking away,
 * so there are several: as the users were created, the reverse, those who carry the same tags first (so that this user
 * is the one who is needed), and the approvers of now last (so that the others join them). The same is done for each
 * clause of an outermost `||`, since a small clause hides behind a larger one.
 *
 * The answer yes is always right. The answer no can be wrong where alternatives hide deep inside an expression, or where
 * more approvals break what fewer reach, or where the search ends with its allowance.
 *
 * @param everyone  all users of the organization
 * @param present  those who approve now
 * @param candidate  with all credentials
 * @param allowance  what the search may take
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

/** The tags of a user as one text. All users are compared for each question, and a user can have a hundred tags. */
const tagTextOf = oncePer(({ tags }: Approver['user']) => tags.toSorted().join())
const tagsOf = ({ user }: Approver): string => tagTextOf(user)

/**
 * Takes away, in order, everyone without whom the rest suffices. A whole stretch is tried before its halves: where more
 * approvals never hurt, that leaves the same as one by one, with far fewer questions.
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
