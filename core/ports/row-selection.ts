import type { Facets, RowSelection } from './read-models.ts'

/** The rows that a selection asks for, in its order, for whoever has them all in memory. */
export const selectRows = <A extends { readonly key: string; readonly order: bigint; readonly facets: Facets }>(
  rows: readonly A[],
  { limit, ascending = false, after, first, second }: RowSelection,
): readonly A[] => {
  const isAfter = (order: bigint) => after === undefined || (ascending ? order > after : order < after)
  const isOneOf = (facet: string | undefined, wanted: readonly string[] | undefined) =>
    wanted === undefined || (facet !== undefined && wanted.includes(facet))
  return rows
    .filter(({ order, facets }) => isAfter(order) && isOneOf(facets.first, first) && isOneOf(facets.second, second))
    .sort(byOrder(ascending))
    .slice(0, limit)
}

/** The order of rows: that of their numbers, and of their keys where these are the same. */
export const byOrder =
  (ascending: boolean) =>
  (a: { readonly key: string; readonly order: bigint }, b: { readonly key: string; readonly order: bigint }): number =>
    (ascending ? 1 : -1) * (compare(a.order, b.order) || compare(a.key, b.key))

const compare = <A extends bigint | string>(a: A, b: A): number => (a < b ? -1 : a > b ? 1 : 0)
