import { nameOf } from '../organization/credentials.ts'
import { denialIdOf } from '../activity/identity.ts'
import { instant } from '../log/event.ts'
import { failure, type Failure } from '../failure.ts'
import { E } from '../prelude.ts'
import type { Stamp } from '../organization/credential.ts'
import type { ActivityView, SubmittedView } from '../view/activity-view.ts'
import type { Request } from '../request.ts'
import { refused, shownToRequester, startedBy, type Turn, type Turned } from './answer.ts'
import { authenticate, keptChanging, speakerOf, type Authenticated } from './authenticate.ts'
import type { CommandPorts } from './bus.ts'
import { clockIsBehind } from './clock-lag.ts'
import type { Cell } from '../writing/cell.ts'
import { loadOthers, noCells } from '../writing/other-cells.ts'
import { proposalOn } from '../writing/proposing.ts'
import { admitContext } from '../deciding/admit-context.ts'
import { isLeftOut } from '../deciding/denial.ts'
import type { LiveActivity } from '../deciding/live-activity.ts'
import { commandOf, type Command, type Named } from './command.ts'
import { mayTell } from './may-tell.ts'
import type { Work } from '../deciding/trying.ts'
import { decideNew } from '../deciding/turn.ts'
import type { DecodedIntent, Operation } from '../definition/operation.ts'
import { voteTurn } from './vote.ts'
import { isInTime, staleTimestamp } from '../deciding/times.ts'

const REFUSALS_MAX = 16
/** How often the work of one request is done. It is repeated where the state has changed so that `check` gives something else. */
const WORKS_MAX = 4
/** How often other organizations are loaded for one request. One of them may be dropped before the turn is taken. */
const LOADS_MAX = 16

/**
 * Submits an activity, or a vote on one, on a path that `isRoute` knows: authenticates, reads the body, then takes turns until one of them
 * stands. Refuses a request that would wait for its turn for longer than `waitForTurnMaxMs`.
 */
export const submit =
  (ports: CommandPorts) =>
  async (path: string, request: Request, waitForTurnMaxMs = Infinity): Promise<E.Either<Failure, SubmittedView>> => {
    const mayWait = (organizationId: string, stamp: Stamp): E.Either<Failure, unknown> =>
      ports.queue.isWithin(organizationId, nameOf(stamp).name, waitForTurnMaxMs)
        ? E.right(undefined)
        : E.left(tooManyWait)
    const authenticated = await authenticate(ports, 'submit', mayWait)(request)
    if (E.isLeft(authenticated)) return authenticated
    const command = commandOf(ports.rules, path, authenticated.right)
    if (E.isLeft(command)) return command
    // The request joins the organization's queue only now, when its signature was verified: no stranger can make that queue longer.
    const { organizationId, stamp } = authenticated.right
    // Requests that were verified at the same time have made the queue longer.
    const admitted = mayWait(organizationId, stamp)
    if (E.isLeft(admitted)) return admitted
    await ports.queue.enter(organizationId, nameOf(stamp).name)
    const turned = await takeTurns(ports, authenticated.right, command.right).finally(() =>
      ports.queue.leave(organizationId),
    )
    if (E.isLeft(turned)) return turned
    const { timestampMs: requestedAtMs } = command.right.envelope
    const answer = await told(ports, authenticated.right, turned.right)
    return E.map((view: ActivityView): SubmittedView => ({ ...view, requestedAtMs }))(answer)
  }

const tooManyWait = failure('RATE_LIMIT_EXCEEDED', 'too many requests wait for their turn; nothing was done; try again')

type Answered = Extract<Turned, { readonly _tag: 'answer' }>

