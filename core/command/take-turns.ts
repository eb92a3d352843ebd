import { denialIdOf } from '../activity/identity.ts'
import type { Failure } from '../failure.ts'
import { mayCall } from '../organization/credential.ts'
import { nameOf } from '../organization/credentials.ts'
import { cannotSend } from '../organization/issued-key.ts'
import { E } from '../prelude.ts'
import type { LiveActivity } from '../deciding/live-activity.ts'
import type { Cell } from '../writing/cell.ts'
import { loadOthers, noCells } from '../writing/other-cells.ts'
import { refused, sightOf, type Answered, type Step, type Turn, type Turned } from './answer.ts'
import { keptChanging, type Authenticated } from './authenticate.ts'
import type { CommandPorts } from './bus.ts'
import { clockIsBehind } from './clock-lag.ts'
import type { Command } from './command.ts'
import { barredFrom } from './barred.ts'
import { homeOf } from './home.ts'
import { mayTell } from './may-tell.ts'
import { submitTurn } from './submit-turn.ts'
import { voteTurn } from './vote.ts'

const CONFLICTS_MAX = 16
/**
 * How often each step is done for one request. Work is repeated where the state has changed so that `check` gives something else; other
 * organizations are loaded again where one of them was dropped before the turn.
 */
const STEPS_MAX: { readonly [tag in Step['_tag']]: number } = { 'look-up': 1, inspect: 1, perform: 4, read: 16 }

/** What the steps of this request have brought so far. */
type Earlier = Pick<Turn, 'isLookedUp' | 'inspected' | 'work' | 'cells'>

/** Takes a turn, and takes it again when it needs something first, or when the store refused its commit or one on which it was decided. */
export const takeTurns = async (
  ports: CommandPorts,
  request: Authenticated,
  command: Command,
): Promise<E.Either<Failure, Answered>> => {
  const { organizations, telemetry } = ports
  const left = { ...STEPS_MAX }
  let earlier: Earlier = { isLookedUp: false, inspected: undefined, work: undefined, cells: E.right(noCells) }
  let conflicts = 0
  while (conflicts < CONFLICTS_MAX) {
    await ports.turns.next(request.organizationId)
    const deciding = earlier
    const decided = await organizations.inTurn(
      request.organizationId,
      () => decide(ports, request, command, deciding),
      (wait) => outsideQueue(ports, request, wait),
    )
    if (decided === undefined) continue
    if (E.isLeft(decided)) return decided
    const { turned, cell, home, committed } = decided.right
    if (turned._tag !== 'answer') {
      if (left[turned._tag] === 0) return E.left(keptChanging)
      left[turned._tag] -= 1
      earlier = await done(ports, request, turned, earlier, conflicts > 0)
      continue
    }
    const others = E.isRight(earlier.cells) ? [...earlier.cells.right.values()] : []
    const tellable = await mayTell(organizations, cell, [home, ...others], committed)
    if (E.isLeft(tellable)) {
      if (turned.started !== undefined) ports.effects.resume(request.organizationId, command.activityId)
      return tellable
    }
    if (tellable.right) return E.right(turned)
    conflicts += 1
    earlier = afterConflict(earlier)
    if (committed !== undefined) await organizations.afterConflict(cell, conflicts)
    telemetry?.count('countersign.conflicts', 1, {})
  }
  return E.left(keptChanging)
}

type InTurn = Pick<Loaded, 'cell' | 'home'> & {
  readonly turned: Turned
  /** The sequence of the last event that the turn has committed. */
  readonly committed: bigint | undefined
}

/** Loads what a turn needs, and takes it; `undefined` where it has to be taken again, because an organization was dropped before it. */
const decide = async (
  ports: CommandPorts,
  request: Authenticated,
  command: Command,
  earlier: Earlier,
): Promise<E.Either<Failure, InTurn> | undefined> => {
  const { telemetry } = ports
  const loaded = await load(ports, request, command, earlier.isLookedUp)
  if (E.isLeft(loaded)) return loaded
  const { cell, home } = loaded.right
  if (cell.isDropped || home.isDropped) return undefined
  const before = cell.tip.sequence
  const turn = (): Turned => takeTurn(ports, loaded.right, request, command, earlier)
  const turned = telemetry === undefined ? turn() : telemetry.spanSync('countersign.decide', {}, turn, outcomeOf)
  const { sequence } = cell.tip
  return E.right({ turned, cell, home, committed: sequence > before ? sequence : undefined })
}

const outcomeOf = (turned: Turned): string =>
  turned._tag !== 'answer' || E.isRight(turned.answer) ? 'ok' : turned.answer.left.code

