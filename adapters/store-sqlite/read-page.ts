import type { Part, Recorded } from '../../core/ports/event-store.ts'
import { reasonOf } from './reason.ts'
import type { Connection, Row } from './connection.ts'

/** Reads the events behind `after`, in order, at most `limit`; `keys` are the first parameters of the condition. */
export type PageReader = (
  keys: readonly string[],
  after: bigint,
  limit: number,
  withParts: boolean,
) => readonly Recorded[]

/** A number of the store, as JSON spells it: exact as a number, or as text where a number would be rounded. */
type Spelled = number | string
type Column = 'position' | 'sequence' | 'revision'

/** How many bytes a step aims at: enough to make crossings rare, little enough to stay in the processor's cache. */
const STEP_BYTES = 512 * 1024
const STEP_ROWS_MAX = 2048
const POSITION_MAX = 2n ** 63n - 1n
const ORGANIZATIONS_MAX = 100_000

/**
 * Crossing from SQLite costs more than reading does: per row, and above all per BLOB. So a step comes as one row, its
 * lines behind one another in one buffer and its columns as JSON arrays: less than half the time of a row per event.
 * The lines of a step share their memory.
 */
export const pageReader = (db: Connection, column: Column, condition: string): PageReader => {
  const parameters = condition === '' ? 0 : condition.includes('?2') ? 2 : 1
  const page = `
    SELECT * FROM events WHERE ${condition === '' ? '' : `${condition} AND`} ${column} > ?${parameters + 1}
    ORDER BY ${column} LIMIT ?${parameters + 2}`
  const selectRounded = db.query(selectPacked(page, (name) => name))
  const selectExact = db.query(selectPacked(page, (name) => `CAST(${name} AS TEXT)`))
  const selectOrganization = db.query('SELECT id FROM organizations WHERE key = ?')
  const partsOf = partsReader(db)
  const organizations = new Map<number, string>()
  let rows = 32

  const organizationOf = (key: number): string => {
    const known = organizations.get(key)
    if (known !== undefined) return known
    if (organizations.size >= ORGANIZATIONS_MAX) organizations.clear()
    const id = String(selectOrganization.get([BigInt(key)])?.[0])
    organizations.set(key, id)
    return id
  }

  const step = (keys: readonly string[], after: bigint, limit: number, withParts: boolean): readonly Recorded[] => {
    const values = [...keys, after, BigInt(Math.min(limit, rows))]
    const rounded = packedOf(selectRounded.get(values))
    if (rounded === undefined) return []
    const packed = isExact(rounded) ? rounded : (packedOf(selectExact.get(values)) ?? rounded)
    const found = unpacked(packed, withParts ? partsOf(packed.positions) : noPartsAtAll, organizationOf)
    rows = Math.max(1, Math.min(STEP_ROWS_MAX, Math.floor((STEP_BYTES * found.length) / packed.lines.length)))
    return found
  }

  return (keys, after, limit, withParts) => {
    const events: Recorded[] = []
    let last = after
    while (events.length < limit && last < POSITION_MAX) {
      const asked = Math.min(limit - events.length, rows)
      const found = unlessTooBig(() => step(keys, last, asked, withParts))
      if (found === undefined) rows = Math.ceil(rows / 8)
      else {
        for (const event of found) events.push(event)
        last = found.at(-1)?.[column] ?? last
        if (found.length < asked) break
      }
    }
    return events
  }
}

const selectPacked = (page: string, spell: (name: string) => string): string => `
  SELECT CAST(group_concat(CAST(line AS TEXT), '') AS BLOB), json_group_array(length(line)),
    json_group_array(${spell('position')}), json_group_array(organization), json_group_array(${spell('sequence')}),
    json_group_array(${spell('revision')}), json_group_array(activity), json_group_array(id)
  FROM (${page})`

type Packed = {
  readonly lines: Uint8Array
  readonly lengths: readonly number[]
  readonly positions: readonly Spelled[]
  readonly organizations: readonly number[]
  readonly sequences: readonly Spelled[]
  readonly revisions: readonly Spelled[]
  readonly activities: readonly string[]
  readonly ids: readonly string[]
}

