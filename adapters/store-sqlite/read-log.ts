import type { ActivitySelection, Head, ListedActivity, Recorded } from '../../core/ports/event-store.ts'
import { openForReading } from './connection.ts'
import type { Value } from './connection.ts'
import { unpacker } from './read-page.ts'
import { standingsReader } from './read-standings.ts'
import { stepReaders, type LogName, type Step } from './read-steps.ts'

/** Which events to read: `keys` select all events, one organization's log, or one activity. */
export type Page = {
  readonly log: LogName
  readonly keys: readonly string[]
  readonly after: bigint
  readonly limit: number
  readonly parts: boolean | readonly string[]
  readonly bytesMax: number
}

/** The log as a read-only connection sees it. Everything throws SQLite's errors. */
export type LogReader = {
  readonly steps: (page: Page) => readonly Step[]
  readonly events: (page: Page) => readonly Recorded[]
  /** The events of steps that were read from the same file, on any connection. */
  readonly eventsOf: (steps: readonly Step[]) => readonly Recorded[]
  readonly head: (organization: string) => Head | undefined
  readonly lastPosition: () => bigint
  readonly importedTo: () => bigint
  readonly organizations: (after: string, limit: number) => readonly string[]
  readonly activities: (organization: string, selection: ActivitySelection) => readonly ListedActivity[]
  readonly pending: (after: bigint, limit: number) => readonly ListedActivity[]
  readonly standingsVersion: () => bigint
  /** Changes whenever another connection has committed. */
  readonly dataVersion: () => Value
  readonly close: () => void
}

export const logReader = (path: string): LogReader => {
  const db = openForReading(path)
  const readers = stepReaders(db)
  const selectHead = db.query(`
    SELECT sequence, position, line FROM events WHERE organization = (SELECT key FROM organizations WHERE id = ?1)
    ORDER BY sequence DESC LIMIT 1`)
  const selectLast = db.query('SELECT max(position) FROM events')
  const selectOrigin = db.query('SELECT imported_to FROM origin')
  const selectOrganizations = db.query('SELECT id FROM organizations WHERE id > ? ORDER BY id LIMIT ?')

  const standings = standingsReader(db)
  const unpack = unpacker(db)
  const read = ({ log, keys, ...bounds }: Page, take: (step: Step) => void): void => readers[log](keys, bounds, take)

  return {
    steps: (page) => {
      const steps: Step[] = []
      read(page, (step) => void steps.push(step))
      return steps
    },
    events: (page) => {
      const events: Recorded[] = []
      read(page, (step) => unpack(step, events))
      return events
    },
    eventsOf: (steps) => {
      const events: Recorded[] = []
      for (const step of steps) unpack(step, events)
      return events
    },
    head: (organization) => {
      const row = selectHead.get([organization]) as [bigint, bigint, Uint8Array] | undefined // as selected
      return row && { sequence: row[0], position: row[1], line: plain(row[2]) }
    },
    lastPosition: () => (selectLast.get([])?.[0] ?? 0n) as bigint, // an integer or NULL
    importedTo: () => (selectOrigin.get([])?.[0] ?? 0n) as bigint, // an integer column
    organizations: (after, limit) => selectOrganizations.all([after, BigInt(limit)]).map(([id]) => String(id)),
    activities: standings.activities,
    pending: standings.pending,
    standingsVersion: standings.version,
    dataVersion: () => db.pragma('data_version'),
    close: db.close,
  }
}

/** Without Buffer's own methods, as the port has it. */
const plain = ({ buffer, byteOffset, length }: Uint8Array): Uint8Array => new Uint8Array(buffer, byteOffset, length)
