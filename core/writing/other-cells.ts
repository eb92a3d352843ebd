import { noOthers, type Other, type Others } from '../deciding/others.ts'
import type { Failure } from '../failure.ts'
import { E } from '../prelude.ts'
import type { Cell } from './cell.ts'
import type { Organizations } from './organizations.ts'

/** The cells of organizations that a turn reads besides its own; `undefined` for one that does not exist. */
export type OtherCells = ReadonlyMap<string, Cell | undefined>

export const noCells: OtherCells = new Map()

/**
 * Loads the organizations that a turn reads. One of them may be dropped before the turn, so the turn has to look again.
 *
 * @param isRefused  whether the store refused a commit that was decided on them before: then the events of other processes are read, too
 */
export const loadOthers = async (
  { load, fresh }: Pick<Organizations, 'load' | 'fresh'>,
  ids: readonly string[],
  isRefused: boolean,
): Promise<E.Either<Failure, OtherCells>> => {
  const cells = new Map<string, Cell | undefined>()
  for (const id of ids) {
    const cell = await (isRefused ? fresh : load)(id)
    if (E.isRight(cell)) cells.set(id, cell.right)
    else if (cell.left.code === 'ORGANIZATION_NOT_FOUND') cells.set(id, undefined)
    else
      return E.left({
        code: cell.left.code,
        message: `organization ${id}, which is read for this, cannot be: ${cell.left.message}`,
      })
  }
  return E.right(cells)
}

/** The states in the cells now; `undefined` where one of them has to be loaded first. */
export const othersIn = (cells: OtherCells, ids: readonly string[]): Others | undefined => {
  if (ids.length === 0) return noOthers
  const others = new Map<string, Other>()
  for (const id of ids) {
    const cell = cells.get(id)
    if (cell === undefined && cells.has(id)) others.set(id, { state: undefined, sequence: 0n })
    else if (cell === undefined || cell.isDropped || cell.closed !== undefined) return undefined
    else others.set(id, { state: cell.state, sequence: cell.tip.sequence, lastId: cell.lastId })
  }
  return others
}
