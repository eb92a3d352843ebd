import type { Activity } from '../activity/activity.ts'
import { approvalsOf, matterOf } from '../activity/matter.ts'
import type { Decision, Verdict } from '../activity/decision.ts'
import { resourceIds } from '../activity/identity.ts'
import { failure, type Failure, type Json } from '../failure.ts'
import { instant, type Happening, type Selection } from '../log/event.ts'
import type { Catalogue } from '../operations/catalogue.ts'
import { defaultLimits, type Limits } from '../operations/limits.ts'
import type { ExecuteContext, Executed, Operation } from '../operations/operation.ts'
import { overQuota } from '../operations/refusals.ts'
import type { Organization } from '../organization/organization.ts'
import { decide } from '../policy/consensus.ts'
import { RULES_VERSION } from '../policy/rules.ts'
import type { Digest } from '../ports/digest.ts'
import { E } from '../prelude.ts'
import type { Authenticated, Caller } from './authenticate.ts'
import type { Asked, LiveActivity } from './cell.ts'

/** What a turn decides with: everything but the organization's state. All of it is pure. */
export type Rules = {
  readonly digest: Digest
  readonly catalogue: Catalogue
  readonly limits: Limits
  /** How many activities of an organization may wait for approvals; any number where it is left out. */
  readonly waitingMax?: number
}

/** A request to be decided on, in an organization's turn. */
export type Proposal = {
  /** The state that the turn is taken on, and the sequence of the last event in it. */
  readonly organization: Organization
  readonly sequence: bigint
  /** The time of the log. */
  readonly atMs: number
  /** What the clock says; behind `atMs` where the clock went back. */
  readonly clockMs: number
  readonly activityId: string
  /** The type that was submitted. */
  readonly type: string
  readonly operation: Operation
  readonly asked: Asked
  /** What `perform` brought; `undefined` before it ran. */
  readonly performed: Json | undefined
}

/** What a turn came to: events to be committed, or work to be done before it can come to anything. */
export type Decided =
  | { readonly _tag: 'happened'; readonly happenings: readonly Happening[]; readonly verdict: Verdict }
  /** Allowed, but `perform` has to run first; then the turn is taken again. */
  | { readonly _tag: 'perform' }

/** The basis of a decision, as far as it does not depend on the verdict. */
export const decisionOf = (
  rules: Rules,
  proposal: Proposal,
  request: Authenticated,
  caller: Caller,
  verdict: Verdict,
): Decision => {
  const limits = Object.entries(rules.limits).filter(([name, value]) => defaultLimits[name as keyof Limits] !== value) // its own names
  return {
    verdict,
    basis: {
      rules: RULES_VERSION,
      read: [{ organization: proposal.organization.organizationId, sequence: String(proposal.sequence) }],
      at: instant(proposal.atMs),
      credential: caller.apiKey.apiKeyId,
      scheme: request.stamp.scheme,
      address: request.address,
      factors: [],
      ...(limits.length === 0 ? {} : { limits: Object.fromEntries(limits) }),
      ...(proposal.clockMs < proposal.atMs ? { clock: instant(proposal.clockMs) } : {}),
    },
  }
}

/**
 * Decides on a new activity. A failure is what the operation refuses now: nothing of it is stored. Whoever may not do it at
 * all is told so before the operation is tried, which may take long.
 */
export const decideNew = (
  rules: Rules,
  proposal: Proposal,
  request: Authenticated,
  caller: Caller,
  fingerprint: string,
): E.Either<Failure, Decided> => {
  const { operation, asked, organization } = proposal
  const approval = { userId: caller.userId, credentialId: caller.apiKey.apiKeyId }
  const matter = matterOf(operation, proposal.type, asked.intent, caller.userId, proposal.atMs)
  const verdict = decide(organization, matter, approvalsOf(undefined, proposal.atMs, approval))
  const decision = decisionOf(rules, proposal, request, caller, verdict)
  const created: Happening = {
    type: 'ActivityCreated',
    data: { type: proposal.type, requester: caller.userId, fingerprint, decision },
  }
  if (verdict.outcome === 'DENIED') return E.right({ _tag: 'happened', happenings: [created], verdict })
  const { waitingMax = Infinity } = rules
  if (verdict.outcome === 'CONSENSUS_NEEDED' && organization.waiting >= waitingMax)
    return E.left(overQuota(waitingMax, 'activities that wait for approvals'))
  const tried = tryOut(rules, proposal, caller.userId)
  return E.isLeft(tried) ? tried : E.right(concluded(proposal, created, verdict, tried))
}

/** Decides on a vote. The vote is known to be a new one of a user who may vote. */
export const decideVote = (
  rules: Rules,
  proposal: Proposal,
  request: Authenticated,
  caller: Caller,
  live: LiveActivity,
  selection: Selection,
  /** How the work before this turn failed, if it did. */
  performFailure: Failure | undefined,
): Decided => {
  const approval = { userId: caller.userId, credentialId: caller.apiKey.apiKeyId }
  const { operation, type, asked, atMs } = proposal
  const matter = matterOf(operation, type, asked.intent, live.activity.requester, atMs)
  const verdict: Verdict =
    selection === 'VOTE_SELECTION_REJECTED'
      ? { outcome: 'REJECTED', rule: 'vote', evaluations: [] }
      : decide(proposal.organization, matter, approvalsOf(live.activity, proposal.atMs, approval))
  const decision = decisionOf(rules, proposal, request, caller, verdict)
  const voted: Happening = { type: 'ActivityVoted', data: { user: caller.userId, selection, decision } }
  if (verdict.outcome !== 'ALLOWED') return { _tag: 'happened', happenings: [voted], verdict }
  const tried = performFailure === undefined ? tryOut(rules, proposal, live.activity.requester) : E.left(performFailure)
  return concluded(proposal, voted, verdict, tried)
}