/** Takes a turn, and takes it again when the store refused its commit, or a commit on which it was decided. */
const takeTurns = async (
  ports: CommandPorts,
  request: Authenticated,
  command: Command,
): Promise<E.Either<Failure, Answered>> => {
  let isLookedUp = false
  let inspected: Turn['inspected']
  let work: Work | undefined
  let cells = noCells
  let works = 0
  let loads = 0
  let refusals = 0
  while (refusals < REFUSALS_MAX) {
    await ports.turns.next(request.organizationId)
    const loaded = await load(ports, request, command, isLookedUp)
    if (E.isLeft(loaded)) return loaded
    const { cell, found } = loaded.right
    if (cell.isDropped) continue
    const before = cell.tip.sequence
    const turn = (): Turned => takeTurn(ports, cell, request, command, { isLookedUp, found, inspected, work, cells })
    const turned =
      ports.telemetry === undefined ? turn() : ports.telemetry.spanSync('countersign.decide', {}, turn, outcomeOf)
    const { sequence } = cell.tip
    if (turned._tag === 'look-up') {
      isLookedUp = true
    } else if (turned._tag === 'inspect') {
      const { operation, decoded } = turned
      inspected = await outsideQueue(ports, request, () => ports.inspect(request.organizationId, operation, decoded))
    } else if (turned._tag === 'perform') {
      if (works === WORKS_MAX) return E.left(keptChanging)
      works += 1
      const { proposal, requester, checked } = turned
      const perform = () => ports.effects.performInside(proposal, requester, checked)
      work = { checked, outcome: await outsideQueue(ports, request, perform) }
    } else if (turned._tag === 'read') {
      if (loads === LOADS_MAX) return E.left(keptChanging)
      loads += 1
      const read = () => loadOthers(ports.organizations, turned.ids, refusals > 0)
      const others = await outsideQueue(ports, request, read)
      if (E.isRight(others)) cells = others.right
      else if (isLookedUp) return others
      else isLookedUp = true // it may be in the store already, and then nothing has to be read
    } else {
      const tellable = await mayTell(ports.organizations, cell, cells, sequence > before)
      if (E.isLeft(tellable)) {
        if (turned.started !== undefined) ports.effects.resume(request.organizationId, command.activityId)
        return tellable
      }
      if (tellable.right) return E.right(turned)
      refusals += 1
      cells = noCells
      if (sequence > before) await ports.organizations.afterRefusal(refusals)
      ports.telemetry?.count('countersign.conflicts', 1, {})
      isLookedUp = true // it may have been refused because the activity is in the store already
    }
  }
  return E.left(keptChanging)
}

/** Does a job that may take long outside the queue, so that no other command waits for it. */
const outsideQueue = async <A>(
  { queue }: CommandPorts,
  { organizationId, stamp }: Authenticated,
  job: () => Promise<A>,
): Promise<A> => {
  queue.leave(organizationId)
  try {
    return await job()
  } finally {
    await queue.enter(organizationId, nameOf(stamp).name)
  }
}

const outcomeOf = (turned: Turned): string =>
  turned._tag !== 'answer' || E.isRight(turned.answer) ? 'ok' : turned.answer.left.code

const told = async (
  { effects }: CommandPorts,
  request: Authenticated,
  { answer, started }: Answered,
): Promise<E.Either<Failure, ActivityView>> => {
  if (started !== undefined) return effects.begin(started.live, started.checked, answer, request)
  // A process that has died may have started its effects, or a commit whose outcome nobody learned.
  if (E.isRight(answer) && answer.right.status === 'ACTIVITY_STATUS_PENDING')
    effects.resume(request.organizationId, answer.right.id)
  return answer
}

type Loaded = { readonly cell: Cell; readonly found: LiveActivity | undefined }

const load = async (
  ports: CommandPorts,
  request: Authenticated,
  command: Command,
  looksUp: boolean,
): Promise<E.Either<Failure, Loaded>> => {
  const cell = await ports.organizations.load(request.organizationId)
  if (E.isLeft(cell)) return cell
  if (!looksUp) return E.right({ cell: cell.right, found: undefined })
  for (const activityId of idsOf(ports, cell.right, request, command)) {
    const found = await ports.activities.find(cell.right, activityId)
    if (E.isLeft(found)) return found
    if (found.right !== undefined) return E.right({ cell: cell.right, found: found.right })
  }
  return E.right({ cell: cell.right, found: undefined })
}

/** The ids under which the activity of a command may be: its own, or the one under which this caller's denial is stored. */
const idsOf = (
  { rules, clock }: CommandPorts,
  cell: Cell,
  request: Authenticated,
  { activityId, fingerprint, asks }: Command,
): readonly string[] => {
  const caller = request.callerIn(cell.state, cell.timeAt(clock.now()))
  return asks._tag === 'vote' || E.isLeft(caller)
    ? [activityId]
    : [activityId, denialIdOf(rules.digest, cell.organizationId, fingerprint, caller.right.userId)]
}

/** What earlier rounds of this request have brought. */
type Earlier = Pick<Turn, 'isLookedUp' | 'inspected' | 'work' | 'cells'> & Pick<Loaded, 'found'>

