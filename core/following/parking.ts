import { failure, type Failure } from '../failure.ts'
import { decodeEvent, type Event, type EventType } from '../log/event.ts'
import { partReader, WITH_PERSONAL, type PartReader } from '../log/part-reader.ts'
import { noParts, type Parts } from '../log/parts.ts'
import type { EventStore, Recorded } from '../ports/event-store.ts'
import type { RowChange } from '../ports/read-models.ts'
import { rowChanges } from '../ports/row-changes.ts'
import { E } from '../prelude.ts'
import { ownError } from '../telemetry/tell-thrown.ts'
import type { Entry, Positioned } from './feed.ts'
import { parkedRow, releasedRow, type Progress } from './progress.ts'

/** A parked organization. Its events from this sequence on are held back, because the follower threw on the first of them. */
export type Parked = { readonly organization: string; readonly sequence: bigint }

export type OnParked = (parked: Parked, thrown: unknown) => void

/**
 * Handles one event. Returns changes of the follower's rows, at once or later. A failure says that it cannot go on now: the same event
 * is given to it again later. If it throws or rejects, the event is tried again a few times; then its organization is parked.
 *
 * @param signal  aborted when the follower closes
 * @param parts  the parts of the event, without its request; empty if the follower does not read parts
 */
export type Handle = (
  event: Event,
  position: bigint,
  signal: AbortSignal,
  parts: Parts,
) => readonly RowChange[] | Promise<E.Either<Failure, readonly RowChange[]>>

/** The outcome of `take`. */
export type Taken = {
  /** How many of the entries were taken, from the first on. */
  readonly count: number
  readonly changes: readonly RowChange[]
  /** Whether `handle` was asynchronous for any of them. */
  readonly isAwaited: boolean
  /** Why the next entry has to be tried again later; `undefined` if it has not. */
  readonly refusal: Failure | undefined
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
  readonly progress: Pick<Progress, 'move'>
  /** Called when a newly parked organization is stored, with what was thrown. */
  readonly onParked: OnParked
}

export type ParkingOptions = {
  readonly name: string
  readonly handle: Handle
  readonly types?: readonly EventType[] | undefined
  /** Whether to read the parts of the events, too. Default: true. */
  readonly parts?: boolean | undefined
}

/** The outcome of `handle`; `undefined` if it threw, or returned changes that no store can keep. */
type Attempted = E.Either<Failure, readonly RowChange[]> | undefined

const THROWS_MAX = 3
const PAGE = 500

