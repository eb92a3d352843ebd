import { isFinished } from '../activity/activity.ts'
import { failure, type Failure } from '../failure.ts'
import { instant, type Happening } from '../log/event.ts'
import type { Organization } from '../organization/organization.ts'
import { copyOf } from '../organization/snapshot.ts'
import type { Clock } from '../ports/clock.ts'
import { E } from '../prelude.ts'
import type { ActivityView } from '../query/activity-view.ts'
import type { Authenticated } from './authenticate.ts'
import type { Cell, LiveActivity } from './cell.ts'
import type { LiveActivities } from './live-activities.ts'
import type { Organizations } from './organizations.ts'
import { failed, type Proposal, type Rules } from './turn.ts'
import { viewOf } from './view.ts'

/** Which activity is meant. It stays small while it waits. */
export type ActivityName = { readonly organizationId: string; readonly activityId: string }

/** An attempt at its effects outside. */
export type Attempt = ActivityName & { readonly attempt: number }

export const attemptOf = ({ activity: { organizationId, activityId, attempt } }: LiveActivity): Attempt => ({
  organizationId,
  activityId,
  attempt,
})

/** The turns that an attempt takes: what it is made on, and what is appended behind it. */
export type AttemptTurns = {
  /** The activity as it is; `undefined` where there is none. */
  readonly find: (activity: ActivityName) => Promise<E.Either<Failure, LiveActivity | undefined>>
  /** A copy of the organization: effects are begun on what is durable, whatever is decided while they run. */
  readonly durableState: (organizationId: string) => Promise<E.Either<Failure, Organization>>
  /** Appends what follows an attempt, unless somebody else concluded or superseded it meanwhile. */
  readonly happen: (attempt: Attempt, next: (proposal: Proposal) => Happening) => Promise<LiveActivity | undefined>
  /** The activity as it is now, to the caller of a request; `undefined` where that cannot be said. */
  readonly settledView: (
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

const TURNS_MAX = 16
/** The pause before a store is asked again that did not answer. */
export const RETRY_AFTER_MS = 200

export const attemptTurns = ({ rules, clock, organizations, activities }: AttemptPorts): AttemptTurns => {
  const inCell = async ({ organizationId, activityId }: ActivityName) => {
    const cell = await organizations.load(organizationId)
    if (E.isLeft(cell)) return cell
    const live = await activities.find(cell.right, activityId)
    return E.isLeft(live) ? live : E.right({ cell: cell.right, live: live.right })
  }

  const append = (
    cell: Cell,
    live: LiveActivity,
    next: (proposal: Proposal) => Happening,
  ): LiveActivity | undefined => {
    const { activityId, type } = live.activity
    const operation = rules.catalogue.byType(type)?.operation
    const { asked } = live
    if (operation === undefined || asked === undefined) return undefined
    const clockMs = clock.now()
    const atMs = cell.timeAt(clockMs)
    const { sequence } = cell.tip
    const happening = next({
      organization: cell.state,
      sequence,
      atMs,
      clockMs,
      activityId,
      type,
      operation,
      asked,
      performed: undefined,
    })
    return cell.commit({
      before: live,
      activityId,
      asked,
      at: instant(atMs),
      happenings: [happening],
      request: undefined,
    })
  }

  return {
    find: async (activity) => E.map(({ live }: { live: LiveActivity | undefined }) => live)(await inCell(activity)),

    durableState: async (organizationId) => {
      for (let turn = 0; turn < TURNS_MAX; turn += 1) {
        const cell = await organizations.load(organizationId)
        if (E.isLeft(cell)) return cell
        const organization = copyOf(cell.right.state)
        if (await cell.right.settled(cell.right.tip.sequence)) return E.right(organization)
      }
      return E.left(failure('UNAVAILABLE', 'the organization kept changing; try again'))
    },

    happen: async (attempt, next) => {
      let happening = next
      for (let turn = 0; turn < TURNS_MAX; turn += 1) {
        const found = await inCell(attempt)
        if (E.isLeft(found)) {
          if (found.left.code !== 'UNAVAILABLE') return undefined
          await pause(clock, RETRY_AFTER_MS)
          continue
        }
        const { cell, live } = found.right
        if (live === undefined || !isNewest(live, attempt)) return undefined
        if (cell.isDropped) continue
        const after = append(cell, live, happening)
        if (after === undefined) return undefined
        const { sequence } = cell.tip
        if (await cell.settled(sequence)) return after
        if (isTooLarge(cell, sequence)) happening = () => tooLarge
      }
      return undefined
    },

    settledView: async (activity, request) => {
      const found = await inCell(activity)
      if (E.isLeft(found) || found.right.live === undefined) return undefined
      const { cell, live } = found.right
      const atMs = cell.timeAt(clock.now())
      const caller = request.callerIn(cell.state, atMs)
      if (E.isLeft(caller)) return undefined
      const view = viewOf(cell.state, rules.catalogue, live, caller.right.userId, atMs)
      return (await cell.settled(cell.tip.sequence)) ? E.right(view) : undefined
    },
  }
}

/** Whether nobody has concluded or superseded the attempt. */
export const isNewest = ({ activity }: LiveActivity, { attempt }: Attempt): boolean =>
  !isFinished(activity) && activity.attempt === attempt

const pause = (clock: Clock, delayMs: number): Promise<void> =>
  new Promise((resolve) => void clock.after(delayMs, resolve))

const isTooLarge = ({ refusal }: Cell, sequence: bigint): boolean =>
  refusal !== undefined &&
  refusal.sequence === sequence &&
  E.isRight(refusal.fate) &&
  refusal.fate.right._tag === 'too-large'

/** What the work brought cannot be stored, however often it is done. */
const tooLarge = failed(failure('REQUEST_TOO_LARGE', 'the work brought more than the store takes at once'))
