import { denialIdOf } from '../activity/identity.ts'
import { instant } from '../log/event.ts'
import { failure, type Failure, type Json } from '../failure.ts'
import { E } from '../prelude.ts'
import type { ActivityView } from '../query/activity-view.ts'
import type { Request } from '../request.ts'
import { refused, shownToRequester, type Turn, type Turned } from './answer.ts'
import { authenticate, type Authenticated } from './authenticate.ts'
import type { CommandPorts } from './bus.ts'
import type { Cell, LiveActivity, Refusal } from './cell.ts'
import { commandOf, type Command, type Named } from './command.ts'
import { decideNew, type Proposal } from './turn.ts'
import { isInTime, staleTimestamp, voteTurn } from './vote.ts'

const REFUSALS_MAX = 16

/** Submits an activity, or a vote on one, on a path that `isRoute` knows: authenticates, reads the body, then takes turns until one of them stands. */
export const submit =
  (ports: CommandPorts) =>
  async (path: string, request: Request): Promise<E.Either<Failure, ActivityView>> => {
    const authenticated = await authenticate(ports, 'submit')(request)
    if (E.isLeft(authenticated)) return authenticated
    const command = commandOf(ports.rules, path, authenticated.right)
    if (E.isLeft(command)) return command
    // By organization only now that the signature holds: nobody can lengthen another's line by naming it.
    const { organizationId } = authenticated.right
    await ports.queue.enter(organizationId)
    const turned = await takeTurns(ports, authenticated.right, command.right).finally(() =>
      ports.queue.leave(organizationId),
    )
    return E.isLeft(turned) ? turned : told(ports, authenticated.right, turned.right)
  }

type Answered = Extract<Turned, { readonly _tag: 'answer' }>

/** A turn is taken again when the store refused what it decided, or what it was decided on. */
const takeTurns = async (
  ports: CommandPorts,
  request: Authenticated,
  command: Command,
): Promise<E.Either<Failure, Answered>> => {
  let isLookedUp = false
  let performed: E.Either<Failure, Json> | undefined
  let refusals = 0
  while (refusals < REFUSALS_MAX) {
    await ports.turns.next(request.organizationId)
    const loaded = await load(ports, request, command, isLookedUp)
    if (E.isLeft(loaded)) return loaded
    const { cell, found } = loaded.right
    if (cell.isDropped) continue
    const before = cell.tip.sequence
    const turn = (): Turned => takeTurn(ports, cell, request, command, { isLookedUp, found, performed })
    const turned =
      ports.telemetry === undefined ? turn() : ports.telemetry.spanSync('countersign.decide', {}, turn, outcomeOf)
    const { sequence } = cell.tip
    if (turned._tag === 'look-up') {
      isLookedUp = true
    } else if (turned._tag === 'perform') {
      ports.queue.leave(request.organizationId) // work may take long, and decides nothing
      performed = await ports.effects.performInside(turned.proposal, turned.requester)
      await ports.queue.enter(request.organizationId)
    } else {
      const tellable = await mayTell(ports, cell, sequence > before)
      if (E.isLeft(tellable)) {
        if (turned.started !== undefined) ports.effects.resume(request.organizationId, command.activityId)
        return tellable
      }
      if (tellable.right) return E.right(turned)
      refusals += 1
      ports.telemetry?.count('countersign.conflicts', 1, {})
      isLookedUp = true // it may have been refused because the activity is in the store already
    }
  }
  return E.left(failure('CONFLICT', 'the organization kept changing; try again'))
}

const outcomeOf = (turned: Turned): string =>
  turned._tag !== 'answer' || E.isRight(turned.answer) ? 'ok' : turned.answer.left.code

/** Whether what a turn came to has become durable; no: decide anew. A failure where that would not help. */
const mayTell = async (
  { organizations }: CommandPorts,
  cell: Cell,
  hasCommitted: boolean,
): Promise<E.Either<Failure, boolean>> => {
  if (!hasCommitted) return organizations.confirm(cell)
  const { sequence } = cell.tip
  if (await cell.settled(sequence)) return E.right(true)
  return cell.refusal === undefined ? E.right(false) : verdictOn(cell.refusal, sequence)
}

// An unknown fate is everybody's who waits for it: who sends the same body again finds out. Too large a commit is only
// its own maker's affair.
const verdictOn = ({ fate, sequence }: Refusal, own: bigint): E.Either<Failure, boolean> => {
  if (E.isLeft(fate)) return fate.left.code === 'CONFLICT' ? E.right(false) : fate
  return fate.right._tag === 'too-large' && sequence === own
    ? E.left(
        failure('REQUEST_TOO_LARGE', `expected at most ${fate.right.bytesMax} bytes for the events of one request`),
      )
    : E.right(false)
}

