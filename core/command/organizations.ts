import { failure, type Failure } from '../failure.ts'
import { hashOf } from '../log/chain.ts'
import { decodeEvent, millis, type Event } from '../log/event.ts'
import { initial, type Draft } from '../organization/organization.ts'
import { decodeSnapshot, encodeSnapshot, SNAPSHOT_VERSION } from '../organization/snapshot.ts'
import { LINES, type Recorded } from '../ports/event-store.ts'
import type { Snapshot } from '../ports/read-models.ts'
import type { Storage } from '../ports/storage.ts'
import { E } from '../prelude.ts'
import { boundedMap } from './bounded-map.ts'
import { beginning, cellOf, type Cell, type CellPorts, type LiveActivity, type Origin } from './cell.ts'
import type { TellThrown } from './guarded.ts'

/** The organizations in memory: found, loaded from a snapshot and what followed it, kept while there is room. */
export type Organizations = {
  /** The organization's cell. `ORGANIZATION_NOT_FOUND`, `ORGANIZATION_CLOSED`, or what the store says. */
  readonly load: (organizationId: string) => Promise<E.Either<Failure, Cell>>
  /** As `load`, and with all that any process had made durable when it was called. */
  readonly fresh: (organizationId: string) => Promise<E.Either<Failure, Cell>>
  /**
   * Whether what was answered from the cell, without committing anything, may be told: all of it is durable, and no other
   * process has moved the organization on since. A cell that others have overtaken is dropped.
   */
  readonly confirm: (cell: Cell) => Promise<E.Either<Failure, boolean>>
  /** A cell for an organization that does not exist yet. */
  readonly begin: (organizationId: string) => Cell
  /** The hash of the line that completed the organization's first activity: what an auditor can pin. */
  readonly genesisHash: (organizationId: string) => Promise<E.Either<Failure, string>>
  /** Writes snapshots of what is in memory and has moved since its last. */
  readonly snapshotAll: () => Promise<void>
}

export type OrganizationsOptions = { readonly organizationsMax?: number; readonly snapshotEvery?: number }

type Baseline = {
  readonly draft: Draft
  readonly origin: Origin
  /** The first page of what follows. */
  readonly pending: readonly Recorded[]
  readonly isLast: boolean
}

type Kept = { readonly cell: Cell; snapshotSequence: bigint }

const PAGE = 2_000

