import { isFinished } from '../activity/activity.ts'
import { failure, type Failure } from '../failure.ts'
import { instant, type EventPayload, type PayloadWithParts } from '../log/event.ts'
import type { Clock } from '../ports/clock.ts'
import { E } from '../prelude.ts'
import type { ActivityView } from '../view/activity-view.ts'
import type { Authenticated } from './authenticate.ts'
import type { Cell } from '../writing/cell.ts'
import { hasRequest, type LiveActivity } from '../deciding/live-activity.ts'
import { noOthers } from '../deciding/others.ts'
import type { LiveActivities } from '../writing/live-activities.ts'
import type { Organizations } from '../writing/organizations.ts'
import { loadOthers, noCells, type OtherCells } from '../writing/other-cells.ts'
import { proposalOn, type ToRead } from '../writing/proposing.ts'
import { failed } from '../deciding/payloads.ts'
import type { Proposal, Rules } from '../deciding/proposal.ts'
import { homeOf } from './home.ts'
import { viewOf } from './view.ts'

/** The name of an activity. It is small, because very many of them may wait. */
export type ActivityName = { readonly organizationId: string; readonly activityId: string }

/** One attempt at the effects outside of an activity. */
export type Attempt = ActivityName & { readonly attempt: number }

export const attemptOf = ({ activity: { organizationId, activityId, attempt } }: LiveActivity): Attempt => ({
  organizationId,
  activityId,
  attempt,
})

/** The turns that an attempt takes to append what follows it. */
export type AttemptTurns = {
  /** The activity as it is; `undefined` where there is none. */
  readonly find: (activity: ActivityName) => Promise<E.Either<Failure, LiveActivity | undefined>>
  /** As `find`, but it also sees everything that other processes had made durable before the call. */
  readonly findLatest: (activity: ActivityName) => Promise<E.Either<Failure, LiveActivity | undefined>>
  /**
   * Appends what follows an attempt, unless somebody else concluded or superseded it meanwhile. If the request was erased, the activity fails,
   * whatever was to follow: an erasure waits for activities that it sees, but one can start in the moment in which it looks.
   *
   * @param notBeforeMs  the earliest time that the clock is taken to say
   */
  readonly happen: (
    attempt: Attempt,
    next: (proposal: Proposal) => PayloadWithParts,
    notBeforeMs?: number,
  ) => Promise<LiveActivity | undefined>
  /** The activity as it is now, to the caller of a request; `undefined` where that cannot be said. */
  readonly presentView: (
    activity: ActivityName,
    request: Authenticated,
  ) => Promise<E.Either<Failure, ActivityView> | undefined>
}

export type AttemptPorts = {
  readonly rules: Rules
  readonly clock: Clock
  readonly organizations: Organizations
  readonly activities: LiveActivities
}

/** What came of a turn, and the end of the organization's log behind it. `after` is `undefined` where the turn has to be taken again. */
type Appending = {
  readonly cell: Cell
  readonly after: LiveActivity | ToRead | undefined
  readonly sequence: bigint
}

const TURNS_MAX = 16
/** The pause before the engine asks a store again that did not answer. */
export const RETRY_AFTER_MS = 200

