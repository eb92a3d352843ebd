import { failure, type Failure } from '../failure.ts'
import { E } from '../prelude.ts'
import type { Cell, RefusedCommit } from '../writing/cell.ts'
import type { Organizations } from '../writing/organizations.ts'

/**
 * Waits until the outcome of a turn may be told: all that it rests on is durable.
 *
 * @param others  the other organizations on which it rests
 * @param committed  the sequence of the last event that the turn has committed
 * @returns `false` where the turn has to be taken again; a failure where that would not help
 */
export const mayTell = async (
  organizations: Pick<Organizations, 'confirm'>,
  cell: Cell,
  others: readonly (Cell | undefined)[],
  committed: bigint | undefined,
): Promise<E.Either<Failure, boolean>> => {
  if (committed === undefined) return confirmAll(organizations, [cell, ...others])
  if (await cell.durableTo(committed)) return E.right(true)
  return cell.refused === undefined ? E.right(false) : verdictOn(cell.refused, committed)
}

/** Whether the states of all these cells are durable, and the newest. */
export const confirmAll = async (
  { confirm }: Pick<Organizations, 'confirm'>,
  cells: readonly (Cell | undefined)[],
): Promise<E.Either<Failure, boolean>> => {
  for (const cell of cells) {
    const confirmed = cell === undefined ? E.right(true) : await confirm(cell)
    if (E.isLeft(confirmed) || !confirmed.right) return confirmed
  }
  return E.right(true)
}

// If nobody knows the outcome of a commit, each request that waits for it gets that failure, and may send its body again to find out. That
// a commit is too large is told only to the request that made it.
const verdictOn = ({ outcome, sequence }: RefusedCommit, own: bigint): E.Either<Failure, boolean> => {
  if (E.isLeft(outcome)) return outcome.left.code === 'CONFLICT' ? E.right(false) : outcome
  return outcome.right._tag === 'too-large' && sequence === own
    ? E.left(
        failure('REQUEST_TOO_LARGE', `expected at most ${outcome.right.bytesMax} bytes for the events of one request`),
      )
    : E.right(false)
}