/** The limits under which an activity was allowed: it is concluded under the same, also after a restart with others. */
export const limitsOf = ({ votes }: Activity): Limits => ({ ...defaultLimits, ...votes.at(-1)?.decision.basis.limits })

/** Concludes an activity whose effects are done. */
export const conclude = (rules: Rules, proposal: Proposal, requester: string): Happening =>
  conclusionOf(proposal, E.map(executedOf)(tryOut(rules, proposal, requester)))

/** How an operation refuses an activity before its work; undefined where it does not. */
export const refusalOf = (rules: Rules, proposal: Proposal, requester: string): Failure | undefined => {
  const tried = tryOut(rules, { ...proposal, performed: undefined }, requester)
  return E.isLeft(tried) ? tried.left : undefined
}

/** What trying an activity gave: its outcome, or that it has yet to perform. */
type Tried = { readonly _tag: 'executed'; readonly executed: Executed<Json, Json> } | { readonly _tag: 'to-perform' }

// With all it needs the operation executes; before its work it only checks.
const tryOut = (rules: Rules, proposal: Proposal, requester: string): E.Either<Failure, Tried> => {
  const { operation, asked, performed } = proposal
  const context = contextOf(rules, proposal, requester)
  if (operation.perform !== undefined && performed === undefined) {
    return E.map((): Tried => ({ _tag: 'to-perform' }))(
      operation.check(asked.intent, { ...context, performed: undefined }),
    )
  }
  return E.map((executed: Executed<Json, Json>): Tried => ({ _tag: 'executed', executed }))(
    operation.execute(asked.intent, { ...context, performed }),
  )
}

const contextOf = (
  rules: Rules,
  proposal: Proposal,
  requester: string,
): Omit<ExecuteContext<undefined>, 'performed'> => ({
  organization: proposal.organization,
  activityId: proposal.activityId,
  requester,
  atMs: proposal.atMs,
  ids: resourceIds(rules.digest, proposal.activityId),
  limits: rules.limits,
})

const concluded = (
  proposal: Proposal,
  first: Happening,
  verdict: Verdict,
  tried: E.Either<Failure, Tried>,
): Decided => {
  if (verdict.outcome !== 'ALLOWED') return { _tag: 'happened', happenings: [first], verdict }
  if (E.isLeft(tried) || tried.right._tag === 'executed') {
    return { _tag: 'happened', happenings: [first, conclusionOf(proposal, E.map(executedOf)(tried))], verdict }
  }
  return proposal.operation.perform?.outside === true
    ? { _tag: 'happened', happenings: [first, started(proposal.operation, 1, proposal.clockMs)], verdict }
    : { _tag: 'perform' }
}

const executedOf = (tried: Tried): Executed<Json, Json> => {
  if (tried._tag === 'executed') return tried.executed
  throw new Error('an activity cannot conclude before its work is done') // a bug of ours
}

const conclusionOf = (
  { operation, performed }: Proposal,
  executed: E.Either<Failure, Executed<Json, Json>>,
): Happening =>
  E.isLeft(executed)
    ? failed(executed.left)
    : {
        type: 'ActivityCompleted',
        data: { type: operation.type, ...executed.right, ...(performed === undefined ? {} : { performed }) },
      }

/** Says that an activity came to nothing. A host's failure may have its members in any order, an event has them in one. */
export const failed = ({ code, message, details }: Failure): Happening => ({
  type: 'ActivityFailed',
  data: { failure: failure(code, message, details) },
})

/** Says that an attempt at effects outside begins. When another may follow is told by the clock: it is no time of the log. */
export const started = (operation: Operation, attempt: number, clockMs: number): Happening => ({
  type: 'ActivityStarted',
  data: { attempt, resumeAt: instant(clockMs + (operation.perform?.resumeAfterMs ?? 0)) },
})

/** The answer to a request that policy denied: the activity is stored, and this is said again whenever it is repeated. */
export const denial = (verdict: Verdict): Failure => {
  const deniers = verdict.evaluations
    .filter(({ outcome }) => outcome === 'OUTCOME_DENY_EXPLICIT')
    .map(({ policyId }) => policyId)
  const message =
    deniers.length === 0
      ? 'No policies evaluated to outcome: Allow'
      : `The following policies denied this action: ${deniers.join(',')}`
  return failure(
    'REQUEST_NOT_AUTHORIZED',
    "You don't have sufficient permissions to take this action. Please add a policy granting this user permissions.",
    [
      {
        '@type': 'type.googleapis.com/errors.v1.PolicyEnginePermissionError',
        message,
        policyEvaluations: verdict.evaluations.map((evaluation) => ({ ...evaluation })),
      },
    ],
  )
}
