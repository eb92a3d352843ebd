import type { Failure } from '../failure.ts'
import type { Organization } from '../organization/state.ts'
import { E } from '../prelude.ts'

/**
 * A check that fails where another row than that of `id` has the name.
 *
 * @param refusal  for the member of the intent that has the name
 */
export const uniqueName =
  <A>(
    rows: { readonly of: (organization: Organization) => ReadonlyMap<string, A> },
    nameOf: (row: A) => string,
    refusal: (field: string) => Failure,
  ) =>
  (field: string, name: string | undefined, organization: Organization, id?: string): E.Either<Failure, void> => {
    for (const [rowId, row] of rows.of(organization))
      if (nameOf(row) === name && rowId !== id) return E.left(refusal(field))
    return E.right(undefined)
  }
