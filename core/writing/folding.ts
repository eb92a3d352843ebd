import { ERASE_USER_TYPE } from '../activity/erasure.ts'
import type { Catalogue } from '../definition/catalogue.ts'
import { failure, type Failure } from '../failure.ts'
import { hashOf, type Tip } from '../log/chain.ts'
import { decodeEvent, millis, type Event } from '../log/event.ts'
import { partReader, WITH_PERSONAL } from '../log/part-reader.ts'
import { namesParts, noParts, partsLength } from '../log/parts.ts'
import { decodeStates, hasOurForm, writtenOf, type Written } from '../organization/snapshot.ts'
import { initial, type Draft } from '../organization/state.ts'
import type { Digest } from '../ports/digest.ts'
import type { ReadOptions, Recorded } from '../ports/event-store.ts'
import type { Snapshot, SnapshotPlace } from '../ports/read-models.ts'
import type { Storage } from '../ports/storage.ts'
import { E } from '../prelude.ts'
import type { TellThrown } from '../telemetry/tell-thrown.ts'
import type { Base, Baseline } from './baselines.ts'
import { beginning, type Cell, type Origin, type Stored } from './cell.ts'

/** A snapshot that is known to be in the store, and which states it has. */
export type StoredSnapshot = SnapshotPlace & { readonly written: Written }

/** An organization that was folded from the store. */
export type Folded = {
  readonly cell: Cell
  /** The snapshot of this version from which it was folded; `undefined` if it was folded from another one, or from the beginning. */
  readonly stored: StoredSnapshot | undefined
  /** The snapshot from which it was folded, of whichever version. */
  readonly base: Base | undefined
  /** What `snapshotDrops` gave before anything else was read; `undefined` if the store did not say. Snapshots of the cell are saved with it. */
  readonly drops: bigint | undefined
  /** Whether the log has the line that it was known to have. */
  readonly hasKnown: boolean
}

/** Folds organizations from the store: from a snapshot and the events behind it. */
export type Folding = {
  /**
   * @param cellOf  makes the cell
   */
  readonly fold: (
    organizationId: string,
    cellOf: (draft: Draft, origin: Origin) => Cell,
    last: LastSeen,
  ) => Promise<E.Either<Failure, Folded>>
  /** What others have appended behind what is durable in a cell. It may be a part of it, if it is much. */
  readonly behind: (cell: Cell) => Promise<E.Either<Failure, Behind>>
  /** Applies an event, and turns what it throws into a failure. */
  readonly absorb: (cell: Cell, read: Read) => E.Either<Failure, void>
}

/** What is known of an organization that was in memory before. */
export type LastSeen = {
  /** The end of what was durable; `beforeFirst` if that is not known. */
  readonly tip: Tip
  /** A snapshot in memory. It spares reading the stored one, which may be a thousand events older. */
  readonly baseline: Baseline | undefined
}

export type Behind = {
  readonly reads: readonly Read[]
  /** Whether the first of them names the last line of the cell as the line before it. */
  readonly continues: boolean
  /** Whether one of them is an erasure: then the state has to be folded again from the first event. */
  readonly isErased: boolean
}

type Ports = {
  readonly storage: Storage
  readonly digest: Digest
  readonly catalogue: Catalogue
  readonly tell: TellThrown
  /** The version of the snapshots that this engine makes. */
  readonly version: string
}

/** Where a fold begins. */
type Start = {
  readonly stored: StoredSnapshot | undefined
  readonly base: Base | undefined
  readonly draft: Draft
  readonly origin: Origin
  /** The first page of the events that follow. */
  readonly page: readonly Recorded[]
  readonly isLast: boolean
}

/** An event of a log, as a fold takes it. */
export type Read = { readonly event: Event; readonly stored: Stored }

const PAGE = 2_000
/** How much of what others have appended is read at once. */
const BEHIND_MAX = 500
const BEHIND_BYTES = 8 * 1024 * 1024
const BEHIND: ReadOptions = { ...WITH_PERSONAL, bytesMax: BEHIND_BYTES }

