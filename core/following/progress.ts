import type { Failure } from '../failure.ts'
import type { RowChange } from '../ports/read-models.ts'
import type { Storage } from '../ports/storage.ts'
import { E } from '../prelude.ts'

/** Where a follower stands: its checkpoint, and by organization the first sequence that it holds back. */
export type Progress = { readonly checkpoint: bigint; readonly parked: ReadonlyMap<string, bigint> }

/**
 * Reads the last position of the store. It is read behind the checkpoint: otherwise another process could store a later one in between, and its
 * rows would seem to be of a log that was longer.
 */
export type ReadLast = () => Promise<E.Either<Failure, bigint>>

/** Keeps the progress of a follower. */
export type ProgressKeeper = {
  /** The progress at the start. */
  readonly begin: (readLast: ReadLast) => Promise<E.Either<Failure, Progress>>
  readonly read: () => Promise<E.Either<Failure, Progress>>
  /**
   * The progress after the store has lost events. Rows of lost events are thrown away with all others, and the checkpoint is at the
   * beginning. If the rows went back with the log, or another process has thrown them away, they are kept.
   *
   * @param stored  the checkpoint that was stored last
   */
  readonly startOver: (stored: bigint, readLast: ReadLast) => Promise<E.Either<Failure, Progress>>
  /** Moves the checkpoint and makes the changes, or does neither. `CONFLICT` if the stored checkpoint is not `from`. */
  readonly move: (from: bigint, to: bigint, changes: readonly RowChange[]) => Promise<E.Either<Failure, void>>
}

/** Where a follower goes on, and what changes in its rows. */
export type Restart = { readonly checkpoint: bigint; readonly changes: readonly RowChange[] }

/** For a follower whose rows cannot be made again of the log: they stay where the store has lost events. */
export type Kept = {
  /** Where it begins for the first time. */
  readonly begin: () => Promise<E.Either<Failure, Restart>>
  /** Where it goes on after the store has lost events. It may be asked twice, also when nothing was lost since. */
  readonly resume: () => Promise<E.Either<Failure, Restart>>
}

/** Parked organizations are rows of the follower under this name in place of an organization: no organization id has this form. */
const PARKED = '!parked'

/** Puts the row that says that an organization is parked. It is stored together with the checkpoint. */
export const parkedRow = (organization: string, sequence: bigint): RowChange => ({
  _tag: 'put',
  organization: PARKED,
  key: organization,
  order: sequence,
  facets: {},
  value: null,
})

/** Deletes that row. */
export const releasedRow = (organization: string): RowChange => ({
  _tag: 'delete',
  organization: PARKED,
  key: organization,
})

/** How progress is read from the read models, and moved in the transaction of the rows. */
const storedProgress = (
  { readModels }: Pick<Storage, 'readModels'>,
  name: string,
): Pick<ProgressKeeper, 'read' | 'move'> => ({
  // Reads the checkpoint first. If another process moves it before the list is read, a move from the old checkpoint is refused.
  read: async () => {
    const checkpoint = await readModels.checkpoint(name)()
    if (E.isLeft(checkpoint)) return checkpoint
    const rows = await readModels.rows(name, PARKED, { limit: Number.MAX_SAFE_INTEGER, ascending: true })()
    if (E.isLeft(rows)) return rows
    return E.right({
      checkpoint: checkpoint.right,
      parked: new Map(rows.right.map(({ key, order }) => [key, order])),
    })
  },
  move: (from, to, changes) => readModels.move(name, from, to, changes)(),
})

/** The progress, and whether it is of a log that was longer, for example before the restore of a backup. */
const readBoth = async (
  { read }: Pick<ProgressKeeper, 'read'>,
  readLast: ReadLast,
): Promise<E.Either<Failure, Progress & { readonly isBeyond: boolean }>> => {
  const found = await read()
  if (E.isLeft(found)) return found
  return E.map((last: bigint) => ({ ...found.right, isBeyond: found.right.checkpoint > last }))(await readLast())
}

