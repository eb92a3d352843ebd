import { encodeStates } from '../organization/snapshot.ts'
import type { Storage } from '../ports/storage.ts'
import { E } from '../prelude.ts'
import type { TellThrown } from '../telemetry/tell-thrown.ts'
import type { Cell } from './cell.ts'
import type { StoredSnapshot } from './folding.ts'

/** An organization in memory, and what is known of its snapshots. */
export type Kept = {
  /** Another cell takes its place when it has caught up with other processes. */
  cell: Cell
  /** How often the store had lost events when the cell was read. */
  readonly era: number
  /** As in `Folded`: of an organization that was begun here, nothing was dropped. */
  readonly drops: bigint | undefined
  /** The sequence of the last snapshot that was written. */
  snapshotSequence: bigint
  /** The snapshot that is known to be in the store, and its parts. The next one writes only the parts that changed. */
  stored: StoredSnapshot | undefined
}

type Ports = { readonly storage: Pick<Storage, 'readModels'>; readonly tell: TellThrown; readonly version: string }

/** Writes snapshots of organizations. The state may be ahead of the disk. It is encoded now, and stored when all of it is durable. */
export const snapshots =
  ({ storage, tell, version }: Ports) =>
  async (entry: Kept): Promise<void> => {
    const { cell, stored, drops } = entry
    const { sequence, hash } = cell.tip
    if (cell.closed !== undefined || drops === undefined || sequence === entry.snapshotSequence) return
    entry.snapshotSequence = sequence
    entry.stored = undefined // until the outcome is known: a snapshot that begins meanwhile is written whole
    try {
      const { parts, written } = encodeStates(cell.state, stored?.written)
      if (!(await cell.durableTo(sequence)) || entry.cell.isDropped) return
      const snapshot = { organization: cell.organizationId, sequence, hash, version, parts }
      const saved = await storage.readModels.saveSnapshot(snapshot, stored, drops)()
      if (E.isRight(saved)) entry.stored = { sequence, hash, written }
    } catch (thrown) {
      tell('a snapshot', thrown) // a state of a host may not be JSON: then the log is folded from its beginning
    }
  }