const takeTurn = (
  ports: CommandPorts,
  cell: Cell,
  request: Authenticated,
  command: Command,
  { found, isLookedUp, inspected, work, cells }: Earlier,
): Turned => {
  const { rules, activities, clock } = ports
  const clockMs = clock.now()
  const atMs = cell.timeAt(clockMs)
  const caller = request.callerIn(cell.state, atMs)
  if (E.isLeft(caller)) return refused(caller.left)
  const behind = clockIsBehind(ports, cell, atMs - clockMs)
  if (behind !== undefined) return refused(behind)
  const { activityId } = command
  const ids = idsOf(ports, cell, request, command)
  const live = ids.map((id) => activities.peek(cell, id)).find((one) => one !== undefined) ?? found
  if (live === undefined && !isLookedUp && ids.some((id) => activities.isKnown(cell, id)))
    return { _tag: 'look-up', activityId }
  // A full literal: with an object spread a turn takes ten microseconds more.
  const turn: Turn = {
    rules,
    cell,
    request,
    caller: caller.right,
    atMs,
    clockMs,
    live,
    isLookedUp,
    inspected,
    work,
    cells,
  }
  return command.asks._tag === 'vote' ? voteTurn(turn, command.asks.ballot) : submitTurn(turn, command, command.asks)
}

const submitTurn = (turn: Turn, command: Command, named: Named): Turned => {
  const { cell, caller, atMs, clockMs, live, rules } = turn
  if (live !== undefined) return repeated(turn, command, live)
  const { activityId, fingerprint, envelope } = command
  const lookUp: Turned = { _tag: 'look-up', activityId }
  if (!turn.isLookedUp && !isProbablyNew(cell, envelope.timestampMs, clockMs)) return lookUp
  if (!isInTime(envelope.timestampMs, clockMs)) return refused(staleTimestamp)
  const decoded = named.version.decodeIntent(envelope.parameters)
  if (E.isLeft(decoded)) return turn.isLookedUp ? refused(decoded.left) : lookUp
  if (turn.work !== undefined && E.isLeft(turn.work.outcome)) return refused(turn.work.outcome.left)
  const admitted = admit(turn, named.operation, decoded.right)
  if (E.isLeft(admitted)) return turn.isLookedUp ? refused(admitted.left) : lookUp
  const ready = named.operation.inspects(decoded.right) ? turn.inspected : decoded
  if (ready === undefined) return { _tag: 'inspect', operation: named.operation, decoded: decoded.right }
  if (E.isLeft(ready)) return turn.isLookedUp ? refused(ready.left) : lookUp
  const { operation, version } = named
  const asked = { atMs, clockMs, activityId, type: version.type, operation, decoded: ready.right }
  const proposal = proposalOn(cell, turn.cells, asked)
  if ('_tag' in proposal) return proposal
  const { stamped } = turn.request
  const body = { fingerprint, bytes: stamped.body.length }
  const decided = decideNew(rules, proposal, speakerOf(turn.request, caller), body, turn.work)
  // The same activity may have been done before, and may be the reason for the refusal: for instance, it has taken the name.
  if (!turn.isLookedUp && !isAgreed(decided)) return lookUp
  if (E.isLeft(decided)) return refused(decided.left)
  if (decided.right._tag === 'perform')
    return { _tag: 'perform', proposal, requester: caller.userId, checked: decided.right.checked }
  const { payloads, verdict } = decided.right
  const isWhole = !isLeftOut(verdict, body.bytes)
  const after = cell.commit({
    before: undefined,
    activityId:
      verdict.outcome === 'DENIED'
        ? denialIdOf(rules.digest, cell.organizationId, fingerprint, caller.userId)
        : activityId,
    decoded: isWhole ? ready.right : undefined,
    at: instant(atMs),
    payloads,
    request: isWhole ? stamped : undefined,
    others: proposal.others,
  })
  return shownToRequester(turn, after, startedBy(decided.right, after))
}

/** Refuses an operation that this engine cannot do, and a request that would take too much. */
const admit = (
  { rules, cell, atMs }: Turn,
  operation: Operation,
  { intent }: DecodedIntent,
): E.Either<Failure, unknown> => {
  const unsupported = rules.unsupported?.(operation)
  return unsupported === undefined
    ? operation.admit(intent, admitContext(rules, cell.state, atMs))
    : E.left(unsupported)
}

const isAgreed = (decided: ReturnType<typeof decideNew>): boolean =>
  E.isRight(decided) && decided.right._tag === 'decided' && decided.right.verdict.outcome !== 'DENIED'

/** Answers a repeated body. From the requester it asks how the activity stands; from another user it is an approval. */
const repeated = (turn: Turn, { activityId }: Command, live: LiveActivity): Turned =>
  turn.caller.userId === live.activity.requester
    ? shownToRequester(turn, live)
    : voteTurn(turn, { selection: 'VOTE_SELECTION_APPROVED', activityId, timestampMs: undefined })

// An activity is not older than its body, if the clocks agree. So if the body was made after this process loaded the organization, the
// activity would be in memory. Where the clocks do not agree, the store refuses to create the activity twice.
const isProbablyNew = (cell: Cell, timestampMs: number, atMs: number): boolean =>
  isInTime(timestampMs, atMs) && timestampMs > cell.loadedAtMs
