import type { Part, PartPlace } from '../../core/ports/event-store.ts'
import { partSelection } from '../../core/ports/part-selection.ts'
import type { Value } from './driver.ts'
import type { Asking } from './pool.ts'
import type { Settings } from './settings.ts'
import { isStorable } from './storable.ts'
import type { Tables } from './tables.ts'

/**
 * The parts of the events at these positions, in the order of the append.
 *
 * @param positions  in ascending order
 * @param wanted  `true` for all parts, or a list as in `ReadOptions.parts`
 */
export const partsOf = async (
  connection: Asking,
  t: Tables,
  positions: readonly bigint[],
  wanted: true | readonly string[],
): Promise<ReadonlyMap<bigint, readonly Part[]>> => {
  const found = new Map<bigint, Part[]>()
  if (wanted !== true && wanted.length === 0) return found
  const first = positions[0] ?? 0n
  const last = positions.at(-1) ?? 0n
  const isGapless = last - first + 1n === BigInt(positions.length)
  const values: Value[] = isGapless ? [first, last] : [positions]
  const place = isGapless ? 'p.position BETWEEN $1 AND $2' : 'p.position = ANY ($1::int8[])'
  const selected = wanted === true ? '' : selection(wanted, values)
  const { rows } = await connection.prepared(
    `parts-${isGapless ? 'between' : 'at'}-${wanted === true ? 'all' : wanted.includes('request') ? 'with-request' : 'personal'}`,
    `SELECT p.position, p.name, p.salt, p.bytes FROM ${t.parts} p WHERE ${place} ${selected} ORDER BY p.position, p.ordinal`,
    values,
  )
  for (const row of rows) {
    const [position, name, salt, bytes] = row as readonly [bigint, string, Uint8Array, Uint8Array] // as selected
    const own = found.get(position) ?? []
    own.push({ name, salt, bytes })
    found.set(position, own)
  }
  return found
}

/** The first condition lets the server use the index without requests, and so read none of their rows. */
const selection = (wanted: readonly string[], values: Value[]): string => {
  const { names, prefixes } = partSelection(wanted.filter(isStorable))
  values.push(names, prefixes)
  const [named, begun] = [`$${values.length - 1}::text[]`, `$${values.length}::text[]`]
  return `AND ${wanted.includes('request') ? 'true' : `p.name <> 'request'`} AND (p.name = ANY (${named})
    OR EXISTS (SELECT 1 FROM unnest(${begun}) prefix WHERE starts_with(p.name, prefix)))`
}

/** Removes the rows of parts, inside a transaction. Their bytes are still in the files then: `sweep` is for those. */
export const removeParts = async (
  connection: Asking,
  t: Tables,
  organization: string,
  places: readonly PartPlace[],
): Promise<void> => {
  const storable = places.filter(({ name }) => isStorable(name))
  await connection.query(
    `DELETE FROM ${t.parts} p USING unnest($2::int8[], $3::text[]) place (sequence, name), ${t.events} e
    WHERE e.organization = (SELECT key FROM ${t.organizations} WHERE id = $1) AND e.sequence = place.sequence
      AND p.position = e.position AND p.name = place.name`,
    [organization, storable.map(({ sequence }) => sequence), storable.map(({ name }) => name)],
  )
}

/**
 * Lets the server throw away the removed rows of a table, outside of any transaction. Where the user may not do this, the server skips it
 * without an error, and its own cleaning does it later.
 */
export const sweep = async (
  connection: Asking,
  tables: readonly string[],
  { erasure }: Pick<Settings, 'erasure'>,
): Promise<void> => {
  const how = erasure === 'rewrite' ? '(FULL)' : '(INDEX_CLEANUP ON)'
  for (const table of tables) await connection.query(`VACUUM ${how} ${table}`, undefined, SWEEP_MS)
}

/** A table with all requests can be large. */
const SWEEP_MS = 60 * 60 * 1000
