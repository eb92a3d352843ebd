import type { Organization } from '../organization/state.ts'
import { refuse } from './refuse.ts'

/** Rows by id: a state, or a map. */
type Rows<A> = ReadonlyMap<string, A> | { readonly of: (organization: Organization) => ReadonlyMap<string, A> }

/** Finds things of the organization by their ids, and refuses a request that names one which is not there. */
export type Find = {
  /**
   * @param what  the thing, as the refusal calls it
   * @example find('user', users, userId)
   */
  readonly find: <A>(what: string, among: Rows<A>, id: string) => A
  /** As `find`, for all ids. */
  readonly findAll: <A>(what: string, among: Rows<A>, ids: readonly string[]) => readonly A[]
}

export const findIn = (organization: Organization): Find => {
  const found = <A>(what: string, rows: ReadonlyMap<string, A>, id: string): A => {
    const one = rows.get(id)
    if (one === undefined) throw refuse.notFound(what, id, organization)
    return one
  }
  const rowsOf = <A>(among: Rows<A>): ReadonlyMap<string, A> => ('of' in among ? among.of(organization) : among)
  return {
    find: (what, among, id) => found(what, rowsOf(among), id),
    findAll: (what, among, ids) => {
      const rows = rowsOf(among)
      return ids.map((id) => found(what, rows, id))
    },
  }
}
