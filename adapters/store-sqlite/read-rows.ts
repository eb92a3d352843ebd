import type { Json } from '../../core/failure.ts'
import { parseJson } from '../../core/json/parse-json.ts'
import type { Row, RowSelection, Snapshot, SnapshotPart } from '../../core/ports/read-models.ts'
import { openForReading } from './connection.ts'
import type { Value } from './connection.ts'
import { pageQuery, type Rows } from './merged-pages.ts'
import { sealedReader, type SealedReader } from './read-sealed.ts'
import { rememberedStatements } from './remembered.ts'

/** The read models as a read-only connection sees them. Everything throws SQLite's errors. */
export type RowsReader = {
  readonly checkpoint: (projection: string) => bigint
  readonly row: (projection: string, organization: string, key: string) => Json | undefined
  readonly rows: (projection: string, organization: string, selection: RowSelection) => readonly Row[]
  readonly projections: () => readonly string[]
  readonly snapshot: (organization: string, version: string) => Snapshot | undefined
  readonly snapshotDrops: (organization: string) => bigint
  /** Those of the same file, on the same connection. */
  readonly sealed: SealedReader
  readonly close: () => void
}

// Prepared only when it is needed: a file of an older version, which is only read, has no such table.
const SELECT_SNAPSHOT = `
  SELECT s.sequence, s.hash, s.version, p.name, p.version, p.bytes
  FROM snapshots s LEFT JOIN snapshot_parts p ON p.snapshot = s.key
  WHERE s.key = (SELECT key FROM snapshots WHERE organization = ? ORDER BY version = ? DESC, saved DESC LIMIT 1) ORDER BY p.name`

export const rowsReader = (path: string): RowsReader => {
  const db = openForReading(path)
  const selectCheckpoint = db.query('SELECT checkpoint FROM projections WHERE name = ?')
  const selectProjections = db.query('SELECT name FROM projections ORDER BY name')
  const selectSpace = db.query(`
    SELECT s.key FROM spaces s JOIN projections p ON p.key = s.projection WHERE p.name = ? AND s.organization = ?`)
  const selectRow = db.query('SELECT value FROM rows WHERE space = ? AND key = ?')
  const selectDrops = db.query('SELECT drops FROM snapshot_drops WHERE organization = ?')
  const statementOf = rememberedStatements(db)

  const spaceOf = (projection: string, organization: string) => selectSpace.get([projection, organization])?.[0]

  return {
    checkpoint: (projection) => (selectCheckpoint.get([projection])?.[0] ?? 0n) as bigint, // an integer column
    row: (projection, organization, key) => {
      const space = spaceOf(projection, organization)
      const text = space === undefined ? undefined : selectRow.get([space, key])?.[0]
      return text === undefined ? undefined : valueOf(text)
    },
    rows: (projection, organization, selection) => {
      const space = spaceOf(projection, organization)
      if (space === undefined) return []
      const { sql, values } = selectionQuery(space, selection)
      return statementOf(sql)
        .all(values)
        .map(([key, order, text]) => ({
          key: JSON.parse(String(key)) as string,
          order: order as bigint,
          value: valueOf(text),
        })) // as selected
    },
    projections: () => selectProjections.all([]).map(([name]) => String(name)),
    snapshot: (organization, wanted) => {
      const rows = statementOf(SELECT_SNAPSHOT).all([organization, wanted]) as SnapshotRow[] // as selected
      const [first] = rows
      if (first === undefined) return undefined
      const [sequence, hash, version] = first
      return { organization, sequence, hash, version, parts: rows.flatMap(partOf) }
    },
    snapshotDrops: (organization) => (selectDrops.get([organization])?.[0] ?? 0n) as bigint, // an integer column
    sealed: sealedReader(db),
    close: db.close,
  }
}

type SnapshotRow = [bigint, string, string, ...(readonly [string, bigint, Uint8Array] | readonly [null, null, null])]

const partOf = ([, , , name, version, bytes]: SnapshotRow): readonly SnapshotPart[] =>
  name === null ? [] : [{ name, version: Number(version), bytes: new Uint8Array(bytes) }]

/** Values were written by `JSON.stringify`. */
const valueOf = (text: Value | undefined): Json => parseJson(String(text)) as Json

const ROWS: Rows = { columns: 'key, ordinal, value', table: 'rows', scope: 'space', order: 'ordinal' }

/** Merges the pages of all combinations of facets. */
export const selectionQuery = (space: Value, { first, second, ...page }: RowSelection) => {
  const { values, direction, parameter, branches } = pageQuery(ROWS, space, page)
  const conditions: readonly (readonly [string, readonly string[] | undefined])[] = [
    ['first', first],
    ['second', second],
  ]
  let combinations = ['']
  for (const [column, wanted] of conditions) {
    if (wanted === undefined) continue
    const texts = [...new Set(wanted)].map((text) => ` AND ${column} = ${parameter(text)}`)
    combinations = combinations.flatMap((combination) => texts.map((text) => combination + text))
  }
  const none = 'SELECT key, ordinal, value FROM rows WHERE space = ?1 AND ordinal < ?3 AND ordinal > ?3 LIMIT ?2'
  const union = combinations.length === 0 ? none : branches(combinations)
  // Keys are read as JSON, because libsql cuts off a text at NUL.
  return {
    sql: `SELECT json_quote(key), ordinal, value FROM (${union}) ORDER BY ordinal ${direction} LIMIT ?2`,
    values,
  }
}
