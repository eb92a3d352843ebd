import { crashPoint } from '../crash-point.ts'
import type { Json } from '../../core/failure.ts'
import { parseJson } from '../../core/json/parse-json.ts'
import type { ReadModels, Row, RowSelection, Snapshot, SnapshotPart } from '../../core/ports/read-models.ts'
import { TE } from '../../core/prelude.ts'
import type { Live } from './live.ts'
import type { Value } from './driver.ts'
import type { Attempts } from '../../core/ports/attempts.ts'
import { sweep } from './parts.ts'
import type { Asking, Pool } from './pool.ts'
import type { Settings } from './settings.ts'
import { isStorable } from './storable.ts'
import { tablesOf, type Tables } from './tables.ts'
import { inTransaction } from './transaction.ts'
import { removeSnapshot, writeSnapshot } from './write-snapshot.ts'
import { applyMove } from './write-rows.ts'

export const readModelsOn = (
  pool: Pool,
  settings: Settings,
  attempts: Attempts,
  { watchMoves, toldOfMove }: Pick<Live, 'watchMoves' | 'toldOfMove'>,
): ReadModels => {
  const t = tablesOf(settings.schema)
  const transacted = inTransaction(pool, settings)
  const { attempt, write } = attempts
  const reading = <A>(read: (on: Asking) => Promise<A>) => attempt(() => pool.lend(read))
  const writing = <A>(work: (on: Asking) => Promise<A>) => write(() => transacted(work))

  return {
    checkpoint: (projection) => reading((on) => checkpoint(on, t, projection)),
    move: (projection, from, to, changes) =>
      TE.map(toldOfMove)(
        writing(async (on) => {
          await applyMove(on, t, { projection, from, to, changes })
          crashPoint('within-move')
        }),
      ),
    watch: watchMoves,
    row: (projection, organization, key) => reading((on) => readRow(on, t, projection, organization, key)),
    rows: (projection, organization, selection) =>
      reading((on) => readRows(on, t, projection, organization, selection)),
    drop: (projection) =>
      TE.map(toldOfMove)(
        writing(async (on) => {
          await on.query(`DELETE FROM ${t.projections} WHERE name = $1`, [projection])
          await on.query(`DELETE FROM ${t.rows} WHERE projection = $1`, [projection])
        }),
      ),
    projections: () =>
      reading(async (on) => {
        const { rows } = await on.query(`SELECT name FROM ${t.projections} ORDER BY name`)
        return rows.map(([name]) => String(name))
      }),
    saveSnapshot: (snapshot, keeps, drops = 0n) =>
      writing(async (on) => {
        await writeSnapshot(on, t, snapshot, keeps, drops)
        crashPoint('within-snapshot')
      }),
    snapshot: (organization, version = '') => reading((on) => readSnapshot(on, t, organization, version)),
    dropSnapshot: (organization) =>
      write(async () => {
        await transacted((on) => removeSnapshot(on, t, organization))
        await pool.lend((on) => sweep(on, [t.snapshot_parts], settings))
      }),
    snapshotDrops: (organization) => reading((on) => readDrops(on, t, organization)),
    dropSnapshots: () =>
      writing(async (on) => {
        await on.query(`DELETE FROM ${t.snapshots}`)
        await on.query(`DELETE FROM ${t.snapshot_parts}`)
      }),
    close: attempts.close,
  }
}

const checkpoint = async (on: Asking, t: Tables, projection: string): Promise<bigint> => {
  const { rows } = await on.prepared('checkpoint', `SELECT checkpoint FROM ${t.projections} WHERE name = $1`, [
    projection,
  ])
  return (rows[0]?.[0] as bigint | undefined) ?? 0n // int8
}

/** Names and keys of rows come from the definitions of a host: they may have any characters, so they are kept as bytes. */
export const bytesOf = (text: string): Uint8Array => Buffer.from(text)
/** Many of them, as `pg` sends a list. */
export const listOf = (texts: readonly string[]): string[] =>
  texts.map((text) => `\\x${Buffer.from(text).toString('hex')}`)

