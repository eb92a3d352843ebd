import { isApprovedByBody } from '../activity/activity.ts'
import { equal } from '../bytes.ts'
import { failure } from '../failure.ts'
import { instant, type Selection } from '../log/event.ts'
import { isWaiting } from '../log/standing.ts'
import { isAttested } from '../organization/credential.ts'
import type { Approval } from '../policy/approvers.ts'
import { E } from '../prelude.ts'
import type { ActivityView } from '../view/activity-view.ts'
import type { Ballot } from '../deciding/ballot.ts'
import { erased, uninspected, withInspected, type LiveActivity } from '../deciding/live-activity.ts'
import { admitContext } from '../deciding/admit-context.ts'
import { isInTime, staleTimestamp } from '../deciding/times.ts'
import { refused, shown, startedBy, type Started, type Turn, type Turned } from './answer.ts'
import { decideVote, type Decided } from '../deciding/decide.ts'
import type { Proposal } from '../deciding/proposal.ts'
import { votersOf, type Voters } from '../deciding/voters.ts'
import { proposalOn } from '../writing/proposing.ts'
import { onceIn } from './attested.ts'
import { senderOf, speakerOf } from './authenticate.ts'

/** Takes a turn for a vote. A vote that is repeated, or comes after the end, changes nothing and shows the activity. */
export const voteTurn = (turn: Turn, ballot: Ballot): Turned => {
  const { rules, cell, home, caller, atMs, clockMs } = turn
  if (turn.live === undefined) return refused(noActivity)
  if ((turn.live.activity.home ?? cell.organizationId) !== home.organizationId) return refused(notEligible)
  const voters = votersOf({ organization: cell.state, decider: home.state }, rules.catalogue, atMs)
  if (hasVoted(voters, turn.live, caller, ballot.selection)) return shownToVoter(turn, turn.live)
  const live = inspectedOf(turn, turn.live)
  if ('_tag' in live) return live
  if (!voters.isEligible(live, caller.userId)) {
    return refused(live.decoded === undefined ? erased : notEligible)
  }
  if (!isWaiting(live.activity.status)) return shownToVoter(turn, live)
  if (!isTimely(live, ballot, turn) || isCopy(live, turn)) return refused(staleTimestamp)
  if (turn.request.stamped.body.length > VOTE_BYTES_MAX) return refused(tooLong)
  const found = rules.catalogue.byType(live.activity.type)
  if (found === undefined || live.decoded === undefined) return refused(erased)
  const { decoded, activity } = live
  const proposed = {
    atMs,
    clockMs,
    activityId: ballot.activityId,
    type: activity.type,
    operation: found.operation,
    decoded,
    home: activity.home,
    once: onceOfRequester(live),
  }
  if (E.isLeft(turn.cells)) return refused(turn.cells.left)
  const proposal = proposalOn(cell, turn.cells.right, proposed)
  return '_tag' in proposal ? proposal : cast(turn, ballot, live, proposal)
}

const onceOfRequester = ({ activity: { votes }, requests }: LiveActivity): Proposal['once'] => {
  const request = votes[0] && requests.get(votes[0].id)
  return request && onceIn(request)
}

/** The activity with what `inspect` found out, which policies may ask for. */
const inspectedOf = ({ rules, inspected }: Turn, live: LiveActivity): LiveActivity | Turned => {
  const missing = uninspected(rules.catalogue, live)
  if (missing === undefined) return live
  if (inspected === undefined) return { _tag: 'inspect', ...missing }
  const known = withInspected(live, inspected)
  return E.isLeft(known) ? refused(known.left) : known.right
}

// A voter sees the activity after the vote, also if it is denied, because the vote itself was valid.
const cast = (turn: Turn, ballot: Ballot, live: LiveActivity, proposal: Proposal): Turned => {
  const { rules, cell, request, caller, work } = turn
  if (work !== undefined && E.isLeft(work.outcome) && work.outcome.left.code === 'UNAVAILABLE')
    return refused(work.outcome.left) // the same vote may come again
  const outcome = decideVote(rules, proposal, speakerOf(request, caller), live, ballot, work)
  if (E.isLeft(outcome)) return refused(outcome.left)
  const decided = outcome.right
  const unsupported = mayWork(decided) ? rules.unsupported?.(proposal.operation, proposal.decoded.intent) : undefined
  if (unsupported !== undefined) return refused(unsupported)
  if (decided._tag === 'perform')
    return { _tag: 'perform', proposal, requester: live.activity.requester, checked: decided.checked }
  if (decided.verdict.outcome === 'ALLOWED') {
    // Others may have taken the room since.
    const context = admitContext(rules, cell.state, turn.atMs, senderOf(request, caller))
    const admitted = proposal.operation.admit(proposal.decoded.intent, context)
    if (E.isLeft(admitted)) return refused(admitted.left)
  }
  const after = cell.commit({
    before: live,
    activityId: proposal.activityId,
    decoded: proposal.decoded,
    at: instant(turn.atMs),
    payloads: decided.payloads,
    request: request.stamped,
    others: proposal.others,
  })
  return shownToVoter(turn, after, startedBy(decided, after))
}

/** Whether work follows that needs the services of this engine. */
const mayWork = (decided: Decided): boolean => decided._tag === 'perform' || decided.verdict.outcome === 'ALLOWED'

const hasVoted = (voters: Voters, live: LiveActivity, caller: Turn['caller'], selection: Selection): boolean =>
  selection === 'VOTE_SELECTION_APPROVED'
    ? !voters.addsApproval(live, approvalBy(caller))
    : live.activity.votes.some((vote) => vote.userId === caller.userId && vote.selection === selection)

const approvalBy = (caller: Turn['caller']): Approval => ({
  userId: caller.userId,
  credentialId: caller.credentialId,
  attested: isAttested(caller) ? caller.attested : undefined,
})

/**
 * The activity, to a voter. One whose approval does not count yet, because a second factor is missing, sees that in place of what the
 * activity waits for besides.
 */
const shownToVoter = (turn: Turn, live: LiveActivity, started?: Started): Turned => {
  const { rules, cell, home, caller, atMs } = turn
  const voters = votersOf({ organization: cell.state, decider: home.state }, rules.catalogue, atMs)
  const answered = shown(turn, live, started)
  return voters.approvalOf(live, caller.userId) === 'lacks-factor'
    ? { ...answered, answer: E.map(lackingFactor)(answered.answer) }
    : answered
}

const lackingFactor = (view: ActivityView): ActivityView => ({
  ...view,
  status: 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED',
})

const isTimely = ({ activity }: LiveActivity, { timestampMs }: Ballot, { atMs, clockMs }: Turn): boolean =>
  timestampMs === undefined ? isApprovedByBody(activity, atMs) : isInTime(timestampMs, clockMs)

// A copy of a vote must not renew an approval that has lapsed: the vote's own time may still be less than an hour ago. Stamped by another
// credential, the same body is no copy.
const isCopy = ({ activity, requests }: LiveActivity, { caller, request }: Turn): boolean =>
  activity.votes.some(({ id, credentialId }) => {
    const cast = credentialId === caller.credentialId ? requests.get(id) : undefined
    return cast !== undefined && equal(cast.body, request.stamped.body)
  })

/** The longest body of a vote, in bytes. Each user can vote, and every answer shows the bodies of all votes. */
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
