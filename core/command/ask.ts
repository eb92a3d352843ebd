import { failure, type Failure, type Json } from '../failure.ts'
import type { Runner } from '../projection/runner.ts'
import type { ReadModels } from '../ports/read-models.ts'
import { E, TE } from '../prelude.ts'
import { renderActivity } from '../query/activity-view.ts'
import type { Query, QueryContext, Timestamps } from '../query/query.ts'
import type { Request } from '../request.ts'
import { authenticate, type Caller } from './authenticate.ts'
import type { CommandPorts } from './bus.ts'
import type { Cell } from './cell.ts'
import { weightOf } from './live-activities.ts'
import { evaluationsOf, viewOf } from './view.ts'

export type AskPorts = CommandPorts & {
  readonly readModels: ReadModels
  readonly runnerOf: (projection: string) => Runner | undefined
  /** How long a list waits for its projection. */
  readonly waitForProjectionMs: number
}

type Answer = { readonly [member: string]: Json }

const REFUSALS_MAX = 16
/** What the activities of one answer may weigh together: written, they take several times as much. */
const ANSWER_BYTES_MAX = 16 * 1024 * 1024
const answerTooLarge = failure(
  'REQUEST_INVALID',
  'the activities of the answer are larger than 16 MiB together: ask for fewer of them at once',
)

/**
 * Answers a query on a state that holds at least what was durable when the query arrived. The state may be ahead of the
 * disk: the answer leaves when the disk has caught up with it, and is made anew where it never does.
 */
export const ask =
  (ports: AskPorts) =>
  async (query: Query, request: Request, timestamps: Timestamps): Promise<E.Either<Failure, Answer>> => {
    const authenticated = await authenticate(ports, 'query')(request)
    if (E.isLeft(authenticated)) return authenticated
    for (let refusals = 0; refusals < REFUSALS_MAX; refusals += 1) {
      const loaded = await ports.organizations.fresh(authenticated.right.organizationId)
      if (E.isLeft(loaded)) return loaded
      const cell = loaded.right
      const atMs = ports.clock.now()
      const caller = authenticated.right.callerIn(cell.state, atMs)
      const answer = E.isLeft(caller)
        ? caller
        : await query.run(authenticated.right.json, contextOf(ports, cell, caller.right, atMs, timestamps))()
      if (await cell.settled(cell.tip.sequence)) return answer
    }
    return E.left(failure('CONFLICT', 'the organization kept changing; try again'))
  }

const contextOf = (ports: AskPorts, cell: Cell, caller: Caller, atMs: number, timestamps: Timestamps): QueryContext => {
  let bytes = 0
  const live = (activityId: string) => async () => {
    const found = await ports.activities.find(cell, activityId)
    if (E.isLeft(found)) return found
    if (found.right === undefined) return E.left(failure('ACTIVITY_NOT_FOUND', 'activity not found'))
    const isAlone = bytes === 0 // one activity is always shown, however large
    bytes += weightOf(found.right)
    return isAlone || bytes <= ANSWER_BYTES_MAX ? E.right(found.right) : E.left(answerTooLarge)
  }
  return {
    organization: cell.state,
    caller: caller.userId,
    atMs,
    activity: (activityId) =>
      TE.map((found: Parameters<typeof evaluationsOf>[0]) =>
        renderActivity(viewOf(cell.state, ports.rules.catalogue, found, caller.userId, atMs), timestamps),
      )(live(activityId)),
    evaluations: (activityId) => TE.map(evaluationsOf)(live(activityId)),
    rows: (projection, selection) => async () => {
      const name = await caughtUp(ports, cell, projection)
      return E.isLeft(name) ? name : ports.readModels.rows(name.right, cell.organizationId, selection)()
    },
    row: (projection, key) => async () => {
      const name = await caughtUp(ports, cell, projection)
      return E.isLeft(name) ? name : ports.readModels.row(name.right, cell.organizationId, key)()
    },
  }
}

/** Waits until the projection has passed what the organization's log holds, bounded; gives its stored name. */
const caughtUp = async (ports: AskPorts, cell: Cell, projection: string): Promise<E.Either<Failure, string>> => {
  const runner = ports.runnerOf(projection)
  if (runner === undefined) return E.left(failure('INTERNAL', `no projection is called ${projection}`))
  if (runner.holds(cell.organizationId))
    return E.left(failure('UNAVAILABLE', 'the list of this organization is parked: its projection threw'))
  await cell.settled(cell.tip.sequence)
  const giveUp = new AbortController()
  const callOff = ports.clock.after(ports.waitForProjectionMs, () => giveUp.abort())
  const passed = await runner.passed(cell.durable.position, giveUp.signal)
  callOff()
  if (E.isRight(passed)) return E.right(runner.name)
  return E.left(failure('UNAVAILABLE', 'the list is behind the log; try again', []))
}
