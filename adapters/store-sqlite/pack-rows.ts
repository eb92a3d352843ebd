import type { Facets, RowChange } from '../../core/ports/read-models.ts'
import { merged } from '../../core/ports/row-changes.ts'
import { spelled } from './pack.ts'

/** A change of a row, as the worker makes it: values are the JSON text that the file keeps. */
export type Change = { readonly organization: string; readonly key: string } & (
  | { readonly _tag: 'put'; readonly order: bigint; readonly facets: Facets; readonly text: string }
  | { readonly _tag: 'merge'; readonly facets: Facets; readonly text: string }
  | { readonly _tag: 'delete' }
)

/** Changes for the worker, at most one for each row, in one flat list, because each entry costs time in both threads. */
export type PackedRows = readonly (string | bigint | number | null)[]

export const packRows = (changes: readonly RowChange[]): PackedRows => {
  const packed: (string | bigint | number | null)[] = []
  for (const [organization, rows] of coalesced(changes)) {
    packed.push(organization, rows.size)
    for (const change of rows.values()) {
      packed.push(change._tag, change.key)
      if (change._tag === 'delete') continue
      packed.push(change.facets.first ?? null, change.facets.second ?? null, JSON.stringify(change.value))
      if (change._tag === 'put') packed.push(spelled(change.order))
    }
  }
  return packed
}

export const unpackRows = (packed: PackedRows): readonly Change[] => {
  const changes: Change[] = []
  let at = 0
  // Entries come in the order in which `packRows` pushed them.
  const text = () => packed[at++] as string
  const facet = () => (packed[at++] ?? undefined) as string | undefined
  while (at < packed.length) {
    const organization = text()
    for (let left = packed[at++] as number; left > 0; left -= 1) {
      const _tag = text() as Change['_tag']
      const key = text()
      if (_tag === 'delete') {
        changes.push({ _tag, organization, key })
        continue
      }
      const facets = facetsOf(facet(), facet())
      const change = { organization, key, facets, text: text() }
      if (_tag === 'put') changes.push({ _tag, ...change, order: BigInt(packed[at++] as bigint | number) })
      else changes.push({ _tag, ...change })
    }
  }
  return changes
}

const facetsOf = (first: string | undefined, second: string | undefined): Facets => ({
  ...(first === undefined ? {} : { first }),
  ...(second === undefined ? {} : { second }),
})

/**
 * Combines the changes to at most one for each row. This makes a rebuild faster: an activity that is created and completed in one move is
 * written once.
 */
const coalesced = (changes: readonly RowChange[]): ReadonlyMap<string, ReadonlyMap<string, RowChange>> => {
  const last = new Map<string, Map<string, RowChange>>()
  for (const change of changes) {
    const rows = last.get(change.organization) ?? new Map<string, RowChange>()
    last.set(change.organization, rows)
    const before = rows.get(change.key)
    rows.set(change.key, change._tag === 'merge' && before !== undefined ? joined(before, change) : change)
  }
  return last
}

const joined = (before: RowChange, { facets, value }: Extract<RowChange, { readonly _tag: 'merge' }>): RowChange => {
  if (before._tag === 'delete') return before
  const joint = { ...before.facets, ...facets }
  return before._tag === 'put'
    ? { ...before, facets: joint, value: merged(before.value, value) }
    : { ...before, facets: joint, value: { ...before.value, ...value } }
}
