import { ERASE_USER_TYPE } from '../activity/erasure.ts'
import { failure, type Failure } from '../failure.ts'
import { hashOf } from '../log/chain.ts'
import { decodeEvent, millis, type Event } from '../log/event.ts'
import { partReader, type PartReader } from '../log/part-reader.ts'
import { namesParts, noParts, type Parts } from '../log/parts.ts'
import { initial, type Draft } from '../organization/state.ts'
import { decodeStates, encodeStates, SNAPSHOT_VERSION, writtenOf, type Written } from '../organization/snapshot.ts'
import { LINES, type Recorded } from '../ports/event-store.ts'
import type { Snapshot, SnapshotPlace } from '../ports/read-models.ts'
import type { Storage } from '../ports/storage.ts'
import { E } from '../prelude.ts'
import { boundedMap } from '../collections/bounded-map.ts'
import { beginning, cellOf, type Cell, type CellPorts, type Origin, type Stored } from './cell.ts'
import { heads } from './heads.ts'
import type { LiveActivity } from '../deciding/live-activity.ts'
import type { TellThrown } from '../telemetry/tell-thrown.ts'
import type { Troubles } from '../telemetry/troubles.ts'

/** The organizations in memory. They are loaded from a snapshot and the events behind it, and kept while there is room. */
export type Organizations = {
  /** The organization's cell. `ORGANIZATION_NOT_FOUND`, `ORGANIZATION_CLOSED`, or the failure of the store. */
  readonly load: (organizationId: string) => Promise<E.Either<Failure, Cell>>
  /** As `load`, but it also sees everything that other processes had made durable before the call. */
  readonly fresh: (organizationId: string) => Promise<E.Either<Failure, Cell>>
  /**
   * Whether an answer that was made from the cell, without a commit, may be told: the state is durable, and no other process
   * has appended since. A cell that is behind the store is dropped.
   */
  readonly confirm: (cell: Cell) => Promise<E.Either<Failure, boolean>>
  /** A cell for an organization that does not exist yet. */
  readonly begin: (organizationId: string) => Cell
  /** The hash of the line that completed the organization's first activity. An auditor can pin it. */
  readonly genesisHash: (organizationId: string) => Promise<E.Either<Failure, string>>
  /** Writes a snapshot of each organization in memory that has changed since its last one. */
  readonly snapshotAll: () => Promise<void>
  /** Drops the organization from memory when nothing of it waits for the disk; the next command folds it again. */
  readonly forget: (organizationId: string) => Promise<void>
}

export type OrganizationsOptions = { readonly organizationsMax?: number; readonly snapshotEvery?: number }

type Baseline = {
  /** The snapshot from which it was read; `undefined` if it is the beginning of the log. */
  readonly stored: Kept['stored']
  readonly draft: Draft
  readonly origin: Origin
  /** The first page of the events that follow. */
  readonly pending: readonly Recorded[]
  readonly isLast: boolean
}

type Kept = {
  readonly cell: Cell
  /** The sequence of the last snapshot that was written. */
  snapshotSequence: bigint
  /** The snapshot that is known to be in the store, and its parts. The next one writes only the parts that changed. */
  stored: (SnapshotPlace & { readonly written: Written }) | undefined
}

const PAGE = 2_000

