import { crashPoint } from '../crash-point.ts'
import type { RowChange } from '../../core/ports/read-models.ts'
import { mergedText } from '../../core/ports/row-changes.ts'
import { refuse } from '../../core/ports/refusal.ts'
import type { Asking } from './pool.ts'
import type { Tables } from './tables.ts'

export type Move = {
  readonly projection: string
  readonly from: bigint
  readonly to: bigint
  readonly changes: readonly RowChange[]
}

/** A row as it is kept: bytes as hex, the value as JSON. */
type Kept = {
  readonly organization: string
  readonly key: string
  readonly order: bigint
  readonly first: string | null
  readonly second: string | null
  readonly text: string
}

/**
 * Moves the checkpoint and writes the rows, inside a transaction. The row of the checkpoint is the lock: whoever comes later waits, and then
 * finds another checkpoint than it expects.
 */
export const applyMove = async (on: Asking, t: Tables, { projection, from, to, changes }: Move): Promise<void> => {
  const moved = await on.query(
    from === 0n
      ? `INSERT INTO ${t.projections} AS p VALUES ($1, $3::int8)
        ON CONFLICT (name) DO UPDATE SET checkpoint = $3::int8 WHERE p.checkpoint = $2::int8`
      : `UPDATE ${t.projections} SET checkpoint = $3::int8 WHERE name = $1 AND checkpoint = $2::int8`,
    [projection, from, to],
  )
  if (moved.rowCount !== 1) throw refuse('CONFLICT', 'the checkpoint was moved by somebody else: read it again')
  crashPoint('within-checkpoint')
  const rows = await changedRows(on, t, projection, changes)
  const gone = [...rows].flatMap(([name, row]) => (row === undefined ? [JSON.parse(name) as Pair] : [])) // nameOf made it
  const kept = [...rows.values()].filter((row) => row !== undefined)
  if (gone.length > 0)
    await on.query(
      `DELETE FROM ${t.rows} r USING unnest($2::bytea[], $3::bytea[]) gone (organization, key)
      WHERE r.projection = $1 AND r.organization = gone.organization AND r.key = gone.key`,
      [projection, gone.map(([organization]) => organization), gone.map(([, key]) => key)],
    )
  if (kept.length > 0)
    await on.query(
      `INSERT INTO ${t.rows}
      SELECT $1, * FROM unnest($2::bytea[], $3::bytea[], $4::int8[], $5::bytea[], $6::bytea[], $7::text[])
      ON CONFLICT (projection, organization, key)
      DO UPDATE SET ordinal = excluded.ordinal, first = excluded.first, second = excluded.second, value = excluded.value`,
      [
        projection,
        kept.map(({ organization }) => organization),
        kept.map(({ key }) => key),
        kept.map(({ order }) => order),
        kept.map(({ first }) => first),
        kept.map(({ second }) => second),
        kept.map(({ text }) => text),
      ],
    )
}

type Pair = readonly [organization: string, key: string]
const nameOf = (pair: Pair): string => JSON.stringify(pair)
const hex = (text: string): string => `\\x${Buffer.from(text).toString('hex')}`

/** What becomes of each row that the changes name, taken in their order; `undefined` for a row that goes. */
const changedRows = async (
  on: Asking,
  t: Tables,
  projection: string,
  changes: readonly RowChange[],
): Promise<ReadonlyMap<string, Kept | undefined>> => {
  const merging = new Map<string, Pair>()
  for (const change of changes)
    if (change._tag === 'merge') {
      const pair: Pair = [hex(change.organization), hex(change.key)]
      merging.set(nameOf(pair), pair)
    }
  const before = await keptRows(on, t, projection, [...merging.values()])
  const rows = new Map<string, Kept | undefined>()
  for (const change of changes) {
    const [organization, key]: Pair = [hex(change.organization), hex(change.key)]
    const name = nameOf([organization, key])
    if (change._tag === 'delete') rows.set(name, undefined)
    else if (change._tag === 'put') {
      const { order, facets, value } = change
      const { first, second } = facets
      const text = JSON.stringify(value)
      rows.set(name, { organization, key, order, first: facet(first), second: facet(second), text })
    } else {
      const was = rows.has(name) ? rows.get(name) : before.get(name)
      if (was === undefined) continue
      const { first, second } = change.facets
      const text = mergedText(was.text, change.value)
      rows.set(name, { ...was, first: facet(first) ?? was.first, second: facet(second) ?? was.second, text })
    }
  }
  return rows
}

const facet = (text: string | undefined): string | null => (text === undefined ? null : hex(text))

const keptRows = async (
  on: Asking,
  t: Tables,
  projection: string,
  pairs: readonly Pair[],
): Promise<ReadonlyMap<string, Kept>> => {
  if (pairs.length === 0) return new Map()
  const { rows } = await on.query(
    `SELECT r.organization::text, r.key::text, r.ordinal, r.first::text, r.second::text, r.value
    FROM unnest($2::bytea[], $3::bytea[]) of (organization, key)
    JOIN ${t.rows} r ON r.projection = $1 AND r.organization = of.organization AND r.key = of.key`,
    [projection, pairs.map(([organization]) => organization), pairs.map(([, key]) => key)],
  )
  return new Map(
    rows.map((row) => {
      const [organization, key, order, first, second, text] = row as readonly [
        string,
        string,
        bigint,
        string | null,
        string | null,
        string,
      ] // as selected; the server writes bytes as hex
      return [nameOf([organization, key]), { organization, key, order, first, second, text }] as const
    }),
  )
}
