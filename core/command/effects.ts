import { isFinished } from '../activity/activity.ts'
import { failure, type Failure, type Json } from '../failure.ts'
import { instant, type Happening } from '../log/event.ts'
import type { Clock } from '../ports/clock.ts'
import { E } from '../prelude.ts'
import type { ActivityView } from '../query/activity-view.ts'
import type { Authenticated } from './authenticate.ts'
import type { Cell, LiveActivity } from './cell.ts'
import type { LiveActivities } from './live-activities.ts'
import type { Organizations } from './organizations.ts'
import { conclude, started, type Proposal, type Rules } from './turn.ts'
import { viewOf } from './view.ts'

/** Work outside the organization's turn. */
export type Effects = {
  /** Runs `perform` of an operation without effects outside. */
  readonly performInside: (proposal: Proposal, requester: string) => Promise<E.Either<Failure, Json>>
  /** Begins effects whose start is durable, and waits for their end as long as a caller is made to wait. */
  readonly begin: (
    live: LiveActivity,
    pending: E.Either<Failure, ActivityView>,
    request: Authenticated,
  ) => Promise<E.Either<Failure, ActivityView>>
  /** Takes up what a process that died had started: with another attempt, or with its failure. */
  readonly resume: (organizationId: string, activityId: string) => Promise<void>
  /** Aborts what runs, and waits until nothing does. */
  readonly close: () => Promise<void>
}

type Ports = {
  readonly rules: Rules
  readonly clock: Clock
  readonly organizations: Organizations
  readonly activities: LiveActivities
}

const TURNS_MAX = 16

export const effects = (ports: Ports, { waitForEffectsMs = 5_000 } = {}): Effects => {
  const { clock, rules, organizations, activities } = ports
  const closing = new AbortController()
  const running = new Map<string, Promise<void>>()

  const operationOf = (live: LiveActivity) => rules.catalogue.byType(live.activity.type)?.operation

  const run = async (live: LiveActivity): Promise<void> => {
    const operation = operationOf(live)
    const { activity, asked } = live
    if (operation?.perform === undefined || asked === undefined || closing.signal.aborted) return
    const cell = await organizations.load(activity.organizationId)
    if (E.isLeft(cell)) return
    const outcome = await operation.run(asked.intent, {
      organization: cell.right.state,
      activityId: activity.activityId,
      requester: activity.requester,
      attempt: activity.attempt,
      signal: closing.signal,
    })()
    if (closing.signal.aborted) return // the next start of the engine takes it up
    if (E.isLeft(outcome) && outcome.left.code === 'UNAVAILABLE' && activity.attempt < operation.perform.attemptsMax) {
      clock.after(operation.perform.resumeAfterMs, () => void resume(activity.organizationId, activity.activityId))
      return
    }
    await happen(live, (proposal) =>
      E.isLeft(outcome)
        ? { type: 'ActivityFailed', data: { failure: outcome.left } }
        : conclude(rules, { ...proposal, performed: outcome.right }, activity.requester),
    )
  }

  /** Appends what follows an attempt, unless somebody else concluded or superseded it meanwhile. */
  const happen = async (
    attempted: LiveActivity,
    next: (proposal: Proposal) => Happening,
  ): Promise<LiveActivity | undefined> => {
    for (let turn = 0; turn < TURNS_MAX; turn += 1) {
      const cell = await organizations.load(attempted.activity.organizationId)
      if (E.isLeft(cell)) return undefined
      const live = await activities.find(cell.right, attempted.activity.activityId)
      if (E.isLeft(live) || live.right === undefined) return undefined
      if (cell.right.isDropped) continue
      const operation = operationOf(live.right)
      if (!isSameAttempt(live.right, attempted) || operation === undefined || live.right.asked === undefined)
        return undefined
      const after = appendTo(cell.right, live.right, clock.now(), (proposal) => next({ ...proposal, operation }))
      if (after !== undefined && (await cell.right.settled(cell.right.tip.sequence))) return after
    }
    return undefined
  }

  const appendTo = (
    cell: Cell,
    live: LiveActivity,
    atMs: number,
    next: (proposal: Omit<Proposal, 'operation'>) => Happening,
  ): LiveActivity | undefined => {
    if (live.asked === undefined) return undefined
    const { activityId, type } = live.activity
    const happening = next({
      organization: cell.state,
      sequence: cell.tip.sequence,
      atMs,
      activityId,
      type,
      asked: live.asked,
      performed: undefined,
    })
    return cell.commit({
      before: live,
      activityId,
      asked: live.asked,
      at: instant(atMs),
      happenings: [happening],
      request: undefined,
    })
  }

  const start = (live: LiveActivity): Promise<void> => {
    const { activityId } = live.activity
    const found = running.get(activityId)
    if (found !== undefined) return found
    const work = run(live).finally(() => running.delete(activityId))
    running.set(activityId, work)
    return work
  }

  const resume = async (organizationId: string, activityId: string): Promise<void> => {
    if (closing.signal.aborted || running.has(activityId)) return
    const cell = await organizations.load(organizationId)
    if (E.isLeft(cell)) return
    const found = await activities.find(cell.right, activityId)
    const live = E.isRight(found) ? found.right : undefined
    const perform = live === undefined ? undefined : operationOf(live)?.perform
    if (live === undefined || perform === undefined || isFinished(live.activity) || live.activity.attempt === 0) return
    const pauseMs = live.activity.resumeAtMs - clock.now()
    if (pauseMs > 0) {
      clock.after(pauseMs, () => void resume(organizationId, activityId))
      return
    }
    const mayRepeat = perform.whenInterrupted === 'retry' && live.activity.attempt < perform.attemptsMax
    const next = await happen(live, (proposal) =>
      mayRepeat
        ? started(proposal.operation, live.activity.attempt + 1, proposal.atMs)
        : { type: 'ActivityFailed', data: { failure: interrupted } },
    )
    if (next !== undefined && mayRepeat) await start(next)
  }

  const settledView = async (
    live: LiveActivity,
    request: Authenticated,
  ): Promise<E.Either<Failure, ActivityView> | undefined> => {
    const cell = await organizations.load(live.activity.organizationId)
    if (E.isLeft(cell)) return undefined
    const found = await activities.find(cell.right, live.activity.activityId)
    const caller = request.callerIn(cell.right.state, clock.now())
    if (E.isLeft(found) || found.right === undefined || E.isLeft(caller)) return undefined
    const view = viewOf(cell.right.state, rules.catalogue, found.right, caller.right.userId, clock.now())
    return (await cell.right.settled(cell.right.tip.sequence)) ? E.right(view) : undefined
  }

  return {
    performInside: (proposal, requester) =>
      proposal.operation.run(proposal.asked.intent, {
        organization: proposal.organization,
        activityId: proposal.activityId,
        requester,
        attempt: 1,
        signal: closing.signal,
      })(),
    begin: async (live, pending, request) => {
      const isDone = await Promise.race([start(live).then(() => true), pause(clock, waitForEffectsMs)])
      return (isDone ? await settledView(live, request) : undefined) ?? pending
    },
    resume,
    close: async () => {
      closing.abort()
      await Promise.allSettled([...running.values()])
    },
  }
}

const pause = (clock: Clock, delayMs: number): Promise<false> =>
  new Promise((resolve) => clock.after(delayMs, () => resolve(false)))

const isSameAttempt = ({ activity }: LiveActivity, attempted: LiveActivity): boolean =>
  !isFinished(activity) && activity.attempt === attempted.activity.attempt

const interrupted = failure(
  'INTERRUPTED',
  'the effect was interrupted, and its outcome is not known; it is not repeated',
)
