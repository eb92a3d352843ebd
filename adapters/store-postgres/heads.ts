import type { Head } from '../../core/ports/event-store.ts'
import { gathering } from './gathering.ts'
import type { Asking, Pool } from './pool.ts'
import { isStorable } from './storable.ts'
import type { Tables } from './tables.ts'

/** Reads the last events of logs: where others append to the store, each command and query asks. */
export const headReader = (pool: Pool, t: Tables): ((organization: string) => Promise<Head | undefined>) =>
  gathering(pool, async (on, organizations: readonly string[]) => {
    const heads = await readHeads(on, t, [...new Set(organizations)])
    return organizations.map((organization) => heads.get(organization))
  })

const readHeads = async (
  on: Asking,
  t: Tables,
  organizations: readonly string[],
): Promise<ReadonlyMap<string, Head>> => {
  const { rows } = await on.prepared(
    'heads',
    `SELECT o.id, h.sequence, h.position, h.line FROM ${t.organizations} o
    CROSS JOIN LATERAL (
      SELECT sequence, position, line FROM ${t.events} WHERE organization = o.key ORDER BY sequence DESC LIMIT 1) h
    WHERE o.id = ANY ($1::text[])`,
    [organizations.filter(isStorable)],
  )
  return new Map(
    rows.map((row) => {
      const [id, sequence, position, line] = row as readonly [string, bigint, bigint, Uint8Array] // as selected
      return [id, { sequence, position, line }]
    }),
  )
}
