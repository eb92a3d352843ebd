import type { SealedPlace, SealedRow } from '../../core/ports/sealed-rows.ts'
import type { Connection } from './connection.ts'
import type { Answers } from './requests.ts'

/** The tables of sealed rows, inside a transaction that the group owns. */
export type SealedWriter = {
  readonly put: (row: SealedRow) => Answers['putSealed']
  readonly replace: (row: SealedRow, by: SealedRow) => boolean
  readonly delete: (place: SealedPlace) => void
  readonly deleteAll: (organization: string) => void
}

export const sealedWriter = (db: Connection): SealedWriter => {
  const select = db.query('SELECT secret FROM sealed WHERE organization = ? AND id = ?')
  const insert = db.command('INSERT INTO sealed VALUES (?, ?, ?)')
  const point = db.command('UPDATE sealed SET secret = ?3 WHERE organization = ?1 AND id = ?2')
  const remove = db.command('DELETE FROM sealed WHERE organization = ?')
  const insertSecret = db.query('INSERT INTO sealed_secrets (kind, data_key, bytes) VALUES (?, ?, ?) RETURNING key')
  const selectSame = db.query('SELECT 1 FROM sealed_secrets WHERE key = ? AND kind = ? AND data_key = ? AND bytes = ?')
  // Not deleted, and replaced by a row of its own: a row of the same length is overwritten in its place, and no other one moves.
  const overwrite = (which: string) =>
    db.command(`
      UPDATE sealed_secrets SET kind = zeroblob(length(kind)), data_key = zeroblob(length(data_key)), bytes = zeroblob(length(bytes))
      WHERE key ${which}`)
  const overwriteOne = overwrite('= ?')
  const overwriteAll = overwrite('IN (SELECT secret FROM sealed WHERE organization = ?)')

  const keep = ({ kind, dataKey, bytes }: SealedRow): bigint =>
    insertSecret.get([blobOf(kind), blobOf(dataKey), bytes])?.[0] as bigint // RETURNING key
  const isOpen = (organization: Uint8Array): boolean => select.get([organization, CLOSED]) === undefined

  return {
    put: (row) => {
      const place = placeOf(row)
      const found = select.get(place)
      if (found !== undefined) return found[0] === null ? 'gone' : 'there'
      if (row.id === '' || !isOpen(place[0])) return 'gone'
      insert.run([...place, keep(row)])
      return 'put'
    },
    replace: (row, by) => {
      const place = placeOf(row)
      const key = select.get(place)?.[0] ?? null
      if (key === null || selectSame.get([key, blobOf(row.kind), blobOf(row.dataKey), row.bytes]) === undefined)
        return false
      point.run([...place, keep(by)])
      overwriteOne.run([key])
      return true
    },
    delete: (row) => {
      const place = placeOf(row)
      const found = select.get(place)
      if (typeof found?.[0] === 'bigint') {
        overwriteOne.run([found[0]])
        point.run([...place, null])
      } else if (found === undefined && row.id !== '' && isOpen(place[0])) insert.run([...place, null])
    },
    deleteAll: (organization) => {
      const name = blobOf(organization)
      overwriteAll.run([name])
      remove.run([name])
      insert.run([name, CLOSED, null])
    },
  }
}

export const blobOf = (text: string): Uint8Array => Buffer.from(text)
const placeOf = ({ organization, id }: SealedPlace) => [blobOf(organization), blobOf(id)] as const
const CLOSED = blobOf('')