export const folding = ({ storage, digest, catalogue, tell, version }: Ports): Folding => {
  const { store, readModels } = storage

  const pageAfter = (organizationId: string, after: bigint) =>
    store.readLog(organizationId, after, PAGE, WITH_PERSONAL)()

  /** Decodes the events of a page, reads their parts, and takes them one by one: the parts of a page together may be large. */
  const readEach = async (
    organizationId: string,
    page: readonly Recorded[],
    take: (read: Read) => E.Either<Failure, void>,
  ): Promise<E.Either<Failure, void>> => {
    const readParts = partReader((after, limit, bounds) => store.readLog(organizationId, after, limit, bounds))
    for (const { line, position, sequence, parts: there } of page) {
      const event = decodeEvent(line)
      if (E.isLeft(event)) return E.left(closed(event.left))
      const parts = namesParts(event.right) ? await readParts(event.right, sequence, there) : WITHOUT_PARTS
      if (E.isLeft(parts)) return parts
      const stored = { position, hash: hashOf(digest, line), parts: parts.right }
      const taken = take({ event: event.right, stored })
      if (E.isLeft(taken)) return taken
    }
    return E.right(undefined)
  }

  // An operation of today may throw on a change that an earlier version wrote.
  const absorb = (cell: Cell, { event, stored }: Read): E.Either<Failure, void> => {
    try {
      return E.mapLeft(closed)(cell.absorb(event, stored))
    } catch (thrown) {
      tell('a fold of the log', thrown)
      const { sequence } = event
      return E.left(closed(failure('ORGANIZATION_CLOSED', `an operation threw on the event at sequence ${sequence}`)))
    }
  }

  // A snapshot is used only if the log has the same line at its sequence as when it was made.
  const snapshotOf = async (
    organizationId: string,
    inMemory: Snapshot | undefined,
  ): Promise<E.Either<Failure, Start | undefined>> => {
    const saved = inMemory === undefined ? await readModels.snapshot(organizationId, version)() : E.right(inMemory)
    const candidate = E.isRight(saved) && saved.right && hasOurForm(saved.right.version) ? saved.right : undefined
    const draft = candidate === undefined ? undefined : decodeStates(organizationId, candidate.parts, catalogue)
    if (candidate === undefined || draft === undefined) return E.right(undefined)
    const page = await pageAfter(organizationId, candidate.sequence - 1n)
    if (E.isLeft(page)) return page
    const [first, ...behind] = page.right
    const origin = first === undefined ? undefined : originAt(first, candidate)
    if (origin === undefined) return E.right(undefined)
    const { sequence, hash } = candidate
    const written = writtenOf(draft)
    const stored = candidate.version === version && inMemory === undefined ? { sequence, hash, written } : undefined
    const base = { snapshot: candidate, written }
    return E.right({ stored, base, draft, origin, page: behind, isLast: page.right.length < PAGE })
  }

  const originAt = ({ line, position }: Recorded, { sequence, hash }: Snapshot): Origin | undefined => {
    const event = decodeEvent(line)
    return E.isRight(event) && event.right.sequence === sequence && hashOf(digest, line) === hash
      ? { tip: { sequence, hash }, position, atMs: millis(event.right.at), lastId: event.right.id }
      : undefined
  }

  const beginningOf = async (organizationId: string): Promise<E.Either<Failure, Start>> => {
    const page = await pageAfter(organizationId, 0n)
    if (E.isLeft(page)) return page
    const draft = initial(organizationId, catalogue.states)
    return E.right({
      stored: undefined,
      base: undefined,
      draft,
      origin: beginning,
      page: page.right,
      isLast: page.right.length < PAGE,
    })
  }

  const startOf = async (organizationId: string, inMemory: Baseline | undefined): Promise<E.Either<Failure, Start>> => {
    const snapshot = await snapshotOf(organizationId, inMemory?.snapshot)
    if (E.isLeft(snapshot)) return snapshot
    return snapshot.right === undefined ? beginningOf(organizationId) : E.right(snapshot.right)
  }

  const dropsOf = async (organizationId: string): Promise<bigint | undefined> => {
    const drops = await readModels.snapshotDrops(organizationId)()
    return E.isRight(drops) ? drops.right : undefined
  }

  const fold = async (
    organizationId: string,
    cellOf: (draft: Draft, origin: Origin) => Cell,
    last: LastSeen,
    mayResume = true,
  ): Promise<E.Either<Failure, Folded>> => {
    const drops = last.baseline === undefined ? await dropsOf(organizationId) : last.baseline.drops
    const start = await (mayResume ? startOf(organizationId, last.baseline) : beginningOf(organizationId))
    if (E.isLeft(start)) return start
    const { draft, origin, stored, base } = start.right
    const cell = cellOf(draft, origin)
    const { tip: known } = last
    let { page, isLast } = start.right
    let hasKnown = known.sequence <= origin.tip.sequence
    let isErased = false
    const take = (read: Read): E.Either<Failure, void> => {
      hasKnown ||= read.event.sequence === known.sequence && read.stored.hash === known.hash
      isErased ||= isErasure(read)
      return absorb(cell, read)
    }
    for (;;) {
      const taken = await readEach(organizationId, page, take)
      if (E.isLeft(taken)) return taken
      if (base !== undefined && isErased) {
        // The snapshot is older than an erasure, so it may have what was erased.
        if (last.baseline !== undefined) return fold(organizationId, cellOf, { ...last, baseline: undefined })
        const dropped = await readModels.dropSnapshot(organizationId)()
        return E.isLeft(dropped) ? dropped : fold(organizationId, cellOf, last, false)
      }
      if (isLast) {
        // The first parts may have been read before the erasure whose end was read now.
        if (isErased && (await dropsOf(organizationId)) !== drops)
          return fold(organizationId, cellOf, { ...last, baseline: undefined }, mayResume)
        return E.right({ cell, stored, base, drops, hasKnown })
      }
      const next = await pageAfter(organizationId, cell.tip.sequence)
      if (E.isLeft(next)) return next
      page = next.right
      isLast = page.length < PAGE
    }
  }

  const behind = async (cell: Cell): Promise<E.Either<Failure, Behind>> => {
    const { organizationId, durable } = cell
    const page = await store.readLog(organizationId, durable.sequence, BEHIND_MAX, BEHIND)()
    if (E.isLeft(page)) return page
    const reads: Read[] = []
    let bytes = 0
    const taken = await readEach(organizationId, page.right, (read) => {
      if (bytes < BEHIND_BYTES) reads.push(read)
      bytes += partsLength(read.stored.parts)
      return E.right(undefined)
    })
    const [first] = reads
    const continues = first === undefined || first.event.previous === durable.hash
    return E.map(() => ({ reads, continues, isErased: reads.some(isErasure) }))(taken)
  }

  return { fold: (organizationId, cellOf, last) => fold(organizationId, cellOf, last), behind, absorb }
}

const isErasure = ({ event: { type, data } }: Read): boolean =>
  type === 'ActivityCompleted' && 'type' in data && data.type === ERASE_USER_TYPE

const WITHOUT_PARTS = E.right(noParts)

const closed = (cause: Failure): Failure =>
  failure('ORGANIZATION_CLOSED', `the organization takes no commands and answers no queries: ${cause.message}`)
