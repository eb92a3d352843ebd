import type { GonePlace, SealedPlace, SealedRow } from '../../core/ports/sealed-rows.ts'
import type { Connection, Row } from './connection.ts'
import { blobOf } from './write-sealed.ts'

/** The sealed rows as a read-only connection sees them. Everything throws SQLite's errors. */
export type SealedReader = {
  readonly get: (place: SealedPlace) => SealedRow | undefined
  readonly list: (after: SealedPlace | undefined, limit: number) => readonly (SealedRow | GonePlace)[]
}

export const sealedReader = (db: Connection): SealedReader => {
  const columns = 'p.organization, p.id, s.kind, s.data_key, s.bytes'
  const select = db.query(`
    SELECT ${columns} FROM sealed p JOIN sealed_secrets s ON s.key = p.secret WHERE p.organization = ? AND p.id = ?`)
  const selectPage = (condition: string) =>
    db.query(`
      SELECT ${columns} FROM sealed p LEFT JOIN sealed_secrets s ON s.key = p.secret ${condition}
      ORDER BY p.organization, p.id LIMIT ?`)
  const selectFirst = selectPage('')
  const selectNext = selectPage('WHERE (p.organization, p.id) > (?, ?)')

  return {
    get: ({ organization, id }) => {
      const row = select.get([blobOf(organization), blobOf(id)])
      return row && rowOf(row)
    },
    list: (after, limit) => {
      const place = after === undefined ? [] : [blobOf(after.organization), blobOf(after.id)]
      const rows = (after === undefined ? selectFirst : selectNext).all([...place, BigInt(limit)])
      return rows.map((row) => (row[2] === null ? { ...placeOf(row), isGone: true } : rowOf(row)))
    },
  }
}

const textOf = (value: Row[number] | undefined): string => Buffer.from(value as Uint8Array).toString() // a BLOB column
const placeOf = ([organization, id]: Row): SealedPlace => ({ organization: textOf(organization), id: textOf(id) })
const rowOf = (row: Row): SealedRow => {
  const [, , kind, dataKey, bytes] = row
  return { ...placeOf(row), kind: textOf(kind), dataKey: textOf(dataKey), bytes: new Uint8Array(bytes as Uint8Array) } // BLOB columns
}
