import type { ErasedReads } from '../audit/erased-reads.ts'
import { formerUsers } from '../organization/former-users.ts'
import type { MfaPolicy } from '../organization/mfa-policies.ts'
import { quorum } from '../organization/quorum.ts'
import type { Organization } from '../organization/state.ts'
import { users } from '../organization/users.ts'
import { approverOf, stampsByUser, type Approval } from '../policy/approvers.ts'
import { factorsOfVoters, lackingIn } from '../policy/decide.ts'
import type { Language } from '../policy/expression.ts'
import { isWithoutRules, type PastDecision, type Question } from './past-decision.ts'
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
  /**
   * Whether it counts: only the first of each user does, by a credential that nobody has deleted by request, if the user has met all steps of
   * the MFA policy that counts.
   */
  readonly isCounted: boolean
}

/** An MFA policy that counts for the activity, and how far its user has met it. */
export type ExplainedFactors = NamedUser & {
  readonly mfaPolicyId: string
  readonly mfaPolicyName: string
  readonly requiredMethods: MfaPolicy['requiredAuthenticationMethods']
  /** The ids of the credentials that met steps. */
  readonly met: readonly string[]
  readonly isMet: boolean
}

export const explainedQuorum = (
  { organization, approvals }: PastDecision,
  factors: readonly ExplainedFactors[],
  reads: ErasedReads,
): ExplainedQuorum => {
  const { threshold, userIds } = quorum.of(organization)
  const approving = countedOf(organization, approvals, factors)
  return {
    threshold,
    members: userIds.map((userId) => named(organization, userId, reads)),
    approving: userIds.filter((userId) => approving.has(userId)).length,
  }
}

export const explainedVoters = (
  { organization, approvals }: PastDecision,
  factors: readonly ExplainedFactors[],
  reads: ErasedReads,
): readonly ExplainedApproval[] => {
  const counted = new Set(countedOf(organization, approvals, factors).values())
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

/** The approvals that count, by user. */
const countedOf = (
  organization: Organization,
  approvals: readonly Approval[],
  factors: readonly ExplainedFactors[],
): ReadonlyMap<string, Approval> => {
  const lacking = lackingIn(factors)
  const stamps = [...stampsByUser(organization, approvals)]
  return new Map(stamps.flatMap(([userId, [first]]) => (lacking.has(userId) ? [] : [[userId, first] as const])))
}

/** @param question  without it, nobody knows which policies count */
export const explainedFactors = (
  past: PastDecision,
  question: Question | undefined,
  language: Language,
  reads: ErasedReads,
): readonly ExplainedFactors[] => {
  if (question === undefined || isWithoutRules(past)) return []
  const { organization, approvals } = past
  const { input, rules } = question
  return factorsOfVoters(organization, input, approvals, { language, rules }).map(({ userId, policy, met, isMet }) => ({
    ...named(organization, userId, reads),
    mfaPolicyId: policy.mfaPolicyId,
    mfaPolicyName: policy.mfaPolicyName,
    requiredMethods: policy.requiredAuthenticationMethods,
    met: met.map(({ credentialId }) => credentialId),
    isMet,
  }))
}

const named = (organization: Organization, userId: string, reads: ErasedReads): NamedUser => ({
  userId,
  userName: knownText(
    reads,
    () => users.of(organization).get(userId)?.userName ?? formerUsers.of(organization).get(userId) ?? '',
  ),
})
