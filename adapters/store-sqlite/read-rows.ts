import type { Json } from '../../core/failure.ts'
import { parseJson } from '../../core/json/parse-json.ts'
import type { Row, RowSelection, Snapshot } from '../../core/ports/read-models.ts'
import { openForReading } from './connection.ts'
import type { Statement, Value } from './connection.ts'

/** The read models as a read-only connection sees them. Everything throws SQLite's errors. */
export type RowsReader = {
  readonly checkpoint: (projection: string) => bigint
  readonly row: (projection: string, organization: string, key: string) => Json | undefined
  readonly rows: (projection: string, organization: string, selection: RowSelection) => readonly Row[]
  readonly projections: () => readonly string[]
  readonly snapshot: (organization: string) => Snapshot | undefined
  readonly close: () => void
}

export const rowsReader = (path: string): RowsReader => {
  const db = openForReading(path)
  const selectCheckpoint = db.query('SELECT checkpoint FROM projections WHERE name = ?')
  const selectProjections = db.query('SELECT name FROM projections ORDER BY name')
  const selectSpace = db.query(`
    SELECT s.key FROM spaces s JOIN projections p ON p.key = s.projection WHERE p.name = ? AND s.organization = ?`)
  const selectRow = db.query('SELECT value FROM rows WHERE space = ? AND key = ?')
  const selectSnapshot = db.query('SELECT sequence, hash, version, state FROM snapshots WHERE organization = ?')
  const statementOf = remembered((sql) => db.query(sql))

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
    snapshot: (organization) => {
      const row = selectSnapshot.get([organization]) as [bigint, string, string, Uint8Array] | undefined // as selected
      return row && { organization, sequence: row[0], hash: row[1], version: row[2], state: new Uint8Array(row[3]) }
    },
    close: db.close,
  }
}

/** Values were written by `JSON.stringify`. */
const valueOf = (text: Value | undefined): Json => parseJson(String(text)) as Json

/**
 * One query for each combination of facets that is asked for, because only then can each walk its index from the newest
 * row and stop at the limit; the best of all of them are the answer.
 */
export const selectionQuery = (space: Value, { limit, ascending = false, after, first, second }: RowSelection) => {
  const direction = ascending ? 'ASC' : 'DESC'
  const values: Value[] = [space, BigInt(limit), after ?? (ascending ? -(2n ** 63n) : 2n ** 63n - 1n)]
  const isAfter = after === undefined ? (ascending ? '>=' : '<=') : ascending ? '>' : '<'
  const parameter = (value: string): string => `?${values.push(value)}`
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
  const branches = combinations.map(
    (condition) => `
    SELECT * FROM (
      SELECT key, ordinal, value FROM rows WHERE space = ?1 AND ordinal ${isAfter} ?3${condition}
      ORDER BY ordinal ${direction} LIMIT ?2)`,
  )
  const none = 'SELECT key, ordinal, value FROM rows WHERE space = ?1 AND ordinal < ?3 AND ordinal > ?3 LIMIT ?2'
  const union = branches.length === 0 ? none : branches.join(' UNION ALL ')
  // As JSON, a key keeps a NUL on its way out.
  return {
    sql: `SELECT json_quote(key), ordinal, value FROM (${union}) ORDER BY ordinal ${direction} LIMIT ?2`,
    values,
  }
}

/** Statements by their text: there are few shapes, and preparing one costs more than running it. */
const remembered = (prepare: (sql: string) => Statement): ((sql: string) => Statement) => {
  const statements = new Map<string, Statement>()
  return (sql) => {
    const statement = statements.get(sql) ?? prepare(sql)
    if (statements.size >= 200) statements.clear()
    statements.set(sql, statement)
    return statement
  }
}