const told = async (
  { effects }: CommandPorts,
  request: Authenticated,
  { answer, started }: Answered,
): Promise<E.Either<Failure, ActivityView>> => {
  if (started !== undefined) return effects.begin(started, answer, request)
  // Its effects may have been started by a process that is no more, or by a commit whose fate nobody learned.
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

/** Where the activity may be that a command is about: under its own id, or set aside because this caller was denied it. */
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

/** What the attempts before brought. */
type Brought = Pick<Turn, 'isLookedUp' | 'performed'> & Pick<Loaded, 'found'>

const takeTurn = (
  ports: CommandPorts,
  cell: Cell,
  request: Authenticated,
  command: Command,
  { isLookedUp, found, performed }: Brought,
): Turned => {
  const { rules, activities, clock } = ports
  const clockMs = clock.now()
  const atMs = cell.timeAt(clockMs)
  const caller = request.callerIn(cell.state, atMs)
  if (E.isLeft(caller)) return refused(caller.left)
  const { activityId } = command
  const ids = idsOf(ports, cell, request, command)
  const live = firstOf(ids, (id) => activities.peek(cell, id)) ?? found
  if (live === undefined && !isLookedUp && ids.some((id) => activities.isKnown(cell, id)))
    return { _tag: 'look-up', activityId }
  const turn: Turn = { rules, cell, request, caller: caller.right, atMs, clockMs, live, isLookedUp, performed }
  return command.asks._tag === 'vote' ? voteTurn(turn, command.asks.ballot) : submitTurn(turn, command, command.asks)
}

const firstOf = <A, B>(all: readonly A[], find: (one: A) => B | undefined): B | undefined => {
  for (const one of all) {
    const found = find(one)
    if (found !== undefined) return found
  }
  return undefined
}

const submitTurn = (turn: Turn, command: Command, named: Named): Turned => {
  const { cell, caller, atMs, clockMs, live, rules } = turn
  if (live !== undefined) return repeated(turn, command, live)
  const { timestampMs } = command.envelope
  const lookUp: Turned = { _tag: 'look-up', activityId: command.activityId }
  if (!turn.isLookedUp && !isProbablyNew(cell, timestampMs, clockMs)) return lookUp
  if (!isInTime(timestampMs, clockMs)) return refused(staleTimestamp)
  const asked = named.version.decodeIntent(command.envelope.parameters)
  if (E.isLeft(asked)) return turn.isLookedUp ? refused(asked.left) : lookUp
  if (turn.performed !== undefined && E.isLeft(turn.performed)) return refused(turn.performed.left)
  const admitted = named.operation.admit(asked.right.intent, { organization: cell.state, atMs })
  if (E.isLeft(admitted)) return turn.isLookedUp ? refused(admitted.left) : lookUp
  const proposal: Proposal = {
    organization: cell.state,
    sequence: cell.tip.sequence,
    atMs,
    clockMs,
    activityId: command.activityId,
    type: named.version.type,
    operation: named.operation,
    asked: asked.right,
    performed: turn.performed?.right,
  }
  const decided = decideNew(rules, proposal, turn.request, caller, command.fingerprint)
  // The activity itself may be why it cannot be done now: a name that it has taken, work that it has done.
  if (!turn.isLookedUp && !isAgreed(decided)) return lookUp
  if (E.isLeft(decided)) return refused(decided.left)
  if (decided.right._tag === 'perform') return { _tag: 'perform', proposal, requester: caller.userId }
  const { happenings, verdict } = decided.right
  const { fingerprint } = command
  const after = cell.commit({
    before: undefined,
    activityId:
      verdict.outcome === 'DENIED'
        ? denialIdOf(rules.digest, cell.organizationId, fingerprint, caller.userId)
        : command.activityId,
    asked: asked.right,
    at: instant(atMs),
    happenings,
    request: turn.request.stamped,
  })
  return shownToRequester(
    turn,
    after,
    happenings.some(({ type }) => type === 'ActivityStarted'),
  )
}

const isAgreed = (decided: ReturnType<typeof decideNew>): boolean =>
  E.isRight(decided) && decided.right._tag === 'happened' && decided.right.verdict.outcome !== 'DENIED'

/** The same body again: from its requester it asks how things stand, from somebody else it is an approval. */
const repeated = (turn: Turn, { activityId }: Command, live: LiveActivity): Turned =>
  turn.caller.userId === live.activity.requester
    ? shownToRequester(turn, live)
    : voteTurn(turn, { selection: 'VOTE_SELECTION_APPROVED', activityId, timestampMs: undefined })

// An activity cannot be older than its body, give or take the clocks: one whose body was made after this process loaded
// the organization would be in memory. Where it is not after all, the store refuses to create it twice.
const isProbablyNew = (cell: Cell, timestampMs: number, atMs: number): boolean =>
  isInTime(timestampMs, atMs) && timestampMs > cell.loadedAtMs