export const attemptTurns = ({ rules, clock, organizations, activities }: AttemptPorts): AttemptTurns => {
  const inCell = async ({ organizationId, activityId }: ActivityName, load = organizations.load) => {
    const cell = await load(organizationId)
    if (E.isLeft(cell)) return cell
    const live = await activities.find(cell.right, activityId)
    return E.isLeft(live) ? live : E.right({ cell: cell.right, live: live.right })
  }

  const append = (
    cell: Cell,
    live: LiveActivity,
    cells: OtherCells,
    next: (proposal: Proposal) => PayloadWithParts,
    notBeforeMs: number,
  ): LiveActivity | ToRead | undefined => {
    const { activityId, type } = live.activity
    const operation = rules.catalogue.byType(type)?.operation
    const { decoded } = live
    if (operation === undefined || (decoded === undefined && hasRequest(live))) return undefined
    const clockMs = Math.max(clock.now(), notBeforeMs)
    const atMs = cell.timeAt(clockMs)
    const change = { before: live, activityId, decoded, at: instant(atMs), request: undefined }
    if (decoded === undefined)
      return cell.commit({ ...change, payloads: [failed({ operation, others: noOthers }, requestErased)] })
    const { home } = live.activity
    const proposal = proposalOn(cell, cells, { atMs, clockMs, activityId, type, operation, decoded, home })
    if ('_tag' in proposal) return proposal
    return cell.commit({ ...change, payloads: [next(proposal)], others: proposal.others })
  }

  /** Loads the activity and appends, if the attempt is still its newest one. Nothing is appended to an organization that was dropped. */
  const decide = async (
    attempt: Attempt,
    cells: OtherCells,
    next: (proposal: Proposal) => PayloadWithParts,
    notBeforeMs: number,
  ): Promise<E.Either<Failure, Appending> | undefined> => {
    const found = await inCell(attempt)
    if (E.isLeft(found)) return found
    const { cell, live } = found.right
    if (live === undefined || !isNewest(live, attempt)) return undefined
    const after = cell.isDropped ? undefined : append(cell, live, cells, next, notBeforeMs)
    if (after === undefined && !cell.isDropped) return undefined
    return E.right({ cell, after, sequence: cell.tip.sequence })
  }

  /** Waits if the store may answer soon; says whether it waited. */
  const isWorthWaiting = async ({ code }: Failure): Promise<boolean> => {
    if (code !== 'UNAVAILABLE') return false
    await pause(clock, RETRY_AFTER_MS)
    return true
  }

  return {
    find: async (activity) => E.map(liveOf)(await inCell(activity)),

    findLatest: async (activity) => E.map(liveOf)(await inCell(activity, organizations.fresh)),

    happen: async (attempt, next, notBeforeMs = 0) => {
      let payload = next
      let cells = noCells
      let conflicts = 0
      for (let turn = 0; turn < TURNS_MAX; turn += 1) {
        const [read, brings] = [cells, payload]
        const decided = await organizations.inTurn(attempt.organizationId, () =>
          decide(attempt, read, brings, notBeforeMs),
        )
        if (decided === undefined) return undefined
        if (E.isLeft(decided)) {
          if (!(await isWorthWaiting(decided.left))) return undefined
          continue
        }
        const { cell, after, sequence } = decided.right
        if (after === undefined) continue
        if ('ids' in after) {
          const loaded = await loadOthers(organizations, after.ids, conflicts > 0)
          if (E.isRight(loaded)) cells = loaded.right
          else if (!(await isWorthWaiting(loaded.left))) return undefined
          continue
        }
        if (await cell.durableTo(sequence)) return after
        conflicts += 1
        cells = noCells
        await organizations.afterConflict(cell, conflicts)
        if (isTooLarge(cell, sequence)) payload = tooLarge
      }
      return undefined
    },

    presentView: async (activity, request) => {
      const found = await inCell(activity)
      if (E.isLeft(found) || found.right.live === undefined) return undefined
      const { cell, live } = found.right
      const home = await homeOf(request, cell, organizations.load)
      if (E.isLeft(home)) return undefined
      const atMs = cell.timeAt(clock.now())
      const sight = { organization: cell.state, home: home.right.state }
      const caller = request.callerIn(sight, atMs)
      if (E.isLeft(caller)) return undefined
      const view = viewOf(sight, rules, live, caller.right.userId, atMs)
      return (await cell.stateDurable()) && (await home.right.stateDurable()) ? E.right(view) : undefined
    },
  }
}

const liveOf = ({ live }: { readonly live: LiveActivity | undefined }): LiveActivity | undefined => live

/** Whether the attempt is still the newest one, and nobody has concluded the activity. */
export const isNewest = ({ activity }: LiveActivity, { attempt }: Attempt): boolean =>
  !isFinished(activity) && activity.attempt === attempt

const pause = (clock: Clock, delayMs: number): Promise<void> =>
  new Promise((resolve) => void clock.after(delayMs, resolve, true))

const isTooLarge = ({ refused }: Cell, sequence: bigint): boolean =>
  refused !== undefined &&
  refused.sequence === sequence &&
  E.isRight(refused.outcome) &&
  refused.outcome.right._tag === 'too-large'

const requestErased = failure(
  'INTERRUPTED',
  'the request was erased before the work had ended; it is not known whether the work was done',
)

/** The failure where the store can never take what the work brought. */
const tooLarge = (proposal: Proposal): EventPayload =>
  failed(proposal, failure('REQUEST_TOO_LARGE', 'the work brought more than the store takes at once'))
