import type { Connection, Row } from './connection.ts'
import { EXACT_MAX, partsReader, type PartsOfStep } from './read-parts.ts'
import { reasonOf } from './reason.ts'

/**
 * Some consecutive events from SQLite: their lines behind one another in one buffer, all other columns as JSON arrays. A step can be sent
 * from one thread to another without conversion.
 */
export type Step = {
  readonly count: number
  readonly lines: Uint8Array
  /** The key of the organization, if all events are of one organization. */
  readonly organization: number
  /** The lengths of the lines, then positions, sequences, revisions, activities, ids, and organizations' keys if they differ. */
  readonly columns: readonly string[]
  readonly parts: PartsOfStep | undefined
}

/**
 * Reads the events behind `after`, in order, at most `limit`; it begins no further step after `bytesMax` bytes. `keys` are the first
 * parameters of the condition. `take` gets each step before the next one is read, while it is in the processor's cache.
 */
export type StepReader = (keys: readonly string[], bounds: Bounds, take: (step: Step) => void) => void
export type Bounds = {
  readonly after: bigint
  readonly limit: number
  readonly parts: boolean | readonly string[]
  readonly bytesMax: number
}
export type StepReaders = { readonly [log in LogName]: StepReader }
export type LogName = 'all' | 'log' | 'activity'

/** The key of the organization whose log is read. */
const OWN = '(SELECT key FROM organizations WHERE id = ?1)'

/** The readers of all events, of one log, and of one activity. */
export const stepReaders = (db: Connection): StepReaders => {
  const own = `organization = ${OWN}`
  return {
    all: stepReader(db, 'position', ''),
    log: stepReader(db, 'sequence', own),
    activity: stepReader(db, 'revision', `${own} AND activity = ?2`),
  }
}

/** The approximate bytes of a step: enough for few calls into SQLite, and few enough for the processor's cache. */
const STEP_BYTES = 128 * 1024
const STEP_ROWS_MAX = 2048
const POSITION_MAX = 2n ** 63n - 1n

/**
 * Passing values from SQLite to JavaScript costs more than reading them: per row, and above all per BLOB. So a step is one row, with its
 * lines behind one another in one buffer and its columns as JSON arrays. This takes less than half the time of a row per event. The lines
 * of a step share their memory.
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

  return (keys, { after, limit, parts: wanted, bytesMax }, take) => {
    let [last, left, bytes] = [after, limit, 0]
    while (left > 0 && last < POSITION_MAX && bytes < bytesMax) {
      const atOnce = Math.min(left, rows)
      const found = unlessTooBig(() => step(keys, last, atOnce))
      if (found === 'too-big') {
        rows = Math.ceil(rows / 8)
        continue
      }
      if (found === undefined) break
      const { count, lines, organization, columns } = found
      const parts = wanted === false ? undefined : partsOf(columns[POSITIONS] ?? '[]', wanted)
      take({ count, lines, organization, columns, parts })
      if (count < atOnce) break
      const length = lines.length + (parts?.bytes.length ?? 0)
      rows = Math.max(1, Math.min(STEP_ROWS_MAX, Math.floor((STEP_BYTES * count) / length)))
      bytes += length
      last = found.last
      left -= count
    }
  }
}

// Each `max` takes as long as a column, so only the needed ones are selected.
const selectPacked = (page: string, column: Column, isOfOne: boolean, spell: (name: string) => string): string => `
  SELECT count(*), CAST(group_concat(CAST(line AS TEXT), '') AS BLOB), max(position), max(sequence),
    ${column === 'revision' ? 'max(revision)' : '0'}, ${isOfOne ? OWN : '0'}, json_group_array(length(line)),
    json_group_array(${spell('position')}), json_group_array(${spell('sequence')}), json_group_array(${spell('revision')}),
    json_group_array(activity), json_group_array(id)${isOfOne ? '' : ', json_group_array(organization)'}
  FROM (${page})`

const POSITIONS = 1

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

/** SQLite has no values above a gigabyte: then a step of very large lines is read as smaller steps. */
const unlessTooBig = <A>(read: () => A): A | 'too-big' => {
  try {
    return read()
  } catch (error) {
    if (reasonOf(error) === 'SQLITE_TOOBIG') return 'too-big'
    throw error
  }
}
