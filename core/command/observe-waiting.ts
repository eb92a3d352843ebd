import { latch } from '../collections/latch.ts'
import type { Failure } from '../failure.ts'
import { follow } from '../following/follow.ts'
import type { FollowPorts } from '../following/follower.ts'
import type { Handle } from '../following/handle.ts'
import type { Event, EventType } from '../log/event.ts'
import { isWaiting, statusAfter, WAITING, type Status } from '../log/standing.ts'
import type { Clock } from '../ports/clock.ts'
import type { EventStore } from '../ports/event-store.ts'
import type { RowChange } from '../ports/read-models.ts'
import type { Telemetry } from '../ports/telemetry.ts'
import { E } from '../prelude.ts'
import type { TellThrown } from '../telemetry/tell-thrown.ts'
import { countedOrganizations } from './counted-organizations.ts'

type Ports = Pick<FollowPorts, 'storage' | 'clock' | 'commits'> & {
  readonly telemetry: Telemetry
  readonly tell: TellThrown
}

/** What activities wait for: votes, or effects outside. */
const REASONS = ['approval', 'effect'] as const
type Reason = (typeof REASONS)[number]

const reasonOf = (status: string): Reason | undefined => {
  if (isWaiting(status)) return 'approval'
  return status === PENDING ? 'effect' : undefined
}

const PENDING: Status = 'ACTIVITY_STATUS_PENDING'

/**
 * Observes how many activities of all organizations wait. They are counted once, in the background, and then by following the log, so that
 * a look at the number costs nothing.
 *
 * @returns a function that stops it
 */
export const observeWaiting = (ports: Ports): (() => Promise<void>) => {
  const { storage, clock, telemetry, tell } = ports
  const counts = countsByReason()
  const counting = countedOrganizations<Event>()
  const stops: (() => unknown)[] = []
  const closing = latch()
  let passed = (): bigint => 0n

  const take: Handle = (event, position) => {
    if (counting.isToAdd(event.organization, position, event)) counts.add(event)
    return NO_ROWS
  }

  const begin = async (): Promise<E.Either<Failure, void>> => {
    const last = await storage.store.lastPosition()()
    if (E.isLeft(last)) return last
    const options = { after: last.right, types: TYPES, parts: false, handle: take, isDurable: false }
    const begun = await follow({ storage, clock, commits: ports.commits, tell }, 'waiting-activities', options)
    if (E.isLeft(begun)) return begun
    passed = begun.right.checkpoint
    stops.push(begun.right.close)
    return E.right(undefined)
  }

  const countPage = async (): Promise<E.Either<Failure, void>> => {
    for (const organization of counting.uncounted()) {
      const found = await waitingIn(storage.store, clock, organization)
      if (E.isLeft(found)) return found
      for (const status of found.right.statuses) counts.up(status)
      for (const event of counting.counted(organization, found.right.position, passed())) counts.add(event)
    }
    if (counting.isDone()) return E.right(undefined)
    const page = await storage.store.organizations(counting.begin(), PAGE)()
    if (E.isLeft(page)) return page
    counting.page(page.right, page.right.length < PAGE)
    return E.right(undefined)
  }

  /** Does a step, again if it fails, until it succeeds or the engine closes. */
  const done = async (step: () => Promise<E.Either<Failure, void>>): Promise<void> => {
    while (!closing.isPast() && E.isLeft(await step())) await pause(clock, AGAIN_AFTER_MS)
  }

  const run = async (): Promise<void> => {
    await done(begin)
    while (!closing.isPast() && !counting.isDone()) {
      await done(countPage)
      await pause(clock, BREATH_MS) // requests come first
    }
    if (closing.isPast()) return
    for (const reason of REASONS)
      stops.push(telemetry.observe('countersign.activities.waiting', { for: reason }, () => counts.of(reason)))
  }

  run().catch((thrown: unknown) => tell('the count of waiting activities', thrown))
  return async () => {
    closing.pass()
    for (const stop of stops) await stop()
  }
}

const PAGE = 50
const BREATH_MS = 5
const AGAIN_AFTER_MS = 1_000
const TYPES: readonly EventType[] = ['ActivityCreated', 'ActivityVoted', 'ActivityCompleted', 'ActivityFailed']
const NO_ROWS: readonly RowChange[] = []

const pause = (clock: Clock, delayMs: number): Promise<void> =>
  new Promise((resolve) => void clock.after(delayMs, resolve))

const countsByReason = () => {
  const counts = { approval: 0, effect: 0 }
  const up = (status: string): void => {
    const reason = reasonOf(status)
    if (reason !== undefined) counts[reason] += 1
  }
  return {
    of: (reason: Reason): number => counts[reason],
    up,
    // Only an activity that waits for votes takes them, and one that ends was pending.
    add: (event: Event): void => {
      if (event.type === 'ActivityVoted') counts.approval -= 1
      if (event.type === 'ActivityCompleted' || event.type === 'ActivityFailed') counts.effect -= 1
      else up(statusAfter(event))
    },
  }
}

type Found = { readonly statuses: readonly string[]; readonly position: bigint }

/** The statuses of the activities that wait in an organization, and the position where its log ended then. */
const waitingIn = async (store: EventStore, clock: Clock, organization: string): Promise<E.Either<Failure, Found>> => {
  for (;;) {
    const before = await store.head(organization)()
    if (E.isLeft(before)) return before
    const statuses = await statusesIn(store, organization)
    if (E.isLeft(statuses)) return statuses
    const after = await store.head(organization)()
    if (E.isLeft(after)) return after
    const position = after.right?.position ?? 0n
    if (position === (before.right?.position ?? 0n)) return E.right({ statuses: statuses.right, position })
    await pause(clock, BREATH_MS)
  }
}

const ACTIVITIES = 500

const statusesIn = async (store: EventStore, organization: string): Promise<E.Either<Failure, readonly string[]>> => {
  const found: string[] = []
  for (let after: bigint | undefined; ;) {
    const selection = { limit: ACTIVITIES, ascending: true, statuses: [...WAITING, PENDING], after }
    const page = await store.activities(organization, selection)()
    if (E.isLeft(page)) return page
    for (const { status } of page.right) found.push(status)
    after = page.right[page.right.length - 1]?.sequence
    if (page.right.length < ACTIVITIES) return E.right(found)
  }
}
