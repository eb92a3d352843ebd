import { failure, type Failure } from '../failure.ts'
import type { EventStore } from '../ports/event-store.ts'
import type { RowChange } from '../ports/read-models.ts'
import { E } from '../prelude.ts'
import { ownError } from '../telemetry/tell-thrown.ts'
import type { Entry } from './feed.ts'
import { handled, threw, type Handling, type Thrown } from './handle.ts'
import { parkedOrganizations, type OnParked, type Parked, type ParkedOrganizations } from './parked-organizations.ts'
import { parkedRow, type ProgressKeeper } from './progress.ts'
import { retryOne } from './retry-one.ts'

/** The outcome of `take`. */
export type Taken = {
  /** How many of the entries were taken, from the first on. */
  readonly count: number
  readonly changes: readonly RowChange[]
  /** Whether `handle` was asynchronous for any of them. */
  readonly isAwaited: boolean
  /** Why the next entry has to be tried again later; `undefined` if it has not. */
  readonly cause: Failure | undefined
}

/**
 * Handles events on which a follower throws. Such an event is tried again a few times. Then its organization is parked: the event and
 * all later ones of the organization are held back, so that their order is kept. Other organizations go on. If this version cannot
 * read an event, its organization is parked at once. The parked organizations are stored in the transaction of the rows. Their events
 * are tried again on request.
 */
export type Parking = {
  readonly list: () => readonly Parked[]
  readonly count: () => number
  readonly holds: (organization: string) => boolean
  /** Whether one of the entries would be held back. */
  readonly concerns: (entries: readonly Entry[]) => boolean
  /** Replaces the known parked organizations by the stored ones. */
  readonly adopt: (parked: ReadonlyMap<string, bigint>) => void
  /** Takes entries in order, up to one that has to be tried again later. Fails if that is the first entry. */
  readonly take: (entries: readonly Entry[], signal: AbortSignal) => Promise<E.Either<Failure, Taken>>
  /** To be called when the changes of `take` are stored. */
  readonly stored: () => void
  /** Tries parked events again, up to the checkpoint. */
  readonly retry: (checkpoint: bigint, signal: AbortSignal) => Promise<E.Either<Failure, void>>
}

export type ParkingPorts = {
  readonly store: Pick<EventStore, 'readLog'>
  readonly progress: Pick<ProgressKeeper, 'move'>
  /** Called when a newly parked organization is stored, with what was thrown. */
  readonly onParked: OnParked
}

const THROWS_MAX = 3

export const parking = ({ store, progress, onParked }: ParkingPorts, handling: Handling): Parking => {
  const parked = parkedOrganizations(onParked)
  return {
    list: parked.list,
    count: parked.count,
    holds: (organization) => parked.first(organization) !== undefined,
    concerns: (entries) =>
      parked.count() > 0 && entries.some((entry) => parked.first((entry.event ?? entry).organization) !== undefined),
    adopt: parked.adopt,
    take: taking(parked, handling),
    stored: parked.tell,
    retry: async (checkpoint, signal) => {
      for (const one of parked.list()) {
        const retried = await retryOne({ ...handling, store, progress, parked }, one, checkpoint, signal)
        if (E.isLeft(retried)) {
          parked.restore(one) // it may have been released in memory, and not in the store
          return retried
        }
      }
      return E.right(undefined)
    },
  }
}

const taking = (parked: ParkedOrganizations, { name, handle }: Handling): Parking['take'] => {
  const isLastTry = countedTries()
  return async (entries, signal) => {
    const changes: RowChange[] = []
    const heldBack = new Map<string, bigint>()
    let isAwaited = false
    let count = 0
    let cause: Failure | undefined
    for (const entry of entries) {
      const { organization, sequence } = entry.event ?? entry
      const first = parked.first(organization)
      if (first !== undefined) heldBack.set(organization, first)
      else {
        const given = entry.event === undefined ? unreadable(entry.cause) : handled(handle, entry, signal)
        isAwaited ||= given instanceof Promise
        const made = given instanceof Promise ? await given : given
        if (made._tag === 'Right') for (const change of made.right) changes.push(change)
        else if (made._tag === 'Left') cause = made.left
        else if (entry.event === undefined || isLastTry(entry.position))
          changes.push(parked.park({ organization, sequence }, made.thrown))
        else cause = hasThrown(name, entry.position)
      }
      if (cause !== undefined) break
      count += 1
      if (isAwaited && signal.aborted) break
    }
    if (cause !== undefined && count === 0) return E.left(cause)
    // Stores the parked rows again: if another process releases such an organization meanwhile, it must not miss the events held back here.
    for (const [organization, first] of heldBack) changes.push(parkedRow(organization, first))
    return E.right({ count, changes, isAwaited, cause })
  }
}

/** Counts how often the event at a position has thrown. Says whether it was tried for the last time. */
const countedTries = (): ((position: bigint) => boolean) => {
  let tries = { position: 0n, times: 0 }
  return (position) => {
    tries = { position, times: tries.position === position ? tries.times + 1 : 1 }
    return tries.times >= THROWS_MAX
  }
}

const unreadable = ({ message }: Failure): Thrown => threw(ownError(message))

const hasThrown = (name: string, position: bigint): Failure =>
  failure('INTERNAL', `the follower ${name} threw at position ${position}`)