const packedOf = (row: Row | undefined): Packed | undefined => {
  const [lines, ...columns] = row as [Uint8Array | null, ...string[]] // a BLOB, and JSON that SQLite has made
  if (lines === null) return undefined
  const [lengths, positions, organizations, sequences, revisions, activities, ids] = columns
  return {
    lines,
    lengths: numbers(lengths),
    positions: spelled(positions),
    organizations: numbers(organizations),
    sequences: spelled(sequences),
    revisions: spelled(revisions),
    activities: texts(activities),
    ids: texts(ids),
  }
}

// What each column holds is what was selected into it.
const numbers = (json = '[]'): readonly number[] => JSON.parse(json) as readonly number[]
const spelled = (json = '[]'): readonly Spelled[] => JSON.parse(json) as readonly Spelled[]
const texts = (json = '[]'): readonly string[] => JSON.parse(json) as readonly string[]

/** Whether no number was rounded on its way through JSON. Positions grow, so their last is the largest. */
const isExact = ({ positions, sequences }: Packed): boolean =>
  Number.isSafeInteger(positions.at(-1)) && sequences.every(Number.isSafeInteger)

const noParts: readonly Part[] = []
const noPartsAtAll: ReadonlyMap<Spelled, readonly Part[]> = new Map()

const unpacked = (
  { lines, lengths, positions, organizations, sequences, revisions, activities, ids }: Packed,
  parts: ReadonlyMap<Spelled, readonly Part[]>,
  organizationOf: (key: number) => string,
): readonly Recorded[] => {
  let at = lines.byteOffset
  return positions.map((position, i) => {
    const length = lengths[i] ?? 0
    const line = new Uint8Array(lines.buffer, at, length)
    at += length
    return {
      position: BigInt(position),
      organization: organizationOf(organizations[i] ?? 0),
      sequence: BigInt(sequences[i] ?? 0),
      activity: activities[i] ?? '',
      revision: BigInt(revisions[i] ?? 0),
      id: ids[i] ?? '',
      line,
      parts: parts.get(position) ?? noParts,
    }
  })
}

/** Reads the parts of the events at these positions, in the order in which they were given. */
const partsReader = (db: Connection): ((positions: readonly Spelled[]) => ReadonlyMap<Spelled, readonly Part[]>) => {
  const packed = (condition: string): string => `
    SELECT CAST(group_concat(CAST(salt AS TEXT) || CAST(bytes AS TEXT), '') AS BLOB), json_group_array(length(salt)),
      json_group_array(length(bytes)), json_group_array(CAST(position AS TEXT)), json_group_array(name)
    FROM (SELECT * FROM parts WHERE ${condition} ORDER BY position, rowid)`
  const selectBetween = db.query(packed('position BETWEEN ?1 AND ?2'))
  const selectAmong = db.query(packed('position IN (SELECT CAST(value AS INTEGER) FROM json_each(?1))'))

  return (positions) => {
    const first = BigInt(positions[0] ?? 0)
    const last = BigInt(positions.at(-1) ?? 0)
    const isGapless = last - first + 1n === BigInt(positions.length)
    const row = isGapless ? selectBetween.get([first, last]) : selectAmong.get([JSON.stringify(positions)])
    return partsByPosition(row, typeof positions[0] === 'number')
  }
}

const partsByPosition = (row: Row | undefined, isNumber: boolean): ReadonlyMap<Spelled, readonly Part[]> => {
  const byPosition = new Map<Spelled, Part[]>()
  const [bytes, ...columns] = row as [Uint8Array | null, ...string[]] // a BLOB, and JSON that SQLite has made
  if (bytes === null) return byPosition
  const [salts, lengths, names] = [numbers(columns[0]), numbers(columns[1]), texts(columns[3])]
  let at = bytes.byteOffset
  const next = (length: number) => new Uint8Array(bytes.buffer, (at += length) - length, length)
  texts(columns[2]).forEach((text, i) => {
    const part = { name: names[i] ?? '', salt: next(salts[i] ?? 0), bytes: next(lengths[i] ?? 0) }
    const position = isNumber ? Number(text) : text
    const parts = byPosition.get(position)
    if (parts === undefined) byPosition.set(position, [part])
    else parts.push(part)
  })
  return byPosition
}

/** SQLite has no value above a gigabyte: a step of very large lines is then taken in smaller ones. */
const unlessTooBig = <A>(read: () => A): A | undefined => {
  try {
    return read()
  } catch (error) {
    if (reasonOf(error) === 'SQLITE_TOOBIG') return undefined
    throw error
  }
}