/** Does a step. @param isRefused  whether the store refused a commit of this request before */
const done = async (
  ports: CommandPorts,
  request: Authenticated,
  step: Step,
  earlier: Earlier,
  isRefused: boolean,
): Promise<Earlier> => {
  const { organizations, effects, inspect } = ports
  const outside = <A>(job: () => Promise<A>): Promise<A> => outsideQueue(ports, request, job)
  if (step._tag === 'look-up') return { ...earlier, isLookedUp: true }
  if (step._tag === 'inspect') {
    const { operation, decoded } = step
    return { ...earlier, inspected: await outside(() => inspect(request.organizationId, operation, decoded)) }
  }
  if (step._tag === 'read')
    return { ...earlier, cells: await outside(() => loadOthers(organizations, step.ids, isRefused)) }
  const { proposal, requester, checked } = step
  const outcome = await outside(() => effects.performInside(proposal, requester, checked))
  return { ...earlier, work: { checked, outcome } }
}

/** The store may have refused the commit because it has the activity already. */
const afterConflict = (earlier: Earlier): Earlier => ({ ...earlier, isLookedUp: true, cells: E.right(noCells) })

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

type Loaded = { readonly cell: Cell; readonly home: Cell; readonly found: LiveActivity | undefined }

const load = async (
  ports: CommandPorts,
  request: Authenticated,
  command: Command,
  looksUp: boolean,
): Promise<E.Either<Failure, Loaded>> => {
  const { load: loadCell } = ports.organizations
  const own = await loadCell(request.organizationId)
  if (E.isLeft(own)) return own
  const home = await homeOf(request, own.right, loadCell)
  if (E.isLeft(home)) return home
  const cells = { cell: own.right, home: home.right }
  for (const activityId of looksUp ? idsOf(ports, cells, request, command) : []) {
    const found = await ports.activities.find(cells.cell, activityId)
    if (E.isLeft(found)) return found
    if (found.right !== undefined) return E.right({ ...cells, found: found.right })
  }
  return E.right({ ...cells, found: undefined })
}

/** The ids under which the activity of a command may be: its own, or the one under which this caller's denial is stored. */
const idsOf = (
  { rules, clock }: CommandPorts,
  cells: Pick<Loaded, 'cell' | 'home'>,
  request: Authenticated,
  { activityId, fingerprint, asks }: Command,
): readonly string[] => {
  const { cell } = cells
  const caller = request.callerIn(sightOf(cells), cell.timeAt(clock.now()))
  return asks._tag === 'vote' || E.isLeft(caller)
    ? [activityId]
    : [activityId, denialIdOf(rules.digest, cell.organizationId, fingerprint, caller.right.userId)]
}

const takeTurn = (
  ports: CommandPorts,
  { cell, home, found }: Loaded,
  request: Authenticated,
  command: Command,
  { isLookedUp, inspected, work, cells }: Earlier,
): Turned => {
  const { rules, activities, clock } = ports
  const clockMs = clock.now()
  const atMs = cell.timeAt(clockMs)
  const caller = request.callerIn(sightOf({ cell, home }), atMs)
  if (E.isLeft(caller)) return refused(caller.left)
  if (!mayCall(command.path, caller.right, home !== cell)) return refused(cannotSend)
  const behind = clockIsBehind(ports, cell, atMs - clockMs)
  if (behind !== undefined) return refused(behind)
  const ids = idsOf(ports, { cell, home }, request, command)
  const live = ids.map((id) => activities.peek(cell, id)).find((one) => one !== undefined) ?? found
  const mayBeStored = (): boolean => isOlder(command, cell) || ids.some((id) => activities.isKnown(cell, id))
  if (live === undefined && !isLookedUp && mayBeStored()) return { _tag: 'look-up' }
  // A full literal: with an object spread a turn takes ten microseconds more.
  const turn: Turn = {
    rules,
    cell,
    home,
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
  const barred = barredFrom(turn, command)
  if (barred !== undefined) return barred
  return command.asks._tag === 'vote' ? voteTurn(turn, command.asks.ballot) : submitTurn(turn, command, command.asks)
}

// An activity is not older than its body, if the clocks agree. So if the body was made after this process loaded the organization, the
// activity would be in memory. Where the clocks do not agree, the store refuses to create the activity twice. A vote comes after it.
const isOlder = ({ asks, envelope }: Command, { loadedAtMs }: Cell): boolean =>
  asks._tag === 'vote' || envelope.timestampMs <= loadedAtMs