export const parking = (
  { store, progress, onParked }: ParkingPorts,
  { name, handle, types, parts: wantsParts = true }: ParkingOptions,
): Parking => {
  let parked = new Map<string, bigint>()
  let untold: (Parked & { readonly thrown: unknown })[] = []
  let thrown = { position: 0n, times: 0 }
  let lastThrown: unknown

  const attempt = (
    { event, position, parts = noParts }: Positioned,
    signal: AbortSignal,
  ): ReturnType<Handle> | undefined => {
    try {
      return handle(event, position, signal, parts)
    } catch (cause) {
      lastThrown = cause
      return undefined
    }
  }

  const settled = async (given: Promise<E.Either<Failure, readonly RowChange[]>>): Promise<Attempted> => {
    try {
      return E.map(rowChanges)(await given)
    } catch (cause) {
      lastThrown = cause
      return undefined
    }
  }

  const park = (organization: string, sequence: bigint): RowChange => {
    parked.set(organization, sequence)
    untold.push({ organization, sequence, thrown: lastThrown })
    return parkedRow(organization, sequence)
  }

  const release = (organization: string): RowChange => {
    parked.delete(organization)
    return releasedRow(organization)
  }

  const isLastTry = (position: bigint): boolean => {
    thrown = { position, times: thrown.position === position ? thrown.times + 1 : 1 }
    return thrown.times >= THROWS_MAX
  }

  const take: Parking['take'] = async (entries, signal) => {
    const changes: RowChange[] = []
    const heldBack = new Map<string, bigint>()
    let isAwaited = false
    let count = 0
    let refusal: Failure | undefined
    for (const entry of entries) {
      const { organization, sequence } = entry.event ?? entry
      const first = parked.size === 0 ? undefined : parked.get(organization)
      if (first !== undefined) {
        heldBack.set(organization, first)
      } else if (entry.event === undefined) {
        lastThrown = ownError(entry.cause.message)
        changes.push(park(organization, sequence))
      } else {
        let made = attempt(entry, signal)
        if (made instanceof Promise) {
          isAwaited = true
          const awaited = await settled(made)
          if (awaited !== undefined && E.isLeft(awaited)) refusal = awaited.left
          made = awaited === undefined || E.isLeft(awaited) ? undefined : awaited.right
        }
        if (made !== undefined) for (const change of made) changes.push(change)
        else if (refusal === undefined && isLastTry(entry.position)) changes.push(park(organization, sequence))
        else refusal ??= threw(name, entry.position)
      }
      if (refusal !== undefined) break
      count += 1
      if (isAwaited && signal.aborted) break
    }
    if (refusal !== undefined && count === 0) return E.left(refusal)
    // Stores the parked rows again: if another process releases such an organization meanwhile, it must not miss the events held back here.
    for (const [organization, first] of heldBack) changes.push(parkedRow(organization, first))
    return E.right({ count, changes, isAwaited, refusal })
  }

  /** The outcome of a parked event, tried again. */
  const tried = async (
    { line, position, sequence, parts: there }: Recorded,
    readParts: PartReader,
    signal: AbortSignal,
  ): Promise<Attempted> => {
    const event = decodeEvent(line)
    if (E.isLeft(event)) {
      lastThrown = ownError(event.left.message)
      return undefined
    }
    if (types !== undefined && !types.includes(event.right.type)) return E.right([])
    const parts = wantsParts ? await readParts(event.right, sequence, there) : E.right(noParts)
    if (E.isLeft(parts)) return parts
    const given = attempt({ event: event.right, position, parts: parts.right }, signal)
    if (given instanceof Promise) return settled(given)
    return given === undefined ? undefined : E.right(given)
  }

  const retryOne = async (
    { organization, sequence: first }: Parked,
    checkpoint: bigint,
    signal: AbortSignal,
  ): Promise<E.Either<Failure, void>> => {
    const readParts = partReader((after, limit, bounds) => store.readLog(organization, after, limit, bounds))
    for (let after = first - 1n; ;) {
      const page = await store.readLog(organization, after, PAGE, WITH_PERSONAL)()
      if (E.isLeft(page)) return page
      const changes: RowChange[] = []
      let isDone = page.right.length < PAGE
      for (const recorded of page.right) {
        const { position, sequence } = recorded
        isDone ||= position > checkpoint
        if (position > checkpoint) break
        const made = await tried(recorded, readParts, signal)
        if (made !== undefined && E.isLeft(made)) return made
        if (made === undefined) {
          changes.push(park(organization, sequence))
          return progress.move(checkpoint, checkpoint, changes)
        }
        for (const change of made.right) changes.push(change)
        after = sequence
      }
      if (isDone) changes.push(release(organization))
      const moved = await progress.move(checkpoint, checkpoint, changes)
      if (E.isLeft(moved) || isDone) return moved
    }
  }

  return {
    list: () => [...parked].map(([organization, sequence]) => ({ organization, sequence })),
    count: () => parked.size,
    holds: (organization) => parked.has(organization),
    concerns: (entries) => parked.size > 0 && entries.some((entry) => parked.has((entry.event ?? entry).organization)),
    adopt: (found) => {
      parked = new Map(found)
      untold = []
    },
    take,
    stored: () => {
      for (const { thrown, ...one } of untold.splice(0)) onParked(one, thrown)
    },
    retry: async (checkpoint, signal) => {
      for (const [organization, sequence] of [...parked]) {
        const retried = await retryOne({ organization, sequence }, checkpoint, signal)
        if (E.isLeft(retried)) {
          parked = new Map([...parked, [organization, sequence]]) // it may have been released in memory, and not in the store
          untold = []
          return retried
        }
      }
      return E.right(undefined)
    },
  }
}

const threw = (name: string, position: bigint): Failure =>
  failure('INTERNAL', `the follower ${name} threw at position ${position}`)
