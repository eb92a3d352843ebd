import { APPROVALS_LAPSE_AFTER_MS } from '../../core/activity/activity.ts'
import { factsFor, type Approver } from '../../core/policy/approvers.ts'
import { isPivotal } from '../../core/policy/eligibility.ts'
import { allowanceOf, compileConsensus, holds, type Expression, type Facts } from '../../core/policy/expression.ts'
import { currentRules } from '../../core/policy/rules.ts'
import { E } from '../../core/prelude.ts'
import type { Quorum, SeenActivity, SeenEvaluations, SeenPolicy, SeenUser } from './seen.ts'
import { millisOfTime } from './words.ts'

/** What the queries of a server tell about an organization. */
export type Known = {
  readonly evaluations: readonly SeenEvaluations[]
  readonly users: readonly SeenUser[]
  readonly policies: readonly SeenPolicy[]
  readonly quorum: Quorum
}

/** What an activity lacks, by one policy. */
export type WantedByPolicy = {
  readonly policyName: string
  readonly consensus: string
  /** Users whose approval is enough. Undefined if it cannot be known here. */
  readonly enough: readonly SeenUser[] | undefined
  /** Users whose approval counts, but only with others. Undefined if it cannot be known here. */
  readonly among: readonly SeenUser[] | undefined
}

export type Missing = {
  readonly policies: readonly WantedByPolicy[]
  /** The root quorum may always approve. */
  readonly quorum: { readonly count: number; readonly among: readonly SeenUser[] }
}

/**
 * What an activity lacks, and who could give it, as far as the queries of the API tell. At the last vote, each policy said whether more
 * approvals could make it allow the activity; its consensus is then evaluated with the users, tags and keys of now, by the rules of this
 * version. So this is an estimate: the server decides.
 */
export const missingFor = (activity: SeenActivity, known: Known, nowMs: number): Missing => {
  const votes = activity.votes.filter(
    ({ selection, createdAt }) =>
      selection === 'VOTE_SELECTION_APPROVED' && millisOfTime(createdAt) > nowMs - APPROVALS_LAPSE_AFTER_MS,
  )
  const approving = new Set(votes.map(({ userId }) => userId))
  const everyone = known.users.map((user) => approverOf(user))
  const present = votes.flatMap(({ userId, publicKey }) =>
    known.users.flatMap((user) => (user.userId === userId ? [approverOf(user, publicKey)] : [])),
  )
  const others = known.users.filter(({ userId }) => !approving.has(userId))
  const members = new Set(known.quorum.userIds)
  const given = [...approving].filter((userId) => members.has(userId)).length
  return {
    policies: askingPolicies(known).map((policy) => wantedBy(policy, everyone, present, others)),
    quorum: {
      count: Math.max(1, known.quorum.threshold - given),
      among: others.filter(({ userId }) => members.has(userId)),
    },
  }
}

/** The policies that wanted more approvals at the last vote. */
const askingPolicies = ({ evaluations, policies }: Known): readonly SeenPolicy[] => {
  const last = evaluations.toSorted((a, b) => millisOfTime(a.createdAt) - millisOfTime(b.createdAt)).at(-1)
  const asking = new Set(
    last?.policyEvaluations.flatMap(({ policyId, outcome }) =>
      outcome === 'OUTCOME_REQUIRES_CONSENSUS' ? [policyId] : [],
    ),
  )
  return policies.filter(({ policyId }) => asking.has(policyId))
}

const wantedBy = (
  { policyName, consensus }: SeenPolicy,
  everyone: readonly Approver[],
  present: readonly Approver[],
  others: readonly SeenUser[],
): WantedByPolicy => {
  const compiled = compileConsensus(consensus)
  if (E.isLeft(compiled)) return { policyName, consensus, enough: undefined, among: undefined }
  const allowance = allowanceOf(currentRules.eligibilitySteps)
  const isEnough = (expression: Expression, one: Approver): boolean =>
    holds(expression, factsFor(expression, ANY_ACTIVITY, [...present, one]), currentRules, allowance)
  const enough = others.filter((user) => isEnough(compiled.right, approverOf(user)))
  const among = others.filter(
    (user) =>
      !enough.includes(user) &&
      isPivotal(compiled.right, ANY_ACTIVITY, everyone, present, approverOf(user), currentRules, allowance),
  )
  return allowance.steps <= 0
    ? { policyName, consensus, enough: undefined, among: undefined }
    : { policyName, consensus, enough, among }
}

/** A consensus uses approvers alone. */
const ANY_ACTIVITY: Facts['activity'] = { type: '', kind: '', resource: '', action: '', params: {} }

/** A user as policies see them: with all keys, or with the one that stamped an approval. */
const approverOf = (
  { userId, userName, userEmail = '', userTags, apiKeys }: SeenUser,
  publicKey?: string,
): Approver => ({
  user: { id: userId, tags: userTags, email: userEmail, alias: userName },
  credentials: apiKeys
    .filter(({ credential }) => publicKey === undefined || credential.publicKey === publicKey)
    .map(({ apiKeyId, credential }) => ({
      id: apiKeyId,
      user_id: userId,
      type: credential.type,
      credential_id: '',
      public_key: credential.publicKey,
    })),
})
