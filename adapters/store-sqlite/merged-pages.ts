import type { Value } from './connection.ts'

/** Where a page of rows begins, in which direction it goes, and how long it is. */
export type Page = {
  readonly limit: number
  readonly ascending?: boolean | undefined
  readonly after?: bigint | undefined
}

/** The table of the rows; `scope` is the column whose value all of them have, `order` the one by which they are sorted. */
export type Rows = { readonly columns: string; readonly table: string; readonly scope: string; readonly order: string }

/** A page in SQL. The first three values are the scope, the limit, and what the page begins behind. */
export type PageQuery = {
  readonly values: Value[]
  readonly direction: 'ASC' | 'DESC'
  /** Adds a value, and gives its parameter. */
  readonly parameter: (value: string) => string
  /**
   * Rows of the page that fulfil one of the conditions; each begins with ` AND` or is empty. There is one query for each of them, because only
   * then each can read its index from the first row of the page and stop at the limit. Whoever selects from it takes the first rows of all.
   *
   * @param limit  how many rows at most, for each condition; default: the limit of the page
   */
  readonly branches: (conditions: readonly string[], limit?: string) => string
}

export const pageQuery = (
  { columns, table, scope, order }: Rows,
  of: Value,
  { limit, ascending = false, after }: Page,
): PageQuery => {
  const direction = ascending ? 'ASC' : 'DESC'
  const values: Value[] = [of, BigInt(limit), after ?? (ascending ? -(2n ** 63n) : 2n ** 63n - 1n)]
  const isBehind = after === undefined ? (ascending ? '>=' : '<=') : ascending ? '>' : '<'
  return {
    values,
    direction,
    parameter: (value) => `?${values.push(value)}`,
    branches: (conditions, most = '?2') =>
      conditions
        .map(
          (condition) => `
    SELECT * FROM (
      SELECT ${columns} FROM ${table} WHERE ${scope} = ?1 AND ${order} ${isBehind} ?3${condition}
      ORDER BY ${order} ${direction} LIMIT ${most})`,
        )
        .join(' UNION ALL '),
  }
}