export const organizations = (
  ports: Omit<CellPorts, 'onDropped'> & {
    readonly storage: Storage
    readonly tell: TellThrown
    /** Organizations that are closed because of what their logs hold, for the operator. */
    readonly closings: Pick<Troubles, 'note'>
  },
  { organizationsMax = 5_000, snapshotEvery = 1_000 }: OrganizationsOptions = {},
): Organizations => {
  const { storage, digest } = ports
  const kept = boundedMap<string, Kept>(organizationsMax, {
    canForget: ({ cell }) => cell.unsettled.size === 0,
    onForgotten: ({ cell }) => cell.drop(),
  })
  const loading = new Map<string, Promise<E.Either<Failure, Cell>>>()
  const headOf = heads(storage.store)

  const cellPorts: CellPorts = {
    ...ports,
    onDurable: (cell, events, last, live: LiveActivity) => {
      ports.onDurable(cell, events, last, live)
      const entry = kept.get(cell.organizationId)
      if (entry?.cell === cell && cell.tip.sequence - entry.snapshotSequence >= BigInt(snapshotEvery))
        void snapshot(entry)
    },
    onDropped: (cell) => {
      if (kept.get(cell.organizationId)?.cell === cell) kept.delete(cell.organizationId)
    },
  }

  // The state may be ahead of the disk. It is encoded now, and stored when all of it is durable.
  const snapshot = async (entry: Kept): Promise<void> => {
    const { cell } = entry
    const { sequence, hash } = cell.tip
    if (cell.closed !== undefined || sequence === entry.snapshotSequence) return
    entry.snapshotSequence = sequence
    const { stored } = entry
    entry.stored = undefined // until the outcome is known: a snapshot that begins meanwhile is written whole
    try {
      const { parts, written } = encodeStates(cell.state, stored?.written)
      if (!(await cell.settled(sequence)) || cell.isDropped) return // it may have been dropped for an erasure
      const snapshot = { organization: cell.organizationId, sequence, hash, version: SNAPSHOT_VERSION, parts }
      const saved = await storage.readModels.saveSnapshot(snapshot, stored)()
      if (E.isRight(saved)) entry.stored = { sequence, hash, written }
    } catch (thrown) {
      ports.tell('a snapshot', thrown) // a state of a host may not be JSON: then the log is folded from its beginning
    }
  }

  const load = async (organizationId: string): Promise<E.Either<Failure, Cell>> => {
    const found = kept.get(organizationId)
    if (found !== undefined) return opened(found.cell)
    const underWay = loading.get(organizationId)
    if (underWay !== undefined) return underWay
    const begun = readOrganization(organizationId)
    loading.set(organizationId, begun)
    try {
      return await begun
    } finally {
      loading.delete(organizationId)
    }
  }

  const keep = (cell: Cell, snapshotSequence: bigint, stored?: Kept['stored']): Cell => {
    kept.set(cell.organizationId, { cell, snapshotSequence, stored })
    return cell
  }

  const readOrganization = async (organizationId: string, mayResume = true): Promise<E.Either<Failure, Cell>> => {
    const baseline = mayResume ? await baselineOf(organizationId) : await beginningOf(organizationId)
    if (E.isLeft(baseline)) return baseline
    const { draft, origin, pending, stored } = baseline.right
    const cell = cellOf(cellPorts, draft, origin)
    const readParts = partReader((after, limit, bounds) => storage.store.readLog(organizationId, after, limit, bounds))
    let absorbed = await absorbAll(cell, pending, readParts)
    let isLast = baseline.right.isLast
    const isOutdated = (): boolean => stored !== undefined && E.isRight(absorbed) && absorbed.right === 'erased'
    while (!isLast && E.isRight(absorbed) && !isOutdated()) {
      const page = await storage.store.readLog(organizationId, cell.tip.sequence, PAGE, LINES)()
      if (E.isLeft(page)) return page
      absorbed = await absorbAll(cell, page.right, readParts)
      isLast = page.right.length < PAGE
    }
    if (isOutdated()) {
      // The snapshot is older than an erasure, so it may have what was erased.
      const dropped = await storage.readModels.dropSnapshot(organizationId)()
      return E.isLeft(dropped) ? dropped : readOrganization(organizationId, false)
    }
    if (E.isLeft(absorbed)) {
      if (absorbed.left.code === 'ORGANIZATION_CLOSED') noteClosed(organizationId, absorbed.left)
      return absorbed
    }
    if (cell.tip.sequence === 0n) return E.left(notFound(organizationId))
    return opened(keep(cell, origin.tip.sequence, stored))
  }

  // Each request loads it again, because another process may have been updated meanwhile.
  const noteClosed = (organization: string, { code, message }: Failure): void =>
    ports.closings.note(organization, () => ({ level: 'error', message, context: { code, organization } }))

  // A snapshot is used only if the log has the same line at its sequence as when it was made.
  const baselineOf = async (organizationId: string): Promise<E.Either<Failure, Baseline>> => {
    const saved = await storage.readModels.snapshot(organizationId)()
    const candidate = E.isRight(saved) && saved.right?.version === SNAPSHOT_VERSION ? saved.right : undefined
    const draft = candidate === undefined ? undefined : decodeStates(organizationId, candidate.parts, ports.catalogue)
    if (candidate !== undefined && draft !== undefined) {
      const page = await storage.store.readLog(organizationId, candidate.sequence - 1n, PAGE, LINES)()
      if (E.isLeft(page)) return page
      const [first, ...pending] = page.right
      const origin = first === undefined ? undefined : originAt(first, candidate)
      const { sequence, hash } = candidate
      const stored = { sequence, hash, written: writtenOf(draft) }
      if (origin !== undefined) return E.right({ stored, draft, origin, pending, isLast: page.right.length < PAGE })
    }
    return beginningOf(organizationId)
  }

  const beginningOf = async (organizationId: string): Promise<E.Either<Failure, Baseline>> => {
    const page = await storage.store.readLog(organizationId, 0n, PAGE, LINES)()
    if (E.isLeft(page)) return page
    return E.right({
      stored: undefined,
      draft: initial(organizationId, ports.catalogue.states),
      origin: beginning,
      pending: page.right,
      isLast: page.right.length < PAGE,
    })
  }

  const originAt = ({ line, position }: Recorded, { sequence, hash }: Snapshot): Origin | undefined => {
    const event = decodeEvent(line)
    return E.isRight(event) && event.right.sequence === sequence && hashOf(digest, line) === hash
      ? { tip: { sequence, hash }, position, atMs: millis(event.right.at) }
      : undefined
  }

  /** Gives whether an erasure was among the events. */
  const absorbAll = async (
    cell: Cell,
    page: readonly Recorded[],
    readParts: PartReader,
  ): Promise<E.Either<Failure, 'erased' | undefined>> => {
    let erased: 'erased' | undefined
    for (const { line, position, sequence } of page) {
      const event = decodeEvent(line)
      if (E.isLeft(event)) return E.left(closed(event.left))
      const parts = namesParts(event.right) ? await readParts(event.right, sequence) : WITHOUT_PARTS
      if (E.isLeft(parts)) return parts
      const absorbed = absorb(cell, event.right, { position, hash: hashOf(digest, line), parts: parts.right })
      if (E.isLeft(absorbed)) return E.left(closed(absorbed.left))
      if (isErasure(event.right)) erased = 'erased'
    }
    return E.right(erased)
  }

  // An operation of today may throw on a change that an earlier version wrote.
  const absorb = (cell: Cell, event: Event, stored: Stored): E.Either<Failure, void> => {
    try {
      return cell.absorb(event, stored)
    } catch (thrown) {
      ports.tell('a fold of the log', thrown)
      return E.left(failure('ORGANIZATION_CLOSED', `an operation threw on the event at sequence ${event.sequence}`))
    }
  }

  const fresh = async (organizationId: string): Promise<E.Either<Failure, Cell>> => {
    const loaded = await load(organizationId)
    if (E.isLeft(loaded)) return loaded
    const latest = await isLatest(loaded.right)
    if (E.isLeft(latest)) return latest
    return latest.right ? loaded : load(organizationId)
  }

  const isLatest = async (cell: Cell): Promise<E.Either<Failure, boolean>> => {
    if (storage.store.capabilities.soleWriter) return E.right(true)
    const head = await headOf.read(cell.organizationId)
    if (E.isLeft(head)) return head
    const { sequence } = head.right ?? { sequence: 0n }
    // What is pending may stand at the same sequence as an event of another process. Whose event it is, the lane finds out.
    if (sequence <= cell.tip.sequence && (await cell.settled(sequence))) return E.right(true)
    cell.drop() // another process has appended, so the organization has to be folded again
    return E.right(false)
  }

  return {
    load,
    fresh,
    confirm: async (cell) => ((await cell.settled(cell.tip.sequence)) ? isLatest(cell) : E.right(false)),
    begin: (organizationId) => keep(cellOf(cellPorts, initial(organizationId, ports.catalogue.states), beginning), 0n),
    genesisHash: async (organizationId) => {
      const lines = await storage.store.readLog(organizationId, 1n, 1)()
      if (E.isLeft(lines)) return lines
      const line = lines.right[0]?.line
      return line === undefined ? E.left(notFound(organizationId)) : E.right(hashOf(digest, line))
    },
    forget: async (organizationId) => {
      for (let tries = 1; ; tries += 1) {
        await loading.get(organizationId) // what is being read may have been read before the erasure
        const cell = kept.get(organizationId)?.cell
        if (cell === undefined) return
        await cell.settled(cell.tip.sequence)
        if (cell.unsettled.size === 0 || tries === FORGET_TRIES_MAX) return cell.drop()
      }
    },
    snapshotAll: async () => {
      for (const entry of [...kept.values()]) {
        if (entry.cell.tip.sequence - entry.snapshotSequence >= SNAPSHOT_ON_CLOSE_AFTER) await snapshot(entry)
      }
    },
  }
}

const SNAPSHOT_ON_CLOSE_AFTER = 100n
/** How often a busy organization is waited for, before it is dropped with commits under way; their commands decide anew then. */
const FORGET_TRIES_MAX = 20

const isErasure = ({ type, data }: Event): boolean =>
  type === 'ActivityCompleted' && 'type' in data && data.type === ERASE_USER_TYPE

const WITHOUT_PARTS: E.Either<never, Parts> = E.right(noParts)

const opened = (cell: Cell): E.Either<Failure, Cell> =>
  cell.closed === undefined ? E.right(cell) : E.left(cell.closed)

const closed = (cause: Failure): Failure =>
  failure('ORGANIZATION_CLOSED', `the organization takes no commands and answers no queries: ${cause.message}`)

const notFound = (organizationId: string): Failure =>
  failure('ORGANIZATION_NOT_FOUND', `no organization found with the given ID ${organizationId}`)
