import type { Failure } from '../failure.ts'
import { decodeEvent, type Event, type EventType } from '../log/event.ts'
import { partReader, WITH_PERSONAL } from '../log/part-reader.ts'
import { namesParts, partsLength, type Parts } from '../log/parts.ts'
import { LINES, type EventStore, type ReadOptions, type Recorded } from '../ports/event-store.ts'
import { E } from '../prelude.ts'

/** An event with its place in the store. */
export type Positioned = {
  readonly event: Event
  readonly position: bigint
  /** The parts of the event, without its request; missing if the event names no other part. */
  readonly parts?: Parts
}

/** An event that this version cannot read: only its place is known. */
export type Unreadable = {
  readonly event: undefined
  readonly position: bigint
  readonly organization: string
  readonly sequence: bigint
  readonly cause: Failure
}

export type Entry = Positioned | Unreadable

/** Events in order. The page has all selected events up to the position `end`. */
export type Page = { readonly entries: readonly Entry[]; readonly end: bigint }

/** Which events are selected. */
export type Wanted = {
  readonly organization?: string | undefined
  readonly types?: readonly EventType[] | undefined
  /** Whether to read the parts of the events, too. Default: true. */
  readonly parts?: boolean | undefined
}

/** The events of a store, page by page. Events of own commits come from memory; gaps between them are read from the store. */
export type Feed = {
  /** The highest position of which the feed knows that the store has it. */
  readonly known: () => bigint
  /** How many offered events are kept in memory. */
  readonly kept: () => number
  /** Whether there may be events behind a position. */
  readonly hasMore: (after: bigint) => boolean
  /** Keeps events that just became durable, if there is room and no event is missing before them. */
  readonly offer: (events: readonly Positioned[]) => void
  /** Tells the feed that the store has events up to this position. */
  readonly hear: (position: bigint) => void
  /** Another process has taken the events up to the position: forgets them. */
  readonly pass: (position: bigint) => void
  /** Forgets what it was offered and what it knows, because the store has lost events. */
  readonly clear: () => void
  /** Makes the next page read the store, even if no new position is known. */
  readonly lookAgain: () => void
  /**
   * The page behind a position. It may have no entries, and still an `end` behind `after`. The feed keeps its events in memory until
   * `next` is called with a later position.
   */
  readonly next: (after: bigint) => Promise<E.Either<Failure, Page>>
}

export const PAGE = 500
/** How many offered events are kept; further ones are read from the store. */
const KEPT_MAX = 10_000
/** The bound on bytes is needed because a page of the largest events would have hundreds of megabytes. */
const BYTES_MAX = 8 * 1024 * 1024
/** A page ends when its parts have more bytes than this. */
const PARTS_BYTES = 8 * 1024 * 1024
/** Taken events are cut off the queue in such numbers: cutting off each page would copy the rest of the queue each time. */
const TAKEN_MAX = 2_000

export const feed = (store: Pick<EventStore, 'readAll'>, { organization, types, parts = true }: Wanted = {}): Feed => {
  const reading: ReadOptions = { ...(parts ? WITH_PERSONAL : LINES), bytesMax: BYTES_MAX }
  const wantedTypes = types === undefined ? undefined : new Set(types)
  let known = 0n
  let isWanted = false
  /** The queue has all selected events with positions in (from, to], from the index `first` on. */
  let queue: Positioned[] = []
  let first = 0
  let from = 0n
  let to = 0n

  const isOfInterest = (event: Event): boolean =>
    (organization === undefined || event.organization === organization) &&
    (wantedTypes === undefined || wantedTypes.has(event.type))

  const needsParts = (event: Event): boolean => parts && namesParts(event)

  const offer = (events: readonly Positioned[]): void => {
    for (const positioned of events) {
      const { event, position } = positioned
      if (position > known) known = position
      const isWantedHere = isOfInterest(event)
      // Events with parts are read from the store later, because parts would take much memory until then.
      if (isWantedHere && needsParts(event)) continue
      if (from === to) from = position - 1n
      else if (position !== to + 1n || queue.length - first >= KEPT_MAX) continue
      to = position
      if (isWantedHere) queue.push(positioned)
    }
  }

  const clear = (): void => {
    queue = []
    first = 0
    from = to
  }

  const forget = (after: bigint): void => {
    if (to <= after) return clear()
    if (from >= after) return
    from = after
    for (let next = queue[first]; next !== undefined && next.position <= after; next = queue[first]) first += 1
    if (first < TAKEN_MAX) return
    queue = queue.slice(first)
    first = 0
  }

  const entryOf = ({ line, position, organization: of, sequence }: Recorded): Entry | undefined => {
    if (organization !== undefined && of !== organization) return undefined
    const event = decodeEvent(line)
    if (E.isLeft(event)) return { event: undefined, position, organization: of, sequence, cause: event.left }
    return isOfInterest(event.right) ? { event: event.right, position } : undefined
  }

  /** @param limit  less than a page if only a gap before the kept events has to be read */
  const read = async (after: bigint, limit: number, isGap: boolean): Promise<E.Either<Failure, Page>> => {
    const before = known
    const wasWanted = isWanted
    if (!isGap) isWanted = false
    const recorded = await store.readAll(after, limit, reading)()
    if (E.isLeft(recorded)) {
      isWanted = true
      return recorded
    }
    const last = recorded.right[recorded.right.length - 1]
    if (last === undefined) {
      if (isGap) clear() // the store does not have the offered events
      if (known === before) known = after // `hear` or `offer` will tell of later events
      return E.right({ entries: [], end: after })
    }
    isWanted ||= wasWanted // until the store has no more events
    if (last.position > known) known = last.position
    return withParts(recorded.right, last.position)
  }

  /** Adds the parts of the events. The page ends early if they have many bytes. */
  const withParts = async (recorded: readonly Recorded[], last: bigint): Promise<E.Either<Failure, Page>> => {
    const readParts = partReader((after, limit, bounds) => store.readAll(after, limit, bounds))
    const entries: Entry[] = []
    let bytes = 0
    for (const one of recorded) {
      const entry = entryOf(one)
      if (entry === undefined) continue
      if (entry.event === undefined || !needsParts(entry.event)) {
        entries.push(entry)
        continue
      }
      const read = await readParts(entry.event, entry.position, one.parts)
      if (E.isLeft(read)) return read
      entries.push({ ...entry, parts: read.right })
      bytes += partsLength(read.right)
      if (bytes > PARTS_BYTES) return E.right({ entries, end: entry.position })
    }
    return E.right({ entries, end: last })
  }

  return {
    known: () => known,
    kept: () => queue.length - first,
    hasMore: (after) => after < known || isWanted,
    offer,
    hear: (position) => {
      if (position > known) known = position
    },
    pass: forget,
    clear: () => {
      clear()
      known = 0n
      isWanted = true
    },
    lookAgain: () => {
      isWanted = true
    },
    next: async (after) => {
      forget(after)
      if (from === to) return read(after, PAGE, false)
      if (from > after) return read(after, from - after < PAGE ? Number(from - after) : PAGE, true)
      const entries = queue.slice(first, first + PAGE)
      const last = entries[entries.length - 1]
      const isAll = last === undefined || first + entries.length === queue.length
      return E.right({ entries, end: isAll ? to : last.position })
    },
  }
}
