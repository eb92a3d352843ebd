import type { Head, Recorded } from '../../core/ports/event-store.ts'
import { openForReading } from './connection.ts'
import type { Value } from './connection.ts'
import { pageReader } from './read-page.ts'

/** The log as a read-only connection sees it. Everything throws SQLite's errors. */
export type LogReader = {
  readonly readLog: (organization: string, after: bigint, limit: number, withParts: boolean) => readonly Recorded[]
  readonly readActivity: (organization: string, activity: string) => readonly Recorded[]
  readonly readAll: (after: bigint, limit: number, withParts: boolean) => readonly Recorded[]
  readonly head: (organization: string) => Head | undefined
  readonly lastPosition: () => bigint
  readonly organizations: (after: string, limit: number) => readonly string[]
  /** Changes whenever another connection has committed. */
  readonly dataVersion: () => Value
  readonly close: () => void
}

export const logReader = (path: string): LogReader => {
  const db = openForReading(path)
  const own = 'organization = (SELECT key FROM organizations WHERE id = ?1)'
  const all = pageReader(db, 'position', '')
  const log = pageReader(db, 'sequence', own)
  const activity = pageReader(db, 'revision', `${own} AND activity = ?2`)
  const selectHead = db.query(`SELECT sequence, position, line FROM events WHERE ${own} ORDER BY sequence DESC LIMIT 1`)
  const selectLast = db.query('SELECT max(position) FROM events')
  const selectOrganizations = db.query('SELECT id FROM organizations WHERE id > ? ORDER BY id LIMIT ?')

  return {
    readLog: (organization, after, limit, withParts) => log([organization], after, limit, withParts),
    readActivity: (organization, name) => activity([organization, name], 0n, Infinity, true),
    readAll: (after, limit, withParts) => all([], after, limit, withParts),
    head: (organization) => {
      const row = selectHead.get([organization]) as [bigint, bigint, Uint8Array] | undefined // as selected
      return row && { sequence: row[0], position: row[1], line: plain(row[2]) }
    },
    lastPosition: () => (selectLast.get([])?.[0] ?? 0n) as bigint, // an integer or NULL
    organizations: (after, limit) => selectOrganizations.all([after, BigInt(limit)]).map(([id]) => String(id)),
    dataVersion: () => db.pragma('data_version'),
    close: db.close,
  }
}

/** Without Buffer's own methods, as the port has it. */
const plain = ({ buffer, byteOffset, length }: Uint8Array): Uint8Array => new Uint8Array(buffer, byteOffset, length)
