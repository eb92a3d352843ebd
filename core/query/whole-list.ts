import { failure, type Failure, type Json } from '../failure.ts'
import { TE } from '../prelude.ts'

/** The most rows of a list that the wire does not page. No default limit comes near. */
const ROWS_MAX = 10_000

/**
 * A list that the wire does not page, whole; or `REQUEST_TOO_LARGE` where a host has raised its limits so far that writing
 * the list would keep everybody waiting.
 *
 * @param what  the rows, e.g. `users`
 */
export const wholeList = <A>(
  what: string,
  rows: ReadonlyMap<string, A>,
  view: (row: A) => Json,
): TE.TaskEither<Failure, { readonly [what: string]: Json }> =>
  rows.size <= ROWS_MAX
    ? TE.right({ [what]: Array.from(rows.values(), view) })
    : TE.left(
        failure('REQUEST_TOO_LARGE', `the organization has more than ${ROWS_MAX} ${what}; ask for each by its id`),
      )
