import { instant } from '../log/event.ts'
import { encodeRequestPart } from '../log/request-part.ts'
import { failure, type Failure, type Json } from '../failure.ts'
import { E } from '../prelude.ts'
import type { ActivityView } from '../query/activity-view.ts'
import type { Request } from '../request.ts'
import { refused, shownToRequester, type Turn, type Turned } from './answer.ts'
import { authenticate, type Authenticated } from './authenticate.ts'
import type { CommandPorts } from './bus.ts'
import type { Cell, LiveActivity } from './cell.ts'
import { commandOf, isRoute, noRoute, type Command, type Named } from './command.ts'
import { decideNew, type Proposal } from './turn.ts'
import { isInTime, staleTimestamp, voteTurn } from './vote.ts'

const REFUSALS_MAX = 16

/** Submits an activity, or a vote on one: authenticates, reads the body, then takes turns until one of them stands. */
export const submit =
  (ports: CommandPorts) =>
  async (path: string, request: Request): Promise<E.Either<Failure, ActivityView>> => {
    if (!isRoute(ports.rules.catalogue, path)) return E.left(noRoute)
    const authenticated = await authenticate(ports, 'submit')(request)
    if (E.isLeft(authenticated)) return authenticated
    const command = commandOf(ports.rules, path, authenticated.right)
    return E.isLeft(command) ? command : takeTurns(ports, authenticated.right, command.right)
  }

/** A turn is taken again when the store refused what it decided, or what it was decided on. */
export const takeTurns = async (
  ports: CommandPorts,
  request: Authenticated,
  command: Command,
): Promise<E.Either<Failure, ActivityView>> => {
  let isLookedUp = false
  let performed: E.Either<Failure, Json> | undefined
  let refusals = 0
  while (refusals < REFUSALS_MAX) {
    const cell = await cellFor(ports, request, command, isLookedUp)
    if (E.isLeft(cell)) return cell
    if (cell.right.isDropped) continue
    const turned = takeTurn(ports, cell.right, request, command, isLookedUp, performed)
    const { sequence } = cell.right.tip
    if (turned._tag === 'look-up') {
      isLookedUp = true
    } else if (turned._tag === 'perform') {
      performed = await ports.effects.performInside(turned.proposal, turned.requester)
    } else if (await cell.right.settled(sequence)) {
      return turned.started === undefined ? turned.answer : ports.effects.begin(turned.started, turned.answer, request)
    } else {
      refusals += 1
      isLookedUp = true // it may have been refused because the activity is in the store already
    }
  }
  return E.left(failure('CONFLICT', 'the organization kept changing; try again'))
}

const cellFor = async (
  ports: CommandPorts,
  request: Authenticated,
  command: Command,
  isLookedUp: boolean,
): Promise<E.Either<Failure, Cell>> => {
  const cell = await ports.organizations.load(request.organizationId)
  if (E.isLeft(cell) || !isLookedUp) return cell
  const found = await ports.activities.find(cell.right, command.activityId)
  return E.isLeft(found) ? found : cell
}

const takeTurn = (
  { rules, activities, clock }: CommandPorts,
  cell: Cell,
  request: Authenticated,
  command: Command,
  isLookedUp: boolean,
  performed: E.Either<Failure, Json> | undefined,
): Turned => {
  const atMs = clock.now()
  const caller = request.callerIn(cell.state, atMs)
  if (E.isLeft(caller)) return refused(caller.left)
  const turn: Turn = { rules, activities, cell, request, caller: caller.right, atMs, isLookedUp, performed }
  return command.asks._tag === 'vote' ? voteTurn(turn, command.asks.ballot) : submitTurn(turn, command, command.asks)
}

const submitTurn = (turn: Turn, command: Command, named: Named): Turned => {
  const { activities, cell, caller, atMs } = turn
  const live = activities.peek(cell, command.activityId)
  if (live !== undefined) return repeated(turn, command, live)
  const { timestampMs } = command.envelope
  if (!turn.isLookedUp && !isSurelyNew(cell, timestampMs, atMs))
    return { _tag: 'look-up', activityId: command.activityId }
  if (!isInTime(timestampMs, atMs)) return refused(staleTimestamp)
  const asked = named.version.decodeIntent(command.envelope.parameters)
  if (E.isLeft(asked)) return refused(asked.left)
  if (turn.performed !== undefined && E.isLeft(turn.performed)) return refused(turn.performed.left)
  const { activityId } = command
  const proposal: Proposal = {
    organization: cell.state,
    sequence: cell.tip.sequence,
    atMs,
    activityId,
    type: named.version.type,
    operation: named.operation,
    asked: asked.right,
    performed: turn.performed?.right,
  }
  const decided = decideNew(turn.rules, proposal, turn.request, caller, command.fingerprint)
  if (E.isLeft(decided)) return refused(decided.left)
  if (decided.right._tag === 'perform') return { _tag: 'perform', proposal, requester: caller.userId }
  const { happenings } = decided.right
  const after = cell.commit({
    before: undefined,
    activityId,
    asked: asked.right,
    at: instant(atMs),
    happenings,
    request: { stamped: turn.request.stamped, bytes: encodeRequestPart(turn.request.stamped) },
  })
  return shownToRequester(
    turn,
    after,
    happenings.some(({ type }) => type === 'ActivityStarted'),
  )
}

/** The same body again: from its requester it asks how things stand, from somebody else it is an approval. */
const repeated = (turn: Turn, { activityId }: Command, live: LiveActivity): Turned =>
  turn.caller.userId === live.activity.requester
    ? shownToRequester(turn, live)
    : voteTurn(turn, { selection: 'VOTE_SELECTION_APPROVED', activityId, timestampMs: undefined })

// An activity cannot be older than its body, give or take the clocks: one whose body was made after this process loaded
// the organization would be in memory. If it was forgotten since, the store refuses to create it twice.
const isSurelyNew = (cell: Cell, timestampMs: number, atMs: number): boolean =>
  isInTime(timestampMs, atMs) && timestampMs > cell.loadedAtMs
