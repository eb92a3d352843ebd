import { isFinished } from '../activity/activity.ts'
import { activityKey, type ActivityKey } from '../activity/activity-key.ts'
import { failure, type Failure, type Json } from '../failure.ts'
import { instant, type Happening } from '../log/event.ts'
import type { Intent, Operation, PerformContext } from '../operations/operation.ts'
import type { Organization } from '../organization/organization.ts'
import { copyOf } from '../organization/snapshot.ts'
import type { Clock } from '../ports/clock.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import { E } from '../prelude.ts'
import type { ActivityView } from '../query/activity-view.ts'
import type { Authenticated } from './authenticate.ts'
import type { Cell, LiveActivity } from './cell.ts'
import type { LiveActivities } from './live-activities.ts'
import { spanned } from './measured.ts'
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
  readonly telemetry: Telemetry | undefined
}

const TURNS_MAX = 16
/** The pause before a store is asked again that did not answer. */
const RETRY_AFTER_MS = 200

export const effects = (ports: Ports, { waitForEffectsMs = 5_000 } = {}): Effects => {
  const { clock, rules, organizations, activities } = ports
  const closing = new AbortController()
  const running = new Map<ActivityKey, Promise<void>>()
  const resuming = new Set<Promise<void>>()
  const awaited = new Set<ActivityKey>()

  const operationOf = (live: LiveActivity) => rules.catalogue.byType(live.activity.type)?.operation

  const worked = (operation: Operation, intent: Intent, context: PerformContext): Promise<E.Either<Failure, Json>> =>
    spanned(ports.telemetry, 'countersign.perform', { type: operation.type, attempt: context.attempt }, () =>
      work(operation, intent, context),
    )

  const run = async (live: LiveActivity): Promise<void> => {
    const operation = operationOf(live)
    const { activity, asked } = live
    if (operation?.perform === undefined || asked === undefined || closing.signal.aborted) return
    const { attemptsMax, resumeAfterMs } = operation.perform
    const organization = await durableState(activity.organizationId)
    if (E.isLeft(organization)) return resumeLater(live, resumeAfterMs)
    const outcome = await worked(operation, asked.intent, {
      organization: organization.right,
      activityId: activity.activityId,
      requester: activity.requester,
      attempt: activity.attempt,
      signal: closing.signal,
    })
    if (E.isLeft(outcome) && closing.signal.aborted) return // the next start of the engine takes it up
    if (E.isLeft(outcome) && outcome.left.code === 'UNAVAILABLE' && activity.attempt < attemptsMax)
      return resumeLater(live, resumeAfterMs)
    const concluded = await happen(live, (proposal) =>
      E.isLeft(outcome)
        ? { type: 'ActivityFailed', data: { failure: outcome.left } }
        : conclude(rules, { ...proposal, performed: outcome.right }, activity.requester),
    )
    if (concluded === undefined) resumeLater(live, resumeAfterMs)
  }

  /** A copy: effects are begun on what is durable, whatever is decided while they run. */
  const durableState = async (organizationId: string): Promise<E.Either<Failure, Organization>> => {
    for (let turn = 0; turn < TURNS_MAX; turn += 1) {
      const cell = await organizations.load(organizationId)
      if (E.isLeft(cell)) return cell
      const organization = copyOf(cell.right.state)
      if (await cell.right.settled(cell.right.tip.sequence)) return E.right(organization)
    }
    return E.left(failure('UNAVAILABLE', 'the organization kept changing; try again'))
  }

  const resumeLater = ({ activity }: LiveActivity, delayMs: number): void => {
    const { activityId, organizationId } = activity
    const key = activityKey(activity)
    if (awaited.has(key)) return
    awaited.add(key)
    clock.after(delayMs, () => {
      awaited.delete(key)
      void resume(organizationId, activityId)
    })
  }

  /** Appends what follows an attempt, unless somebody else concluded or superseded it meanwhile. */
  const happen = async (
    attempted: LiveActivity,
    next: (proposal: Proposal) => Happening,
  ): Promise<LiveActivity | undefined> => {
    for (let turn = 0; turn < TURNS_MAX; turn += 1) {
      const cell = await organizations.load(attempted.activity.organizationId)
      const live = E.isLeft(cell) ? cell : await activities.find(cell.right, attempted.activity.activityId)
      if (E.isLeft(live)) {
        if (live.left.code !== 'UNAVAILABLE') return undefined
        await pause(clock, RETRY_AFTER_MS)
        continue
      }
      if (E.isLeft(cell) || live.right === undefined) return undefined
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
    const key = activityKey(live.activity)
    const found = running.get(key)
    if (found !== undefined) return found
    const work = run(live).finally(() => running.delete(key))
    running.set(key, work)
    return work
  }

  const resume = (organizationId: string, activityId: string): Promise<void> => {
    const resumed = takeUp(organizationId, activityId).finally(() => resuming.delete(resumed))
    resuming.add(resumed)
    return resumed
  }

  const takeUp = async (organizationId: string, activityId: string): Promise<void> => {
    if (closing.signal.aborted || running.has(activityKey({ organizationId, activityId }))) return
    const cell = await organizations.load(organizationId)
    const found = E.isLeft(cell) ? cell : await activities.find(cell.right, activityId)
    if (E.isLeft(found)) {
      if (found.left.code === 'UNAVAILABLE') clock.after(RETRY_AFTER_MS, () => void resume(organizationId, activityId))
      return
    }
    const live = found.right
    const perform = live === undefined ? undefined : operationOf(live)?.perform
    if (live === undefined || perform === undefined || isFinished(live.activity) || live.activity.attempt === 0) return
    const pauseMs = live.activity.resumeAtMs - clock.now()
    if (pauseMs > 0) return resumeLater(live, pauseMs)
    const mayRepeat = perform.whenInterrupted === 'retry' && live.activity.attempt < perform.attemptsMax
    const next = await happen(live, (proposal) =>
      mayRepeat
        ? started(proposal.operation, live.activity.attempt + 1, proposal.atMs)
        : { type: 'ActivityFailed', data: { failure: interrupted } },
    )
    if (next === undefined) return resumeLater(live, perform.resumeAfterMs)
    if (mayRepeat) await start(next)
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
      worked(proposal.operation, proposal.asked.intent, {
        organization: proposal.organization,
        activityId: proposal.activityId,
        requester,
        attempt: 1,
        signal: closing.signal,
      }),
    begin: async (live, pending, request) => {
      const isDone = await isWithin(clock, waitForEffectsMs, start(live))
      return (isDone ? await settledView(live, request) : undefined) ?? pending
    },
    resume,
    close: async () => {
      closing.abort()
      // Work that does not heed its signal is left behind: the next start takes it up.
      await isWithin(clock, waitForEffectsMs, Promise.allSettled([...running.values(), ...resuming]))
    },
  }
}

/** Runs `perform`. What a host throws says as little of the outcome as a service that does not answer. */
const work = async (
  operation: Operation,
  intent: Intent,
  context: PerformContext,
): Promise<E.Either<Failure, Json>> => {
  try {
    const outcome = await operation.run(intent, context)()
    return E.isLeft(outcome) && context.signal.aborted ? interruptedWork : outcome
  } catch {
    return E.left(failure('UNAVAILABLE', `the work of ${operation.type} threw`))
  }
}

const interruptedWork = E.left(failure('UNAVAILABLE', 'the engine is closing'))

const pause = (clock: Clock, delayMs: number): Promise<void> =>
  new Promise((resolve) => void clock.after(delayMs, resolve))

/** Whether the work ends within the time. */
const isWithin = (clock: Clock, delayMs: number, ending: Promise<unknown>): Promise<boolean> =>
  new Promise((resolve) => {
    const callOff = clock.after(delayMs, () => resolve(false))
    const end = (): void => {
      callOff()
      resolve(true)
    }
    ending.then(end, end)
  })

const isSameAttempt = ({ activity }: LiveActivity, attempted: LiveActivity): boolean =>
  !isFinished(activity) && activity.attempt === attempted.activity.attempt

const interrupted = failure(
  'INTERRUPTED',
  'the effect was interrupted, and its outcome is not known; it is not repeated',
)
