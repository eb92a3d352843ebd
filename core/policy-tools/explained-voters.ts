import type { ErasedReads } from '../audit/erased-reads.ts'
import { formerUsers } from '../organization/former-users.ts'
import { quorum } from '../organization/quorum.ts'
import type { Organization } from '../organization/state.ts'
import { users } from '../organization/users.ts'
import { approverOf, stampsByUser } from '../policy/approvers.ts'
import type { PastDecision } from './past-decision.ts'
import { knownText } from './worth.ts'

/** The root quorum, as it was. */
export type ExplainedQuorum = {
  readonly threshold: number
  readonly members: readonly NamedUser[]
  /** How many of them approve. */
  readonly approving: number
}

export type NamedUser = {
  readonly userId: string
  /** `erased` if it was erased; empty if nobody knows it. */
  readonly userName: string
}

/** An approval within its window. */
export type ExplainedApproval = NamedUser & {
  readonly credentialId: string
  /** The type of the credential that stamped it, as policies see it; `undefined` if it was deleted since. */
  readonly credentialType: string | undefined
  /** Whether it counts: only the first of each user does, by a credential that nobody has deleted by request. */
  readonly isCounted: boolean
}

export const explainedQuorum = (past: PastDecision, reads: ErasedReads): ExplainedQuorum => {
  const { organization, approvals } = past
  const { threshold, userIds } = quorum.of(organization)
  const approving = stampsByUser(organization, approvals)
  return {
    threshold,
    members: userIds.map((userId) => named(organization, userId, reads)),
    approving: userIds.filter((userId) => approving.has(userId)).length,
  }
}

export const explainedVoters = (past: PastDecision, reads: ErasedReads): readonly ExplainedApproval[] => {
  const { organization, approvals } = past
  const counted = new Set([...stampsByUser(organization, approvals).values()].map(([first]) => first))
  return approvals.map((approval) => {
    const { userId, credentialId } = approval
    const user = users.of(organization).get(userId)
    const credential = user && approverOf(user).credentials.find(({ id }) => id === credentialId)
    return {
      ...named(organization, userId, reads),
      credentialId,
      credentialType: credential?.type,
      isCounted: counted.has(approval),
    }
  })
}

const named = (organization: Organization, userId: string, reads: ErasedReads): NamedUser => ({
  userId,
  userName: knownText(
    reads,
    () => users.of(organization).get(userId)?.userName ?? formerUsers.of(organization).get(userId) ?? '',
  ),
})
