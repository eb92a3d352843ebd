import { denialsOn } from '../organization/denials.ts'
import { history } from '../organization/history.ts'
import { approvalIn, approvalsOf, decisionInputOf, type Submitted } from './decision-input.ts'
import type { ReadLimits, Verdict } from '../log/decision.ts'
import type { Failure } from '../failure.ts'
import type { PayloadWithParts } from '../log/event.ts'
import { isWaiting, statusOf } from '../log/standing.ts'
import type { DecodedIntent } from '../definition/operation.ts'
import { deletedUsers } from '../organization/deleted-users.ts'
import { missing, overQuota } from '../definition/refuse.ts'
import type { Organization } from '../organization/state.ts'
import { decide, type Ruling } from '../policy/decide.ts'
import { isOutOfScope, outOfScope } from '../policy/scope.ts'
import { asksTimeZones } from '../policy/time-clause.ts'
import { E } from '../prelude.ts'
import type { LiveActivity } from './live-activity.ts'
import type { Ballot } from './ballot.ts'
import { deciderOf } from './decider.ts'
import { isLeftOut, tooManyDenials } from './denial.ts'
import {
  completed,
  created,
  decisionOf,
  failed,
  partsOfDecision,
  started,
  subjectsOf,
  withStamped,
} from './payloads.ts'
import type { Proposal, RequestedBody, Rules, Speaker } from './proposal.ts'
import { tried, type Tried, type Work } from './trying.ts'

/** The outcome of deciding: events to be committed, or work that has to be done first. */
export type Decided =
  | {
      readonly _tag: 'decided'
      readonly payloads: readonly PayloadWithParts[]
      readonly verdict: Verdict
      /** The value of `check` for effects outside, if they were started. */
      readonly checked?: unknown
    }
  /** Allowed, but `perform` has to run first; then the turn is taken again. */
  | { readonly _tag: 'perform'; readonly checked: unknown }

/**
 * Decides on a new activity. A failure is a refusal of the operation, and stores nothing. The rules are asked first, because trying an
 * operation may take long.
 */
export const decideNew = (
  rules: Rules,
  proposal: Proposal,
  speaker: Speaker,
  { fingerprint, bytes }: RequestedBody,
  work: Work | undefined,
): E.Either<Failure, Decided> => {
  const { operation, organization } = proposal
  const subjects = withStamped(subjectsOf(rules.digest, proposal).subjects, speaker.userId, speaker.attested) ?? []
  const gone = subjects.find((userId) => deletedUsers.of(organization).has(userId))
  const coming = gone === undefined ? undefined : E.left(missing('user', gone, organization)) // or their data would come back
  const approval = approvalIn(speaker.userId, { credential: speaker.credentialId, attested: speaker.attested })
  const input = decisionInputOf(operation, submittedBy(speaker.userId, proposal))
  const decider = deciderOf(proposal)
  if (isOutOfScope(decider, approval, () => input, rules.catalogue)) return E.left(outOfScope)
  const ruling = decide(decider, input, approvalsOf(undefined, proposal.atMs, approval), rules.catalogue)
  const { verdict } = ruling
  const holding = isLeftOut(verdict, bytes) ? { leftOutBytes: bytes } : subjects.length === 0 ? {} : { subjects }
  const home = proposal.home === undefined ? {} : { home: proposal.home }
  const requested = (limits: ReadLimits | undefined): PayloadWithParts => {
    const decision = decisionOf(rules.catalogue, proposal, speaker, ruling, limits, timeZonesOf(rules, decider))
    return created(proposal, speaker, { fingerprint, ...holding, ...home }, decision)
  }
  const { waitingMax = Infinity, denialsMax = Infinity } = rules
  if (coming !== undefined && verdict.outcome === 'DENIED') return coming
  if (verdict.outcome === 'DENIED')
    return denialsOn(organization, speaker.userId, proposal.atMs) >= denialsMax
      ? E.left(tooManyDenials(denialsMax))
      : E.right({ _tag: 'decided', payloads: [requested(undefined)], verdict })
  if (isWaiting(statusOf(verdict)) && history.of(organization).waiting >= waitingMax)
    return E.left(overQuota(waitingMax, 'activities that wait for approvals'))
  const isAllowed = verdict.outcome === 'ALLOWED'
  const trying = tried(rules, proposal, speaker.userId, isAllowed ? work : undefined)
  if (E.isLeft(trying.outcome)) return trying.outcome // also where data would come back: the operation knows what it misses
  if (coming !== undefined) return coming
  return E.right(
    isAllowed
      ? concluded(proposal, requested(undefined), verdict, trying)
      : { _tag: 'decided', payloads: [requested(trying.limits)], verdict },
  )
}

