import { users } from '../organization/users.ts'
import type { Activity } from '../activity/activity.ts'
import type { Catalogue } from '../definition/catalogue.ts'
import type { Operation } from '../definition/operation.ts'
import type { Organization } from '../organization/state.ts'
import { stampsByUser } from '../policy/approvers.ts'
import { eligibility, type Eligibility, type EligibilityOptions } from '../policy/consensus.ts'
import type { LiveActivity } from './live-activity.ts'
import { approvalsOf, decisionInputOf } from './decision-input.ts'

/** The organization of the activities, and the one whose users vote on them: mostly it is the same. */
export type Deciding = { readonly organization: Organization; readonly decider: Organization }

/** Who may vote on the activities of an organization, in one state of it and at one moment. */
export type Voters = {
  /** Whether the user's approval, or rejection, could matter to an activity that is not finished. */
  readonly isEligible: (live: LiveActivity, userId: string) => boolean
  /** Whether the user's approval counts. */
  readonly hasApproved: (activity: Activity, userId: string) => boolean
}

/** What has to be known of operations. A catalogue is one. */
export type Operations = Pick<Catalogue, 'language' | 'timeZones'> & {
  readonly byType: (type: string) => { readonly operation: Operation } | undefined
}

export const votersOf = (
  { organization, decider }: Deciding,
  catalogue: Operations,
  atMs: number,
  options: EligibilityOptions = {},
): Voters => {
  let mayVote: Eligibility | undefined // made when it is asked for: of most activities, nobody asks
  return {
    isEligible: ({ activity, decoded }, userId) => {
      const found = catalogue.byType(activity.type)
      if (found === undefined || decoded === undefined || !users.of(decider).has(userId)) return false
      if (activity.requester === userId) return true
      const input = decisionInputOf(found.operation, {
        organization,
        type: activity.type,
        intent: decoded.intent,
        requester: activity.requester,
        atMs,
      })
      mayVote ??= eligibility(decider, {
        language: catalogue.language,
        timeZones: catalogue.timeZones,
        ...options,
      })
      return mayVote(input, approvalsOf(activity, atMs), userId)
    },
    hasApproved: (activity, userId) => stampsByUser(decider, approvalsOf(activity, atMs)).has(userId),
  }
}
