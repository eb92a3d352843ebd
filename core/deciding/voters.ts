import { users } from '../organization/users.ts'
import type { Catalogue } from '../definition/catalogue.ts'
import type { Operation } from '../definition/operation.ts'
import { isWaiting } from '../log/standing.ts'
import type { Organization } from '../organization/state.ts'
import { stampsByUser, type Approval } from '../policy/approvers.ts'
import { eligibility, type Eligibility, type EligibilityOptions } from '../policy/consensus.ts'
import type { Allowance } from '../policy/expression.ts'
import { factorsFor, type Factors } from '../policy/factors.ts'
import type { LiveActivity } from './live-activity.ts'
import { approvalsOf, decisionInputFor } from './decision-input.ts'

/** The organization of the activities, and the one whose users vote on them: mostly it is the same. */
export type Deciding = { readonly organization: Organization; readonly decider: Organization }

/** Who may vote on the activities of an organization, in one state of it and at one moment. */
export type Voters = {
  /** Whether the user's approval, or rejection, could matter to an activity that is not finished. */
  readonly isEligible: (live: LiveActivity, userId: string) => boolean
  /**
   * Whether an approval by this credential is a vote of its own: the first one of its user that counts, or one that meets a missing step of
   * the user's MFA policy.
   */
  readonly addsApproval: (live: LiveActivity, approval: Approval) => boolean
  /** What has become of the user's approval of an activity that waits. */
  readonly approvalOf: (live: LiveActivity, userId: string) => 'none' | 'lacks-factor' | 'given'
}

/** What has to be known of operations. A catalogue is one. */
export type Operations = Pick<Catalogue, 'language' | 'timeZones'> & {
  readonly byType: (type: string) => { readonly operation: Operation } | undefined
}

export type VoterOptions = EligibilityOptions & {
  /** Default: for the factors of each user, one of the rules. */
  readonly factorAllowance?: Allowance
}

export const votersOf = (
  { organization, decider }: Deciding,
  catalogue: Operations,
  atMs: number,
  { factorAllowance, ...options }: VoterOptions = {},
): Voters => {
  const { language, timeZones } = catalogue
  const inputOf = (live: LiveActivity) => decisionInputFor(catalogue, organization, live, atMs)
  let mayVote: Eligibility | undefined // made when it is asked for: of most activities, nobody asks

  const stampsOf = ({ activity }: Pick<LiveActivity, 'activity'>, userId: string): readonly Approval[] =>
    stampsByUser(decider, approvalsOf(activity, atMs)).get(userId) ?? []

  const factorsOf = (live: LiveActivity, userId: string, stamps: readonly Approval[]): Factors | undefined => {
    if (!isWaiting(live.activity.status) || !hasMfaPolicies(decider, userId)) return undefined
    const input = inputOf(live)
    const { rules } = options
    return input && factorsFor(decider, input, { language, rules, allowance: factorAllowance })(userId, stamps)
  }

  return {
    isEligible: (live, userId) => {
      if (live.decoded === undefined || !users.of(decider).has(userId)) return false
      if (live.activity.requester === userId) return catalogue.byType(live.activity.type) !== undefined
      const input = inputOf(live)
      mayVote ??= eligibility(decider, { language, timeZones, ...options })
      return input !== undefined && mayVote(input, approvalsOf(live.activity, atMs), userId)
    },
    addsApproval: (live, approval) => {
      const { userId } = approval
      const stamps = stampsOf(live, userId)
      if (stamps.length === 0) return true
      const before = factorsOf(live, userId, stamps)
      if (before === undefined || before.isMet) return false
      const after = factorsOf(live, userId, [...stamps, approval])
      return after !== undefined && after.met.length > before.met.length
    },
    approvalOf: (live, userId) => {
      const stamps = stampsOf(live, userId)
      if (stamps.length === 0) return 'none'
      return factorsOf(live, userId, stamps)?.isMet === false ? 'lacks-factor' : 'given'
    },
  }
}

const hasMfaPolicies = (organization: Organization, userId: string): boolean =>
  (users.of(organization).get(userId)?.mfaPolicies.size ?? 0) > 0
