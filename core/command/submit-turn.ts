import { denialIdOf } from '../activity/identity.ts'
import { admitContext } from '../deciding/admit-context.ts'
import { isLeftOut } from '../deciding/denial.ts'
import type { LiveActivity } from '../deciding/live-activity.ts'
import { isInTime, staleTimestamp } from '../deciding/times.ts'
import { decideNew, type Decided } from '../deciding/decide.ts'
import type { Proposal } from '../deciding/proposal.ts'
import type { DecodedIntent, Operation } from '../definition/operation.ts'
import type { Failure } from '../failure.ts'
import { instant } from '../log/event.ts'
import { E } from '../prelude.ts'
import { proposalOn } from '../writing/proposing.ts'
import { refused, shownToRequester, startedBy, type Step, type Turn, type Turned } from './answer.ts'
import { onceIn } from './attested.ts'
import { senderOf, speakerOf } from './authenticate.ts'
import type { Command, Named } from './command.ts'
import { voteTurn } from './vote.ts'

/** A decision on a new activity, to be committed. */
type ToCommit = {
  readonly _tag: 'commit'
  readonly proposal: Proposal
  readonly decided: Extract<Decided, { readonly _tag: 'decided' }>
}

/**
 * Takes a turn for a new activity. The same activity may have been done before, and may be the reason why it is refused: for instance, it
 * has taken the name. So before a refusal or a denial is believed, the activity is looked up in the store.
 */
export const submitTurn = (turn: Turn, command: Command, named: Named): Turned => {
  if (turn.live !== undefined) return repeated(turn, command, turn.live)
  const decided = decidedOn(turn, command, named)
  if (!turn.isLookedUp && !isAgreed(decided)) return { _tag: 'look-up' }
  if (E.isLeft(decided)) return refused(decided.left)
  return decided.right._tag === 'commit' ? committed(turn, command, decided.right) : decided.right
}

const isAgreed = (decided: E.Either<Failure, ToCommit | Step>): boolean =>
  E.isRight(decided) && !(decided.right._tag === 'commit' && decided.right.decided.verdict.outcome === 'DENIED')

const decidedOn = (turn: Turn, command: Command, named: Named): E.Either<Failure, ToCommit | Step> => {
  const { cell, caller, atMs, clockMs, rules, work, cells } = turn
  const { activityId, fingerprint, envelope } = command
  const { operation, version } = named
  if (!isInTime(envelope.timestampMs, clockMs)) return E.left(staleTimestamp)
  const decoded = version.decodeIntent(envelope.parameters)
  if (E.isLeft(decoded)) return decoded
  if (work !== undefined && E.isLeft(work.outcome)) return work.outcome
  const admitted = admit(turn, operation, decoded.right)
  if (E.isLeft(admitted)) return admitted
  const ready = operation.inspects(decoded.right) ? turn.inspected : decoded
  if (ready === undefined) return E.right({ _tag: 'inspect', operation, decoded: decoded.right })
  if (E.isLeft(ready)) return ready
  if (E.isLeft(cells)) return cells
  const home = turn.home === cell ? undefined : turn.home.organizationId
  const once = onceIn(turn.request.stamped)
  const proposed = { atMs, clockMs, activityId, type: version.type, operation, decoded: ready.right, home, once }
  const proposal = proposalOn(cell, cells.right, proposed)
  if ('_tag' in proposal) return E.right(proposal)
  const body = { fingerprint, bytes: turn.request.stamped.body.length }
  const decided = decideNew(rules, proposal, speakerOf(turn.request, caller), body, work)
  if (E.isLeft(decided)) return decided
  return E.right(
    decided.right._tag === 'decided'
      ? { _tag: 'commit', proposal, decided: decided.right }
      : { _tag: 'perform', proposal, requester: caller.userId, checked: decided.right.checked },
  )
}

/** Refuses an operation that this engine cannot do, and a request that would take too much. */
const admit = (
  { rules, cell, atMs, request, caller }: Turn,
  operation: Operation,
  { intent }: DecodedIntent,
): E.Either<Failure, unknown> => {
  const unsupported = rules.unsupported?.(operation, intent)
  return unsupported === undefined
    ? operation.admit(intent, admitContext(rules, cell.state, atMs, senderOf(request, caller)))
    : E.left(unsupported)
}

const committed = (turn: Turn, { activityId, fingerprint }: Command, { proposal, decided }: ToCommit): Turned => {
  const { cell, caller, rules } = turn
  const { stamped } = turn.request
  const { payloads, verdict } = decided
  const isWhole = !isLeftOut(verdict, stamped.body.length)
  const after = cell.commit({
    before: undefined,
    activityId:
      verdict.outcome === 'DENIED'
        ? denialIdOf(rules.digest, cell.organizationId, fingerprint, caller.userId)
        : activityId,
    decoded: isWhole ? proposal.decoded : undefined,
    at: instant(turn.atMs),
    payloads,
    request: isWhole ? stamped : undefined,
    others: proposal.others,
  })
  return shownToRequester(turn, after, startedBy(decided, after))
}

/** Answers a repeated body. From the requester it asks how the activity stands; from another user it is an approval. */
const repeated = (turn: Turn, { activityId }: Command, live: LiveActivity): Turned =>
  turn.caller.userId === live.activity.requester
    ? shownToRequester(turn, live)
    : voteTurn(turn, { selection: 'VOTE_SELECTION_APPROVED', activityId, timestampMs: undefined })
