import type { Failure } from '../failure.ts'
import type { RowChange } from '../ports/read-models.ts'
import { E } from '../prelude.ts'
import type { ProgressKeeper, ReadLast, Progress } from './progress.ts'

/** The checkpoint of a follower, in memory and in the store. The stored one may stay behind while events change no row. */
export type Place = {
  readonly checkpoint: () => bigint
  /** Whether the stored checkpoint is the one in memory. */
  readonly isStored: () => boolean
  readonly begin: (readLast: ReadLast) => Promise<E.Either<Failure, void>>
  /** Moves the checkpoint in memory only: the events up to there are taken, and have changed no row. */
  readonly reach: (position: bigint) => void
  /** Stores changes and checkpoint. False if another process has moved the checkpoint: then its checkpoint is adopted. */
  readonly move: (position: bigint, changes: readonly RowChange[]) => Promise<E.Either<Failure, boolean>>
  /** Stores the checkpoint. False as in `move`. */
  readonly store: () => Promise<E.Either<Failure, boolean>>
  /** Reads the stored checkpoint. True if another process has moved it: then it is adopted. */
  readonly reread: () => Promise<E.Either<Failure, boolean>>
  /** Goes to where it has to go on after the store has lost events. */
  readonly startOver: (readLast: ReadLast) => Promise<E.Either<Failure, void>>
}

/**
 * @param onParked  gets the parked organizations whenever they are read. It is called in the same step in which the checkpoint is
 *   adopted: otherwise an event behind a parked one could be taken.
 */
export const place = (progress: ProgressKeeper, onParked: (parked: ReadonlyMap<string, bigint>) => void): Place => {
  let checkpoint = 0n
  let stored = 0n

  const reread = async (): Promise<E.Either<Failure, boolean>> => {
    const found = await progress.read()
    if (E.isLeft(found)) return found
    onParked(found.right.parked)
    const isElsewhere = found.right.checkpoint !== stored
    if (isElsewhere) checkpoint = stored = found.right.checkpoint
    return E.right(isElsewhere)
  }

  const move = async (position: bigint, changes: readonly RowChange[]): Promise<E.Either<Failure, boolean>> => {
    const moved = await progress.move(stored, position, changes)
    if (E.isRight(moved)) {
      checkpoint = stored = position
      return E.right(true)
    }
    if (moved.left.code !== 'CONFLICT') return moved
    const isElsewhere = await reread()
    if (E.isLeft(isElsewhere)) return isElsewhere
    return isElsewhere.right ? E.right(false) : moved
  }

  const goTo = (found: E.Either<Failure, Progress>): E.Either<Failure, void> =>
    E.map(({ checkpoint: at, parked }: Progress) => {
      checkpoint = stored = at
      onParked(parked)
    })(found)

  return {
    checkpoint: () => checkpoint,
    isStored: () => stored === checkpoint,
    begin: async (readLast) => goTo(await progress.begin(readLast)),
    startOver: async (readLast) => goTo(await progress.startOver(stored, readLast)),
    reach: (position) => {
      checkpoint = position
    },
    move,
    store: () => (stored === checkpoint ? Promise.resolve(E.right(true)) : move(checkpoint, [])),
    reread,
  }
}
