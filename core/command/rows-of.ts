import { rowReader } from '../definition/projection.ts'
import type { QueryContext, RowsOptions } from '../definition/query.ts'
import { valueOf } from '../definition/refuse.ts'
import { E } from '../prelude.ts'
import type { Cell } from '../writing/cell.ts'
import { caughtUp, wholeStore, type CaughtUpPorts, type Wanted } from './caught-up.ts'

/** How a query in an organization reads rows: when their projection has taken all that was durable when the query arrived. */
export const rowsOf = (ports: CaughtUpPorts, cell: Cell): Pick<QueryContext, 'rows' | 'row'> => {
  const { organizationId } = cell
  const { readModels } = ports.storage
  const own = ownLog(cell)
  const all = wholeStore(ports.storage, organizationId)
  const wanted = ({ of = 'organization' }: RowsOptions = {}): Wanted => (of === 'store' ? all : own)
  return {
    rows: async (projection, selection, options) => {
      const name = valueOf(await caughtUp(ports, projection, wanted(options)))
      const rows = valueOf(await readModels.rows(name, organizationId, selection)())
      const read = rowReader(projection)
      return rows.map(({ value }) => read(value))
    },
    row: async (projection, key, options) => {
      const name = valueOf(await caughtUp(ports, projection, wanted(options)))
      const value = valueOf(await readModels.row(name, organizationId, key)())
      return value === undefined ? undefined : rowReader(projection)(value)
    },
  }
}

/** All that the log of the organization holds, as its state has it. */
const ownLog = (cell: Cell): Wanted => ({
  position: async () => {
    await cell.durableTo(cell.tip.sequence)
    return E.right(cell.durable.position)
  },
  isHeld: async (runner) => E.right(runner.holds(cell.organizationId)),
})
