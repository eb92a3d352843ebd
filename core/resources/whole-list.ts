import { refuse } from '../definition/refuse.ts'

/** The most rows of a list that the wire does not page. All default limits are far below it. */
const ROWS_MAX = 10_000

/**
 * A whole list that the wire does not page; `REQUEST_TOO_LARGE` if a host has raised its limits so far that writing the list would make
 * others wait.
 *
 * @param what  the name of the rows, e.g. `users`
 */
export const wholeList = <What extends string, A, View>(
  what: What,
  rows: ReadonlyMap<string, A>,
  view: (row: A) => View,
): Readonly<Record<What, readonly View[]>> => {
  if (rows.size > ROWS_MAX)
    throw refuse('REQUEST_TOO_LARGE', `the organization has more than ${ROWS_MAX} ${what}; ask for each by its id`)
  const named: { readonly [what: string]: readonly View[] } = { [what]: Array.from(rows.values(), view) }
  return named as Record<What, readonly View[]> // the compiler knows computed names as texts only
}
