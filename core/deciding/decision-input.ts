import type { Operation } from '../definition/operation.ts'
import type { Json } from '../failure.ts'
import type { AttestedBy } from '../log/decision.ts'
import type { Organization } from '../organization/state.ts'
import type { ResourceFacts } from '../policy/fact.ts'
import type { Approval, DecisionInput } from '../policy/consensus.ts'
import { liveApprovals, type Activity } from '../activity/activity.ts'
import type { LiveActivity } from './live-activity.ts'

/** The members of an operation that the rules need. Every `Operation` has them. */
export type Decidable<I> = Pick<DecisionInput, 'kind' | 'resource' | 'action'> & {
  readonly params: (intent: I) => { readonly [field: string]: Json }
  readonly facts: (intent: I, organization: Organization) => ResourceFacts
  readonly isOwnCredentials: (intent: I, requester: string, organization: Organization) => boolean
  readonly credentialsLiveMs: (intent: I) => number
}

/** The activity that is to be decided on. */
export type Submitted<I> = {
  readonly organization: Organization
  /** The type that was submitted: that of any version of the operation. */
  readonly type: string
  readonly intent: I
  readonly requester: string
  readonly atMs: number
}

/** The input of the rules. The bus and an audit make it in the same way. */
export const decisionInputOf = <I>(
  operation: Decidable<I>,
  { organization, type, intent, requester, atMs }: Submitted<I>,
): DecisionInput => ({
  type,
  kind: operation.kind,
  resource: operation.resource,
  action: operation.action,
  params: operation.params(intent),
  facts: operation.facts(intent, organization),
  requester,
  ownCredentials: operation.isOwnCredentials(intent, requester, organization),
  credentialsLiveMs: operation.credentialsLiveMs(intent),
  atMs,
})

/** The input for an activity that is there; `undefined` where its operation, or what was asked for, is not known any more. */
export const decisionInputFor = (
  { byType }: { readonly byType: (type: string) => { readonly operation: Operation } | undefined },
  organization: Organization,
  { activity: { type, requester }, decoded }: Pick<LiveActivity, 'activity' | 'decoded'>,
  atMs: number,
): DecisionInput | undefined => {
  const found = byType(type)
  if (found === undefined || decoded === undefined) return undefined
  return decisionInputOf(found.operation, { organization, type, intent: decoded.intent, requester, atMs })
}

/** The approval that a decision says was given. */
export const approvalIn = (
  userId: string,
  { credential: credentialId, attested }: { readonly credential: string; readonly attested?: AttestedBy | undefined },
): Approval => (attested === undefined ? { userId, credentialId } : { userId, credentialId, attested: attested.kind })

/**
 * The approvals on which an activity is decided: those of the window, in order, then the new one. The rules say which of them
 * count.
 *
 * @param activity  `undefined` before it is created: then the new approval is that of its requester
 */
export const approvalsOf = (activity: Activity | undefined, atMs: number, plus?: Approval): readonly Approval[] => {
  const live = activity === undefined ? [] : liveApprovals(activity, atMs)
  const approvals = live.map(({ userId, credentialId, attested }): Approval =>
    attested === undefined ? { userId, credentialId } : { userId, credentialId, attested },
  )
  return plus === undefined ? approvals : [...approvals, plus]
}