const readRow = async (
  on: Asking,
  t: Tables,
  projection: string,
  organization: string,
  key: string,
): Promise<Json | undefined> => {
  const sql = `SELECT value FROM ${t.rows} WHERE projection = $1 AND organization = $2 AND key = $3`
  const { rows } = await on.prepared('row', sql, [projection, bytesOf(organization), bytesOf(key)])
  const [row] = rows
  return row === undefined ? undefined : valueOf(row[0])
}

/** Values were written by `JSON.stringify`. */
const valueOf = (text: unknown): Json => parseJson(String(text)) as Json

/** Each combination of facets is a page from an index; the first rows of all pages are the page. */
const readRows = async (
  on: Asking,
  t: Tables,
  projection: string,
  organization: string,
  { limit, ascending = false, after, first, second }: RowSelection,
): Promise<readonly Row[]> => {
  const direction = ascending ? 'ASC' : 'DESC'
  const values: Value[] = [projection, bytesOf(organization), BigInt(limit)]
  const parameter = (value: Value): string => `$${values.push(value)}`
  const conditions = ['projection = $1', 'organization = $2']
  const facets: string[] = []
  if (after !== undefined) conditions.push(`ordinal ${ascending ? '>' : '<'} ${parameter(after)}::int8`)
  for (const [column, wanted] of [
    ['first', first],
    ['second', second],
  ] as const) {
    if (wanted === undefined) continue
    facets.push(`unnest(${parameter(listOf([...new Set(wanted)]))}::bytea[]) of_${column} (${column}_facet)`)
    conditions.push(`${column} = ${column}_facet`)
  }
  const order = `ORDER BY ordinal ${direction}, key ${direction} LIMIT $3::int8`
  const page = `SELECT key, ordinal, value FROM ${t.rows} WHERE ${conditions.join(' AND ')} ${order}`
  const sql =
    facets.length === 0
      ? page
      : `SELECT r.* FROM ${facets.join(' CROSS JOIN ')} CROSS JOIN LATERAL (${page}) r ${order}`
  const { rows } = await on.query(sql, values)
  return rows.map((row) => {
    const [key, ordinal, text] = row as readonly [Uint8Array, bigint, string] // as selected
    return { key: Buffer.from(key).toString(), order: ordinal, value: valueOf(text) }
  })
}

/** The snapshot of this version; if there is none, the one that was saved last. */
const readSnapshot = async (
  on: Asking,
  t: Tables,
  organization: string,
  wanted: string,
): Promise<Snapshot | undefined> => {
  if (!isStorable(organization)) return undefined
  const { rows } = await on.query(
    `SELECT s.sequence, s.hash, s.version, p.name, p.version, p.bytes
    FROM (SELECT * FROM ${t.snapshots} WHERE organization = $1 ORDER BY version = $2 DESC, saved DESC LIMIT 1) s
    LEFT JOIN ${t.snapshot_parts} p ON p.organization = s.organization AND p.snapshot = s.version ORDER BY p.name`,
    [organization, wanted],
  )
  const found = rows as readonly SnapshotRow[] // as selected
  const [first] = found
  if (first === undefined) return undefined
  const [sequence, hash, version] = first
  return { organization, sequence, hash, version, parts: found.flatMap(partOf) }
}

const readDrops = async (on: Asking, t: Tables, organization: string): Promise<bigint> => {
  if (!isStorable(organization)) return 0n
  const { rows } = await on.query(`SELECT drops FROM ${t.snapshot_drops} WHERE organization = $1`, [organization])
  return (rows[0]?.[0] as bigint | undefined) ?? 0n // int8
}

type SnapshotRow = readonly [bigint, string, string, string | null, number, Uint8Array]

const partOf = ([, , , name, version, bytes]: SnapshotRow): readonly SnapshotPart[] =>
  name === null ? [] : [{ name, version, bytes }]