/** Decides on a vote. The vote is known to be a new one of a user who may vote. A failure stores nothing. */
export const decideVote = (
  rules: Rules,
  proposal: Proposal,
  speaker: Speaker,
  live: LiveActivity,
  { selection, timestampMs }: Pick<Ballot, 'selection' | 'timestampMs'>,
  /** The work that was done before this turn. */
  work: Work | undefined,
): E.Either<Failure, Decided> => {
  const approval = approvalIn(speaker.userId, { credential: speaker.credentialId, attested: speaker.attested })
  const { operation } = proposal
  const decider = deciderOf(proposal)
  const input = decisionInputOf(operation, submittedBy(live.activity.requester, proposal))
  if (isOutOfScope(decider, approval, () => input, rules.catalogue)) return E.left(outOfScope)
  const ruling: Ruling =
    selection === 'VOTE_SELECTION_REJECTED'
      ? rejection
      : decide(decider, input, approvalsOf(live.activity, proposal.atMs, approval), rules.catalogue)
  const decision = decisionOf(rules.catalogue, proposal, speaker, ruling, undefined, timeZonesOf(rules, decider))
  const { verdict } = ruling
  const isCopy = timestampMs === undefined // the vote is the body of the activity itself, with all that it holds
  const held = isCopy ? subjectsOf(rules.digest, proposal).subjects : undefined
  const subjects = withStamped(held, speaker.userId, speaker.attested)
  const voted: PayloadWithParts = {
    type: 'ActivityVoted',
    data: { user: speaker.userId, selection, decision, ...(subjects === undefined ? {} : { subjects }) },
    ...partsOfDecision(speaker),
  }
  if (verdict.outcome !== 'ALLOWED') return E.right({ _tag: 'decided', payloads: [voted], verdict })
  return E.right(concluded(proposal, voted, verdict, tried(rules, proposal, live.activity.requester, work)))
}

/** What a rejection leads to: nobody has to be asked. */
export const rejection: Ruling = {
  verdict: { outcome: 'REJECTED', rule: 'vote', evaluations: [] },
  factors: [],
  approvals: [],
}

/** The version of the data of time zones, if policies of the organization ask for zones. */
const timeZonesOf = ({ catalogue: { language, timeZones } }: Rules, organization: Organization): string | undefined =>
  asksTimeZones(organization, language) ? timeZones.version : undefined

/** A full literal: an object spread costs ten microseconds here. */
const submittedBy = (
  requester: string,
  { organization, type, decoded, atMs }: Proposal,
): Submitted<DecodedIntent['intent']> => ({ organization, type, intent: decoded.intent, requester, atMs })

/** The events after a decision that allows an activity, or the work that comes first. */
const concluded = (proposal: Proposal, first: PayloadWithParts, verdict: Verdict, trying: Tried): Decided => {
  const { outcome, limits } = trying
  const followedBy = (next: PayloadWithParts): Decided => ({ _tag: 'decided', payloads: [first, next], verdict })
  if (E.isLeft(outcome)) return followedBy(failed(proposal, outcome.left, limits))
  if (outcome.right._tag === 'executed') return followedBy(completed(proposal, outcome.right.executed, limits))
  const { checked } = outcome.right
  return proposal.operation.perform?.outside === true
    ? { ...followedBy(started(proposal, 1, limits)), checked }
    : { _tag: 'perform', checked }
}
