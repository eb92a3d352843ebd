import type { Connection, Row } from './connection.ts'
import { reasonOf } from './reason.ts'

/**
 * A stretch of events on its way out of SQLite: their lines behind one another in one buffer, all else as JSON arrays. It
 * can be sent from one thread to another as it is.
 */
export type Step = {
  readonly count: number
  readonly lines: Uint8Array
  /** The lengths of the lines, then positions, organizations' keys, sequences, revisions, activities and ids. */
  readonly columns: readonly string[]
  readonly parts: PartsOfStep | undefined
}
/** The parts of a step's events: salts and bytes in turn; their lengths, and positions and names. */
export type PartsOfStep = { readonly bytes: Uint8Array; readonly columns: readonly string[] }

/** Reads the events behind `after`, in order, at most `limit`; `keys` are the first parameters of the condition. */
export type StepReader = (keys: readonly string[], after: bigint, limit: number, withParts: boolean) => readonly Step[]
export type StepReaders = { readonly [log in LogName]: StepReader }
export type LogName = 'all' | 'log' | 'activity'

/** The three ways in which events are looked for. */
export const stepReaders = (db: Connection): StepReaders => {
  const own = 'organization = (SELECT key FROM organizations WHERE id = ?1)'
  return {
    all: stepReader(db, 'position', ''),
    log: stepReader(db, 'sequence', own),
    activity: stepReader(db, 'revision', `${own} AND activity = ?2`),
  }
}

/** How many bytes a step aims at: enough to make crossings rare, little enough to stay in the processor's cache. */
const STEP_BYTES = 512 * 1024
const STEP_ROWS_MAX = 2048
const POSITION_MAX = 2n ** 63n - 1n

/**
 * Crossing from SQLite costs more than reading does: per row, and above all per BLOB. So a step comes as one row, its
 * lines behind one another in one buffer and its columns as JSON arrays: less than half the time of a row per event.
 * The lines of a step share their memory.
 */
const stepReader = (db: Connection, column: 'position' | 'sequence' | 'revision', condition: string): StepReader => {
  const parameters = condition === '' ? 0 : condition.includes('?2') ? 2 : 1
  const page = `
    SELECT * FROM events WHERE ${condition === '' ? '' : `${condition} AND`} ${column} > ?${parameters + 1}
    ORDER BY ${column} LIMIT ?${parameters + 2}`
  const selectRounded = db.query(selectPacked(page, column, (name) => name))
  const selectExact = db.query(selectPacked(page, column, (name) => `CAST(${name} AS TEXT)`))
  const partsOf = partsReader(db)
  let rows = 32

  const step = (keys: readonly string[], after: bigint, limit: number): Found | undefined => {
    const values = [...keys, after, BigInt(limit)]
    const rounded = foundIn(selectRounded.get(values))
    return rounded === undefined || isExact(rounded) ? rounded : foundIn(selectExact.get(values))
  }

  return (keys, after, limit, withParts) => {
    const steps: Step[] = []
    let [last, left] = [after, limit]
    while (left > 0 && last < POSITION_MAX) {
      const asked = Math.min(left, rows)
      const found = unlessTooBig(() => step(keys, last, asked))
      if (found === 'too-big') {
        rows = Math.ceil(rows / 8)
        continue
      }
      if (found === undefined) break
      const { count, lines, columns } = found
      steps.push({ count, lines, columns, parts: withParts ? partsOf(columns[POSITIONS] ?? '[]') : undefined })
      if (count < asked) break
      rows = Math.max(1, Math.min(STEP_ROWS_MAX, Math.floor((STEP_BYTES * count) / lines.length)))
      last = found.last
      left -= count
    }
    return steps
  }
}

const selectPacked = (page: string, column: string, spell: (name: string) => string): string => `
  SELECT count(*), max(${column}), CAST(group_concat(CAST(line AS TEXT), '') AS BLOB), json_group_array(length(line)),
    json_group_array(${spell('position')}), json_group_array(organization), json_group_array(${spell('sequence')}),
    json_group_array(${spell('revision')}), json_group_array(activity), json_group_array(id)
  FROM (${page})`

const [POSITIONS, SEQUENCES] = [1, 3]

type Found = Omit<Step, 'parts'> & { readonly last: bigint }

const foundIn = (row: Row | undefined): Found | undefined => {
  const [count, last, lines, ...columns] = row as [bigint, bigint, Uint8Array | null, ...string[]] // as selected
  return lines === null ? undefined : { count: Number(count), last, lines, columns }
}

/** Whether no number was rounded on its way through JSON. */
const isExact = ({ columns }: Found): boolean =>
  !LONG.test(columns[POSITIONS] ?? '') && !LONG.test(columns[SEQUENCES] ?? '')
const LONG = /[0-9]{16}/

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
