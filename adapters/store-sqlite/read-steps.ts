import type { Connection, Row } from './connection.ts'
import { reasonOf } from './reason.ts'

/**
 * A stretch of events on its way out of SQLite: their lines behind one another in one buffer, all else as JSON arrays. It
 * can be sent from one thread to another as it is.
 */
export type Step = {
  readonly count: number
  readonly lines: Uint8Array
  /** The key of the organization, where all events are of one. */
  readonly organization: number
  /** The lengths of the lines, then positions, sequences, revisions, activities, ids, and organizations' keys if they differ. */
  readonly columns: readonly string[]
  readonly parts: PartsOfStep | undefined
}
/** The parts of a step's events: salts and bytes in turn; their lengths, and positions and names. */
export type PartsOfStep = { readonly bytes: Uint8Array; readonly columns: readonly string[] }

/**
 * Reads the events behind `after`, in order, at most `limit`, and no further step when it has `bytesMax`; `keys` are the first
 * parameters of the condition. Each step is handed over before the next one is read, while it is in the processor's cache.
 */
export type StepReader = (keys: readonly string[], bounds: Bounds, take: (step: Step) => void) => void
export type Bounds = {
  readonly after: bigint
  readonly limit: number
  readonly withParts: boolean
  readonly bytesMax: number
}
export type StepReaders = { readonly [log in LogName]: StepReader }
export type LogName = 'all' | 'log' | 'activity'

/** The key of the organization whose log is read. */
const OWN = '(SELECT key FROM organizations WHERE id = ?1)'

/** The three ways in which events are looked for. */
export const stepReaders = (db: Connection): StepReaders => {
  const own = `organization = ${OWN}`
  return {
    all: stepReader(db, 'position', ''),
    log: stepReader(db, 'sequence', own),
    activity: stepReader(db, 'revision', `${own} AND activity = ?2`),
  }
}

/** How many bytes a step aims at: enough to make crossings rare, little enough to stay in the processor's cache. */
const STEP_BYTES = 128 * 1024
const STEP_ROWS_MAX = 2048
const POSITION_MAX = 2n ** 63n - 1n

/**
 * Crossing from SQLite costs more than reading does: per row, and above all per BLOB. So a step comes as one row, its
 * lines behind one another in one buffer and its columns as JSON arrays: less than half the time of a row per event.
 * The lines of a step share their memory.
 */
const stepReader = (db: Connection, column: Column, condition: string): StepReader => {
  const parameters = condition === '' ? 0 : condition.includes('?2') ? 2 : 1
  const page = `
    SELECT * FROM events WHERE ${condition === '' ? '' : `${condition} AND`} ${column} > ?${parameters + 1}
    ORDER BY ${column} LIMIT ?${parameters + 2}`
  const isOfOne = condition !== ''
  const selectRounded = db.query(selectPacked(page, column, isOfOne, (name) => name))
  const selectExact = db.query(selectPacked(page, column, isOfOne, (name) => `CAST(${name} AS TEXT)`))
  const partsOf = partsReader(db)
  let rows = 32

  const step = (keys: readonly string[], after: bigint, limit: number): Found | undefined => {
    const values = [...keys, after, BigInt(limit)]
    const rounded = foundIn(selectRounded.get(values), column)
    return rounded === undefined || rounded.largest <= EXACT_MAX ? rounded : foundIn(selectExact.get(values), column)
  }

  return (keys, { after, limit, withParts, bytesMax }, take) => {
    let [last, left, bytes] = [after, limit, 0]
    while (left > 0 && last < POSITION_MAX && bytes < bytesMax) {
      const asked = Math.min(left, rows)
      const found = unlessTooBig(() => step(keys, last, asked))
      if (found === 'too-big') {
        rows = Math.ceil(rows / 8)
        continue
      }
      if (found === undefined) break
      const { count, lines, organization, columns } = found
      const parts = withParts ? partsOf(columns[POSITIONS] ?? '[]') : undefined
      take({ count, lines, organization, columns, parts })
      if (count < asked) break
      const length = lines.length + (parts?.bytes.length ?? 0)
      rows = Math.max(1, Math.min(STEP_ROWS_MAX, Math.floor((STEP_BYTES * count) / length)))
      bytes += length
      last = found.last
      left -= count
    }
  }
}

// Each `max` takes as long as a column: only what is needed.
const selectPacked = (page: string, column: Column, isOfOne: boolean, spell: (name: string) => string): string => `
  SELECT count(*), CAST(group_concat(CAST(line AS TEXT), '') AS BLOB), max(position), max(sequence),
    ${column === 'revision' ? 'max(revision)' : '0'}, ${isOfOne ? OWN : '0'}, json_group_array(length(line)),
    json_group_array(${spell('position')}), json_group_array(${spell('sequence')}), json_group_array(${spell('revision')}),
    json_group_array(activity), json_group_array(id)${isOfOne ? '' : ', json_group_array(organization)'}
  FROM (${page})`

const POSITIONS = 1

/** Up to here, a number of JSON is exact. */
const EXACT_MAX = BigInt(Number.MAX_SAFE_INTEGER)

type Found = Omit<Step, 'parts'> & { readonly last: bigint; readonly largest: bigint }

const foundIn = (row: Row | undefined, column: Column): Found | undefined => {
  const [count, lines, position, sequence, revision, organization, ...columns] = row as Selected
  if (lines === null) return undefined
  const largest = position > sequence ? position : sequence
  const last = { position, sequence, revision }[column]
  return { count: Number(count), lines, organization: Number(organization), columns, last, largest }
}
type Column = 'position' | 'sequence' | 'revision'
/** As `selectPacked` selects it: a count, the lines, the largest numbers, and columns as JSON. */
type Selected = [bigint, Uint8Array | null, bigint, bigint, bigint, bigint, ...string[]]

/** Reads the parts of the events at these positions, a JSON array, in the order in which they were given. */
const partsReader = (db: Connection): ((positions: string) => PartsOfStep | undefined) => {
  const packed = (condition: string): string => `
    SELECT CAST(group_concat(CAST(salt AS TEXT) || CAST(bytes AS TEXT), '') AS BLOB), json_group_array(length(salt)),
      json_group_array(length(bytes)), json_group_array(CAST(position AS TEXT)), json_group_array(name)
    FROM (SELECT * FROM parts WHERE ${condition} ORDER BY position, rowid)`
  const selectBetween = db.query(packed('position BETWEEN ?1 AND ?2'))
  const selectAmong = db.query(packed('position IN (SELECT CAST(value AS INTEGER) FROM json_each(?1))'))

  return (text) => {
    const positions = JSON.parse(text) as readonly (number | string)[] // as selected
    const first = BigInt(positions[0] ?? 0)
    const last = BigInt(positions.at(-1) ?? 0)
    const isGapless = last - first + 1n === BigInt(positions.length)
    const row = isGapless ? selectBetween.get([first, last]) : selectAmong.get([text])
    const [bytes, ...columns] = row as [Uint8Array | null, ...string[]] // a BLOB, and JSON that SQLite has made
    return bytes === null ? undefined : { bytes, columns }
  }
}

/** SQLite has no value above a gigabyte: a step of very large lines is then taken in smaller ones. */
const unlessTooBig = <A>(read: () => A): A | 'too-big' => {
  try {
    return read()
  } catch (error) {
    if (reasonOf(error) === 'SQLITE_TOOBIG') return 'too-big'
    throw error
  }
}
