import { timestampOf } from '../activity/envelope.ts'
import { failure, type Failure, type Json } from '../failure.ts'
import type { Runner } from '../projection/runner.ts'
import type { ReadModels } from '../ports/read-models.ts'
import { E, TE } from '../prelude.ts'
import { bytesOf, renderActivity, type ActivityView } from '../query/activity-view.ts'
import type { Query, QueryContext, Timestamps } from '../query/query.ts'
import type { Request } from '../request.ts'
import { authenticate, type Caller } from './authenticate.ts'
import type { CommandPorts } from './bus.ts'
import type { Cell, LiveActivity } from './cell.ts'
import { evaluationsOf, viewOf, votersOfAnswer } from './view.ts'
import { isInTime, staleTimestamp } from './vote.ts'

export type AskPorts = CommandPorts & {
  readonly readModels: ReadModels
  readonly runnerOf: (projection: string) => Runner | undefined
  /** How long a list waits for its projection. */
  readonly waitForProjectionMs: number
  /** Whether a query needs a `timestampMs` that is in time. */
  readonly mustBeFresh: boolean
}

type Answer = { readonly [member: string]: Json }

const REFUSALS_MAX = 16
/** Where a list of activities ends: a page of a hundred could have hundreds of megabytes. */
const ACTIVITIES_BYTES_MAX = 4 * 1024 * 1024

/**
 * Answers a query on a state that holds at least what was durable when the query arrived. The state may be ahead of the
 * disk: the answer leaves when the disk has caught up with it, and is made anew where it never does.
 */
export const ask =
  (ports: AskPorts) =>
  async (query: Query, request: Request, timestamps: Timestamps): Promise<E.Either<Failure, Answer>> => {
    const authenticated = await authenticate(ports, 'query')(request)
    if (E.isLeft(authenticated)) return authenticated
    if (ports.mustBeFresh && !isFresh(authenticated.right.json, ports.clock.now())) return E.left(staleTimestamp)
    for (let refusals = 0; refusals < REFUSALS_MAX; refusals += 1) {
      const loaded = await ports.organizations.fresh(authenticated.right.organizationId)
      if (E.isLeft(loaded)) return loaded
      const cell = loaded.right
      await ports.turns.next(cell.organizationId)
      const atMs = cell.timeAt(ports.clock.now())
      const caller = authenticated.right.callerIn(cell.state, atMs)
      const answer = E.isLeft(caller)
        ? caller
        : await query.run(authenticated.right.json, contextOf(ports, cell, caller.right, atMs, timestamps))()
      if (await cell.settled(cell.tip.sequence)) return answer
    }
    return E.left(failure('CONFLICT', 'the organization kept changing; try again'))
  }

const isFresh = (body: Json, clockMs: number): boolean => {
  const timestampMs = timestampOf(body)
  return timestampMs !== undefined && isInTime(timestampMs, clockMs)
}

const contextOf = (ports: AskPorts, cell: Cell, caller: Caller, atMs: number, timestamps: Timestamps): QueryContext => {
  const live = (activityId: string) => async () => {
    const found = await ports.activities.find(cell, activityId)
    if (E.isLeft(found)) return found
    return found.right === undefined
      ? E.left(failure('ACTIVITY_NOT_FOUND', 'activity not found'))
      : E.right(found.right)
  }
  const { state: organization, organizationId } = cell
  // All activities of an answer share the steps in which it is found out who may vote.
  const voters = votersOfAnswer(organization, ports.rules.catalogue, atMs)
  const viewed = (found: LiveActivity): ActivityView =>
    viewOf(organization, ports.rules.catalogue, found, caller.userId, atMs, voters)
  return {
    organization,
    caller: caller.userId,
    atMs,
    activity: (activityId) =>
      TE.map((found: LiveActivity) => renderActivity(viewed(found), timestamps))(live(activityId)),
    activities: (activityIds) => async () => {
      const shown: Json[] = []
      let bytes = 0
      for (const activityId of activityIds) {
        await ports.turns.next(organizationId) // those of a page together can take long
        const found = await live(activityId)()
        if (E.isLeft(found)) return found
        const view = viewed(found.right)
        bytes += bytesOf(view)
        if (shown.length > 0 && bytes > ACTIVITIES_BYTES_MAX) break
        shown.push(renderActivity(view, timestamps))
      }
      return E.right(shown)
    },
    evaluations: (activityId) => TE.map(evaluationsOf)(live(activityId)),
    rows: (projection, selection) => async () => {
      const name = await caughtUp(ports, cell, projection)
      return E.isLeft(name) ? name : ports.readModels.rows(name.right, organizationId, selection)()
    },
    row: (projection, key) => async () => {
      const name = await caughtUp(ports, cell, projection)
      return E.isLeft(name) ? name : ports.readModels.row(name.right, organizationId, key)()
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
