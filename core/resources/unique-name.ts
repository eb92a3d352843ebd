import { refuse } from '../definition/refuse.ts'
import type { Organization } from '../organization/state.ts'

/**
 * A check that refuses a name which another row than that of `id` has.
 *
 * @param message  of the refusal. Default: one that names the member of the intent
 */
export const uniqueName =
  <A>(
    rows: { readonly of: (organization: Organization) => ReadonlyMap<string, A> },
    nameOf: (row: A) => string,
    message?: string,
  ) =>
  (field: string, name: string | undefined, organization: Organization, id?: string): void => {
    for (const [rowId, row] of rows.of(organization))
      if (nameOf(row) === name && rowId !== id) throw refuse.notUnique(field, message)
  }
