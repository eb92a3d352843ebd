import * as t from 'io-ts'
import { isApprovedByBody } from '../activity/activity.ts'
import type { Envelope } from '../activity/envelope.ts'
import { activityIdOf } from '../activity/identity.ts'
import { equal } from '../bytes.ts'
import { decode, refined } from '../codec.ts'
import { failure, fieldViolations, type Failure } from '../failure.ts'
import { instant, type Selection } from '../log/event.ts'
import type { Digest } from '../ports/digest.ts'
import { E } from '../prelude.ts'
import type { LiveActivity } from './cell.ts'
import { erased } from './live-activities.ts'
import { refused, shown, type Turn, type Turned } from './answer.ts'
import { decideVote, type Proposal } from './turn.ts'
import { votersOf, type Voters } from './view.ts'

/** A vote as its body names it. Voting is not an activity of its own. */
export type Ballot = {
  readonly selection: Selection
  readonly activityId: string
  /** Undefined where the vote is the activity's own body, stamped by another user: then the approvals' window counts. */
  readonly timestampMs: number | undefined
}

/** What votes are sent as, by the last segment of their route. */
export const ballots: {
  readonly [path: string]: { readonly type: string; readonly selection: Selection } | undefined
} = {
  approve_activity: { type: 'ACTIVITY_TYPE_APPROVE_ACTIVITY', selection: 'VOTE_SELECTION_APPROVED' },
  reject_activity: { type: 'ACTIVITY_TYPE_REJECT_ACTIVITY', selection: 'VOTE_SELECTION_REJECTED' },
}

/** What a vote's body asks for. */
export const Parameters = t.strict({
  fingerprint: refined(t.string, 'a fingerprint', (text) => text !== '' && text.length <= 256),
})

/** Whether a path is one of voting. */
export const isBallotPath = (path: string): boolean => Object.hasOwn(ballots, path)

/** Reads a vote. */
export const ballotOf = (digest: Digest, path: string, envelope: Envelope): E.Either<Failure, Ballot> => {
  const ballot = ballots[path]
  if (ballot === undefined || envelope.type !== ballot.type) {
    return E.left(
      fieldViolations(`bad request body: type does not belong to ${path}`, [
        { field: 'type', description: `expected ${ballot?.type ?? 'another path'}` },
      ]),
    )
  }
  return E.map(({ fingerprint }: t.TypeOf<typeof Parameters>) => ({
    selection: ballot.selection,
    activityId: activityIdOf(digest, envelope.organizationId, fingerprint),
    timestampMs: envelope.timestampMs,
  }))(decode(Parameters, 'parameters')(envelope.parameters))
}

const PAST_MS = 60 * 60 * 1000
const FUTURE_MS = 5 * 60 * 1000

/** Whether a request made at `timestampMs` may still be taken: less than an hour old, at most five minutes ahead. */
export const isInTime = (timestampMs: number, atMs: number): boolean =>
  timestampMs > atMs - PAST_MS && timestampMs <= atMs + FUTURE_MS

export const staleTimestamp = fieldViolations(
  'invalid timestampMs: expected a time less than 1 hour old and at most 5 minutes ahead',
  [{ field: 'timestampMs', description: 'expected a time less than 1 hour old and at most 5 minutes ahead' }],
)

/** A turn that votes. A vote that is repeated, or comes late, changes nothing and shows the activity. */
export const voteTurn = (turn: Turn, ballot: Ballot): Turned => {
  const { rules, live, cell, caller, atMs, clockMs } = turn
  if (live === undefined)
    return turn.isLookedUp ? refused(noActivity) : { _tag: 'look-up', activityId: ballot.activityId }
  const voters = votersOf(cell.state, rules.catalogue, atMs)
  if (hasVoted(voters, live, caller.userId, ballot.selection)) return shown(turn, live)
  if (!voters.isEligible(live, caller.userId)) {
    return refused(live.asked === undefined ? erased : notEligible)
  }
  if (live.activity.status !== 'ACTIVITY_STATUS_CONSENSUS_NEEDED') return shown(turn, live)
  if (!isTimely(live, ballot, turn) || isCopy(live, turn)) return refused(staleTimestamp)
  if (turn.request.stamped.body.length > VOTE_BYTES_MAX) return refused(tooLong)
  const found = rules.catalogue.byType(live.activity.type)
  if (found === undefined || live.asked === undefined) return refused(erased)
  return cast(turn, ballot.selection, live, {
    organization: cell.state,
    sequence: cell.tip.sequence,
    atMs,
    clockMs,
    activityId: ballot.activityId,
    type: live.activity.type,
    operation: found.operation,
    asked: live.asked,
    performed: turn.performed !== undefined && E.isRight(turn.performed) ? turn.performed.right : undefined,
  })
}

// A voter is shown what became of the activity, even where that is a denial: the vote itself was in order.
const cast = (turn: Turn, selection: Selection, live: LiveActivity, proposal: Proposal): Turned => {
  const { rules, cell, request, caller, performed } = turn
  const performFailure = performed !== undefined && E.isLeft(performed) ? performed.left : undefined
  if (performFailure?.code === 'UNAVAILABLE') return refused(performFailure) // the same vote may come again
  const decided = decideVote(rules, proposal, request, caller, live, selection, performFailure)
  if (decided._tag === 'perform') return { _tag: 'perform', proposal, requester: live.activity.requester }
  if (decided.verdict.outcome === 'ALLOWED') {
    const admitted = proposal.operation.admit(proposal.asked.intent, proposal) // others may have taken the room since
    if (E.isLeft(admitted)) return refused(admitted.left)
  }
  const after = cell.commit({
    before: live,
    activityId: proposal.activityId,
    asked: proposal.asked,
    at: instant(turn.atMs),
    happenings: decided.happenings,
    request: request.stamped,
  })
  return shown(
    turn,
    after,
    decided.happenings.some(({ type }) => type === 'ActivityStarted'),
  )
}

const hasVoted = (voters: Voters, { activity }: LiveActivity, userId: string, selection: Selection): boolean =>
  selection === 'VOTE_SELECTION_APPROVED'
    ? voters.hasApproved(activity, userId)
    : activity.votes.some((vote) => vote.userId === userId && vote.selection === selection)

const isTimely = ({ activity }: LiveActivity, { timestampMs }: Ballot, { atMs, clockMs }: Turn): boolean =>
  timestampMs === undefined ? isApprovedByBody(activity, atMs) : isInTime(timestampMs, clockMs)

// A copy of a vote must not renew an approval that has lapsed, either: its own time may be less than an hour ago when the approval lapses.
const isCopy = ({ activity, requests }: LiveActivity, { caller, request }: Turn): boolean =>
  activity.votes.some(({ id, userId }) => {
    const cast = userId === caller.userId ? requests.get(id) : undefined
    return cast !== undefined && equal(cast.body, request.stamped.body)
  })

/** The longest body of a vote. Every answer shows an activity with the bodies of all its votes, and each user can vote. */
export const VOTE_BYTES_MAX = 16 * 1024

const tooLong = failure(
  'REQUEST_TOO_LARGE',
  `expected a vote of at most ${VOTE_BYTES_MAX} bytes; a long activity is approved with approve_activity`,
)

const noActivity = failure(
  'ACTIVITY_NOT_FOUND',
  'No activity found with fingerprint. Consensus activities must target an existing activity by fingerprint',
)

const notEligible = failure(
  'REQUEST_NOT_AUTHORIZED',
  "request not authorized: you don't have permission to vote on this activity",
)