export const organizations = (
  ports: Omit<CellPorts, 'onDropped'> & { readonly storage: Storage; readonly tell: TellThrown },
  { organizationsMax = 5_000, snapshotEvery = 1_000 }: OrganizationsOptions = {},
): Organizations => {
  const { storage, digest } = ports
  const version = reducersVersion(ports)
  const kept = boundedMap<string, Kept>(
    organizationsMax,
    ({ cell }) => cell.unsettled.size === 0,
    ({ cell }) => cell.drop(),
  )
  const loading = new Map<string, Promise<E.Either<Failure, Cell>>>()

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

  // The state may be ahead of what is durable: it is written down now, and stored when the disk has caught up with it.
  const snapshot = async (entry: Kept): Promise<void> => {
    const { cell } = entry
    const { sequence, hash } = cell.tip
    if (cell.closed !== undefined || sequence === entry.snapshotSequence) return
    entry.snapshotSequence = sequence
    try {
      const state = encodeSnapshot(cell.state)
      if (!(await cell.settled(sequence))) return
      await storage.readModels.saveSnapshot({ organization: cell.organizationId, sequence, hash, version, state })()
    } catch (thrown) {
      ports.tell('a snapshot', thrown) // a host's state that is no JSON: the log is folded from its beginning instead
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

  const keep = (cell: Cell, snapshotSequence: bigint): Cell => {
    kept.set(cell.organizationId, { cell, snapshotSequence })
    return cell
  }

  const readOrganization = async (organizationId: string): Promise<E.Either<Failure, Cell>> => {
    const baseline = await baselineOf(organizationId)
    if (E.isLeft(baseline)) return baseline
    const { draft, origin, pending } = baseline.right
    const cell = cellOf(cellPorts, draft, origin)
    let absorbed = absorbAll(cell, pending)
    let isLast = baseline.right.isLast
    while (!isLast && E.isRight(absorbed)) {
      const page = await storage.store.readLog(organizationId, cell.tip.sequence, PAGE, LINES)()
      if (E.isLeft(page)) return page
      absorbed = absorbAll(cell, page.right)
      isLast = page.right.length < PAGE
    }
    if (E.isLeft(absorbed)) return absorbed
    if (cell.tip.sequence === 0n) return E.left(notFound(organizationId))
    return opened(keep(cell, origin.tip.sequence))
  }

  // A snapshot is only a baseline: it counts if the log still has, at its sequence, the line that it was made after.
  const baselineOf = async (organizationId: string): Promise<E.Either<Failure, Baseline>> => {
    const saved = await storage.readModels.snapshot(organizationId)()
    const candidate = E.isRight(saved) && saved.right?.version === version ? saved.right : undefined
    const draft = candidate === undefined ? undefined : decodeSnapshot(candidate.state)
    if (candidate !== undefined && draft !== undefined) {
      const page = await storage.store.readLog(organizationId, candidate.sequence - 1n, PAGE, LINES)()
      if (E.isLeft(page)) return page
      const [first, ...pending] = page.right
      const origin = first === undefined ? undefined : originAt(first, candidate)
      if (origin !== undefined) return E.right({ draft, origin, pending, isLast: page.right.length < PAGE })
    }
    const page = await storage.store.readLog(organizationId, 0n, PAGE, LINES)()
    if (E.isLeft(page)) return page
    return E.right({
      draft: initial(organizationId),
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

  const absorbAll = (cell: Cell, page: readonly Recorded[]): E.Either<Failure, void> => {
    for (const { line, position } of page) {
      const event = decodeEvent(line)
      if (E.isLeft(event)) return E.left(closed(event.left))
      const absorbed = absorb(cell, event.right, position, hashOf(digest, line))
      if (E.isLeft(absorbed)) return E.left(closed(absorbed.left))
    }
    return E.right(undefined)
  }

  // An operation of today may throw on a change that an earlier version wrote.
  const absorb = (cell: Cell, event: Event, position: bigint, hash: string): E.Either<Failure, void> => {
    try {
      return cell.absorb(event, position, hash)
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
    const head = await storage.store.head(cell.organizationId)()
    if (E.isLeft(head)) return head
    if (head.right === undefined || head.right.sequence <= cell.tip.sequence) return E.right(true)
    cell.drop() // another process moved on: fold again what it wrote
    return E.right(false)
  }

  return {
    load,
    fresh,
    confirm: async (cell) => ((await cell.settled(cell.tip.sequence)) ? isLatest(cell) : E.right(false)),
    begin: (organizationId) => keep(cellOf(cellPorts, initial(organizationId), beginning), 0n),
    genesisHash: async (organizationId) => {
      const lines = await storage.store.readLog(organizationId, 1n, 1)()
      if (E.isLeft(lines)) return lines
      const line = lines.right[0]?.line
      return line === undefined ? E.left(notFound(organizationId)) : E.right(hashOf(digest, line))
    },
    snapshotAll: async () => {
      for (const entry of [...kept.values()]) {
        if (entry.cell.tip.sequence - entry.snapshotSequence >= SNAPSHOT_ON_CLOSE_AFTER) await snapshot(entry)
      }
    },
  }
}

const SNAPSHOT_ON_CLOSE_AFTER = 100n

const opened = (cell: Cell): E.Either<Failure, Cell> =>
  cell.closed === undefined ? E.right(cell) : E.left(cell.closed)

const closed = (cause: Failure): Failure =>
  failure('ORGANIZATION_CLOSED', `the organization takes no commands and answers no queries: ${cause.message}`)

const notFound = (organizationId: string): Failure =>
  failure('ORGANIZATION_NOT_FOUND', `no organization found with the given ID ${organizationId}`)

/** A snapshot fits only the reducers that made it: those of the core, and of every operation by type and version. */
const reducersVersion = ({ catalogue, digest }: Pick<CellPorts, 'catalogue' | 'digest'>): string => {
  const types = catalogue.operations.map(({ type, evolveVersion }) => `${type} ${evolveVersion}`).sort()
  return `${SNAPSHOT_VERSION}:${digest.sha256Hex(types.join('\n')).slice(0, 16)}`
}
