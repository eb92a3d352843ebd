import { boundedMap } from '../collections/bounded-map.ts'
import type { Failure } from '../failure.ts'
import { beforeFirst, hashOf, type Tip } from '../log/chain.ts'
import { snapshotVersionOf } from '../organization/snapshot.ts'
import { organizationNotFound } from '../organization/ended.ts'
import { initial, type Draft } from '../organization/state.ts'
import type { Storage } from '../ports/storage.ts'
import { E } from '../prelude.ts'
import type { TellThrown } from '../telemetry/tell-thrown.ts'
import type { Troubles } from '../telemetry/troubles.ts'
import { baselinesOf, type Baselines } from './baselines.ts'
import { beginning, cellOf, type Cell, type CellPorts, type Origin } from './cell.ts'
import { folding, type StoredSnapshot } from './folding.ts'
import { freshness } from './freshness.ts'
import { loads } from './loads.ts'
import { conflicts, type Conflicts } from './conflicts.ts'
import { snapshots, type Kept } from './snapshots.ts'

/** The organizations in memory. They are loaded from a snapshot and the events behind it, and kept while there is room. */
export type Organizations = Conflicts & {
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

type OrganizationsPorts = Omit<CellPorts, 'onDropped'> & {
  readonly storage: Storage
  readonly tell: TellThrown
  /** Organizations that are closed because of what their logs hold, for the operator. */
  readonly closings: Pick<Troubles, 'note'>
  /**
   * Called when the store does not have any more what was durable in the organization. It was dropped from memory.
   *
   * @param isFirst  whether everything else that was folded from the store has to be folded again; false if that was said already
   */
  readonly onWentBack: (organizationId: string, isFirst: boolean) => void
  /** Called when a cell goes on with the state of another one. These activities have new events of other processes. */
  readonly onCaughtUp: (from: Cell, to: Cell, activities: ReadonlySet<string>) => void
}

export const organizations = (
  ports: OrganizationsPorts,
  { organizationsMax = 5_000, snapshotEvery = 1_000 }: OrganizationsOptions = {},
): Organizations => {
  const { storage, digest } = ports
  const kept = boundedMap<string, Kept>(organizationsMax, {
    canForget: ({ cell }) => cell.pending.size === 0,
    onForgotten: ({ cell }) => cell.drop(),
  })
  /** Where the logs ended of organizations that were dropped with something pending. */
  const lastSeen = boundedMap<string, LastSeen>(organizationsMax)
  const version = snapshotVersionOf(digest, ports.catalogue)
  const snapshot = snapshots({ ...ports, version })
  const { fold, behind, absorb } = folding({ ...ports, version })
  const baselines = baselinesOf(version)
  const losses = countLosses(ports.onWentBack)

  const cellPorts: CellPorts = {
    ...ports,
    onDurable: (cell, events, last, live) => {
      ports.onDurable(cell, events, last, live)
      const entry = kept.get(cell.organizationId)
      if (entry?.cell === cell && cell.tip.sequence - entry.snapshotSequence >= BigInt(snapshotEvery))
        void snapshot(entry)
    },
    onDropped: ({ organizationId, durable, pending }) => {
      const entry = kept.get(organizationId)
      if (entry?.cell.isDropped !== true) return
      kept.delete(organizationId)
      if (pending.size > 0) lastSeen.set(organizationId, { tip: durable, era: entry.era })
    },
  }

  const keep = (cell: Cell, drops: bigint | undefined, stored?: StoredSnapshot): Cell => {
    kept.set(cell.organizationId, { cell, era: losses.era(), drops, snapshotSequence: stored?.sequence ?? 0n, stored })
    return cell
  }

  const read = async (organizationId: string): Promise<E.Either<Failure, Cell>> => {
    const last = lastSeen.get(organizationId)
    const make = (draft: Draft, origin: Origin): Cell => cellOf(cellPorts, draft, origin)
    const baseline = baselines.take(organizationId)
    const folded = await fold(organizationId, make, { tip: last?.tip ?? beforeFirst, baseline })
    if (E.isLeft(folded)) {
      if (folded.left.code === 'ORGANIZATION_CLOSED') noteClosed(ports.closings, organizationId, folded.left)
      return folded
    }
    const { cell, stored, base, drops, hasKnown } = folded.right
    lastSeen.delete(organizationId)
    if (last !== undefined || baseline !== undefined) keepBaseline(baselines, cell, base, drops)
    if (last !== undefined && !hasKnown) losses.note(organizationId, last.era)
    if (cell.tip.sequence === 0n) return E.left(organizationNotFound(organizationId))
    return opened(keep(cell, drops, stored))
  }

  const known = (organizationId: string): E.Either<Failure, Cell> | undefined => {
    const found = kept.get(organizationId)
    return found && opened(found.cell)
  }
  const { load, underWay } = loads(known, read)

  const { fresh, isLatest } = freshness({
    store: storage.store,
    digest,
    folding: { behind, absorb },
    load,
    onCaughtUp: (from, to, activities) => {
      const entry = kept.get(to.organizationId)
      if (entry?.cell === from) entry.cell = to
      ports.onCaughtUp(from, to, activities)
    },
    onWentBack: (cell) => {
      if (cell.isDropped) return // another caller has found it out
      const era = kept.get(cell.organizationId)?.era ?? losses.era()
      cell.drop()
      lastSeen.delete(cell.organizationId)
      losses.note(cell.organizationId, era)
    },
  })

  return {
    load,
    fresh,
    confirm: async (cell) => ((await cell.durableTo(cell.tip.sequence)) ? isLatest(cell) : E.right(false)),
    ...conflicts({
      ...ports,
      capabilities: storage.store.capabilities,
      batons: storage.batons,
      catchUp: async (organizationId) => {
        const before = kept.get(organizationId)?.cell
        const cell = await fresh(organizationId)
        return E.isRight(cell) && cell.right !== before
      },
      cellOf: (organizationId) => kept.get(organizationId)?.cell,
    }),
    begin: (organizationId) => keep(cellOf(cellPorts, initial(organizationId, ports.catalogue.states), beginning), 0n),
    genesisHash: async (organizationId) => {
      const lines = await storage.store.readLog(organizationId, 1n, 1)()
      if (E.isLeft(lines)) return lines
      const line = lines.right[0]?.line
      return line === undefined ? E.left(organizationNotFound(organizationId)) : E.right(hashOf(digest, line))
    },
    forget: async (organizationId) => {
      for (let tries = 1; ; tries += 1) {
        await underWay(organizationId) // what is being read may have been read before the erasure
        baselines.forget(organizationId)
        const cell = kept.get(organizationId)?.cell
        if (cell === undefined) return
        await cell.durableTo(cell.tip.sequence)
        if (cell.pending.size === 0 || tries === FORGET_TRIES_MAX) return cell.drop()
      }
    },
    snapshotAll: async () => {
      for (const entry of [...kept.values()]) {
        if (entry.cell.tip.sequence - entry.snapshotSequence >= SNAPSHOT_ON_CLOSE_AFTER) await snapshot(entry)
      }
    },
  }
}

type LastSeen = { readonly tip: Tip; readonly era: number }

const SNAPSHOT_ON_CLOSE_AFTER = 100n
/** How often a busy organization is waited for, before it is dropped with commits under way; their commands decide anew then. */
const FORGET_TRIES_MAX = 20

const keepBaseline = (baselines: Baselines, ...kept: Parameters<Baselines['keep']>): void => {
  try {
    baselines.keep(...kept)
  } catch {
    // a state of a host may not be JSON: the next snapshot tells so
  }
}

// Each request loads it again, because another process may have been updated meanwhile.
const noteClosed = ({ note }: Pick<Troubles, 'note'>, organization: string, { code, message }: Failure): void =>
  note(organization, () => ({ level: 'error', message, context: { code, organization } }))

/** Counts how often the store was found to have lost events. What was read in the same era is folded again only once. */
const countLosses = (onWentBack: OrganizationsPorts['onWentBack']) => {
  let losses = 0
  return {
    era: (): number => losses,
    /** @param era  when what is gone had been read */
    note: (organizationId: string, era: number): void => {
      const isFirst = era === losses
      if (isFirst) losses += 1
      onWentBack(organizationId, isFirst)
    },
  }
}

const opened = (cell: Cell): E.Either<Failure, Cell> =>
  cell.closed === undefined ? E.right(cell) : E.left(cell.closed)