/** Keeps the progress in the read models. @param after  the position where it begins the first time */
export const durableProgress = (storage: Pick<Storage, 'readModels'>, name: string, after: bigint): ProgressKeeper => {
  const { readModels } = storage
  const stored = storedProgress(storage, name)
  const { read, move } = stored
  const beginAnew = async (): Promise<E.Either<Failure, Progress>> => {
    // Stored at once: after a crash before the first batch it must begin at the same position.
    const moved = after === 0n ? E.right(undefined) : await move(0n, after, [])
    return E.isLeft(moved) && moved.left.code !== 'CONFLICT' ? moved : read()
  }
  const buildAgain = async (): Promise<E.Either<Failure, Progress>> => {
    const dropped = await readModels.drop(name)()
    return E.isLeft(dropped) ? dropped : beginAnew()
  }
  return {
    begin: async (readLast) => {
      const found = await readBoth(stored, readLast)
      if (E.isLeft(found)) return found
      const { checkpoint, isBeyond } = found.right
      if (isBeyond) return buildAgain()
      return checkpoint > 0n || after === 0n ? found : beginAnew()
    },
    startOver: async (storedLast, readLast) => {
      const found = await readBoth(stored, readLast)
      if (E.isLeft(found)) return found
      const { checkpoint, isBeyond } = found.right
      return checkpoint === storedLast || isBeyond ? buildAgain() : found
    },
    read,
    move,
  }
}

/** That it has begun is a row, because the position 0 could also be that of a follower that never began. */
const BEGUN = '!begun'

/** As `durableProgress`, for a follower whose rows are kept. */
export const keptProgress = (
  storage: Pick<Storage, 'readModels'>,
  name: string,
  { begin, resume }: Kept,
): ProgressKeeper => {
  const stored = storedProgress(storage, name)
  const { read, move } = stored
  const goTo = async (find: Kept['begin']): Promise<E.Either<Failure, Progress>> => {
    for (let tries = 1; ; tries += 1) {
      const before = await read()
      if (E.isLeft(before)) return before
      const found = await find()
      if (E.isLeft(found)) return found
      // Another process may have been faster. If it began at 0, no checkpoint says so, and what it is to be given would be passed over.
      const hasBegun = find === begin ? await isBegun() : E.right(false)
      if (E.isLeft(hasBegun)) return hasBegun
      if (hasBegun.right) return read()
      const { checkpoint, changes } = found.right
      const moved = await move(before.right.checkpoint, checkpoint, [...changes, begunRow])
      if (E.isRight(moved)) return read()
      if (moved.left.code !== 'CONFLICT' || tries >= RESTARTS_MAX) return moved
    }
  }
  const isBegun = async (): Promise<E.Either<Failure, boolean>> =>
    E.map((row: unknown) => row !== undefined)(await storage.readModels.row(name, BEGUN, BEGUN)())
  return {
    begin: async (readLast) => {
      const begun = await isBegun()
      if (E.isLeft(begun)) return begun
      if (!begun.right) return goTo(begin)
      const found = await readBoth(stored, readLast)
      return E.isRight(found) && found.right.isBeyond ? goTo(resume) : found
    },
    startOver: () => goTo(resume),
    read,
    move,
  }
}

const begunRow: RowChange = { _tag: 'put', organization: BEGUN, key: BEGUN, order: 0n, facets: {}, value: true }
/** How often it tries again where another process moves the checkpoint meanwhile. */
const RESTARTS_MAX = 5

/** Keeps the progress in memory. */
export const passingProgress = (after: bigint): ProgressKeeper => {
  let checkpoint = after
  const parked = new Map<string, bigint>()
  const read = async (): Promise<E.Either<Failure, Progress>> => E.right({ checkpoint, parked: new Map(parked) })
  return {
    begin: read,
    read,
    startOver: async (_, readLast) => {
      const last = await readLast()
      if (E.isLeft(last)) return last
      if (checkpoint > last.right) checkpoint = last.right
      return read()
    },
    move: async (_from, to, changes) => {
      checkpoint = to
      for (const change of changes) {
        if (change.organization !== PARKED) continue
        if (change._tag === 'put') parked.set(change.key, change.order)
        else parked.delete(change.key)
      }
      return E.right(undefined)
    },
  }
}
