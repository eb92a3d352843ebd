import type { RowSelection } from '../../ports/read-models.ts'
import { EACH, type SubOrganizationRow } from './sub-organization-rows.ts'

/** Reads rows of the projection `sub-organizations` in the partition of one organization. */
export type ReadRows = (selection: RowSelection) => Promise<readonly SubOrganizationRow[]>

/** How many rows are read at once. */
const PAGE = 100

/**
 * The organizations below that have rows with a facet, each once, page by page, in the order of their beginnings. One whose row is old may be
 * among them, and one that has ended.
 *
 * @param first  the facet
 */
export async function* foundBelow(
  readRows: ReadRows,
  { first, ascending, after }: { readonly first: string } & Pick<RowSelection, 'ascending' | 'after'>,
): AsyncGenerator<readonly string[], void> {
  let from = after
  for (;;) {
    const rows = await readRows({ limit: PAGE, ascending, after: from, first: [first] })
    yield [...new Set(rows.map(({ organizationId }) => organizationId))]
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return
    from = BigInt(last.position) // rows of one organization have one order, so the next page begins with another one
  }
}

/** Those that have not ended, in the same order. At most a page of them is asked for. */
export const notEnded = async (readRows: ReadRows, ids: readonly string[]): Promise<readonly string[]> => {
  if (ids.length === 0) return []
  const rows = await readRows({ limit: ids.length, first: [EACH], second: ids })
  const there = new Set(rows.map(({ organizationId }) => organizationId))
  return ids.filter((id) => there.has(id))
}

/** What a query that finds by a value has to say: of which type it is, and the value. */
export const typeWithValue = ({
  filterType,
  filterValue,
}: {
  readonly filterType?: string | undefined
  readonly filterValue?: string | undefined
}): { readonly member: string; readonly expected: string } | undefined => {
  if (filterType !== undefined && !filterValue) return { member: 'filterValue', expected: 'a value of this type' }
  if (filterType === undefined && filterValue) return { member: 'filterType', expected: 'the type of the value' }
  return undefined
}
