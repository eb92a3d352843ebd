import type { Json } from '../failure.ts'
import type { Approval, Matter } from '../policy/consensus.ts'
import { liveApprovals, type Activity } from './activity.ts'

/** What the consensus rules ask of an operation. Every `Operation` is one. */
export type Decidable<I> = Pick<Matter, 'kind' | 'resource' | 'action'> & {
  readonly params: (intent: I) => { readonly [field: string]: Json }
  readonly isOwnCredentials: (intent: I, requester: string) => boolean
  readonly credentialsLiveMs: (intent: I) => number
}

/**
 * What is to be decided, as far as the rules ask: the bus and an audit decide on the same.
 *
 * @param type  the type that was submitted: of the operation's versions, any
 */
export const matterOf = <I>(
  operation: Decidable<I>,
  type: string,
  intent: I,
  requester: string,
  atMs: number,
): Matter => ({
  type,
  kind: operation.kind,
  resource: operation.resource,
  action: operation.action,
  params: operation.params(intent),
  requester,
  ownCredentials: operation.isOwnCredentials(intent, requester),
  credentialsLiveMs: operation.credentialsLiveMs(intent),
  atMs,
})

/**
 * The approvals on which an activity is decided: those of the window, in order, then the one that comes now. Which of them
 * count is for the rules to say.
 *
 * @param activity  `undefined` before it is created: then its requester's approval is the one that comes now
 */
export const approvalsOf = (activity: Activity | undefined, atMs: number, plus?: Approval): readonly Approval[] => {
  const live = activity === undefined ? [] : liveApprovals(activity, atMs)
  const approvals = live.map(({ userId, credentialId }) => ({ userId, credentialId }))
  return plus === undefined ? approvals : [...approvals, { userId: plus.userId, credentialId: plus.credentialId }]
}
