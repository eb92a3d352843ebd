import { partSelection } from '../../core/ports/part-selection.ts'
import type { Connection, Value } from './connection.ts'
import { rememberedStatements } from './remembered.ts'

/** The parts of a step's events: salts and bytes in turn, with their lengths, positions and names in the columns. */
export type PartsOfStep = { readonly bytes: Uint8Array; readonly columns: readonly string[] }

/**
 * Reads the parts of the events at these positions (a JSON array), in the order of the append.
 *
 * @param wanted  `true` for all parts, or a list as in `ReadOptions.parts`
 */
export type PartsReader = (positions: string, wanted: true | readonly string[]) => PartsOfStep | undefined

/** In SQL, the name of an erased part: as many NULs as its name had bytes. No part that is there has a NUL in its name. */
export const ERASED_NAME = 'CAST(zeroblob(length(CAST(name AS BLOB))) AS TEXT)'
const IS_THERE = 'name >= char(1)'

export const partsReader = (db: Connection): PartsReader => {
  const statementOf = rememberedStatements(db)

  return (text, wanted) => {
    const positions = JSON.parse(text) as readonly (number | string)[] // as selected
    const first = BigInt(positions[0] ?? 0)
    const last = BigInt(positions.at(-1) ?? 0)
    const isGapless = last - first + 1n === BigInt(positions.length)
    const place = isGapless ? BETWEEN : AMONG
    const placed: readonly Value[] = isGapless ? [first, last] : [text, null]
    const position = last <= EXACT_MAX ? 'position' : 'CAST(position AS TEXT)'
    const row =
      wanted === true
        ? statementOf(packed(position, place)).get(placed)
        : statementOf(
            packed(position, `${place} AND ${wanted.includes('request') ? SELECTED : SELECTED_NO_REQUEST}`, RANGES),
          ).get([...placed, ...selected(wanted)])
    const [bytes, ...columns] = row as [Uint8Array | null, ...string[]] // a BLOB, and JSON that SQLite has made
    return bytes === null ? undefined : { bytes, columns }
  }
}

const packed = (position: string, condition: string, ranges = ''): string => `
  ${ranges}
  SELECT CAST(group_concat(CAST(salt AS TEXT) || CAST(bytes AS TEXT), '') AS BLOB), json_group_array(length(salt)),
    json_group_array(length(bytes)), json_group_array(${position}), json_group_array(name)
  FROM (SELECT * FROM parts WHERE ${condition} AND ${IS_THERE} ORDER BY position, rowid)`

/** The largest integer for which a number of JSON is exact. */
export const EXACT_MAX = BigInt(Number.MAX_SAFE_INTEGER)

const BETWEEN = 'position BETWEEN ?1 AND ?2'
const AMONG = 'position IN (SELECT CAST(value AS INTEGER) FROM json_each(?1)) AND ?2 IS NULL'

/** The third parameter has names; the fourth has ranges of names, each from the first name up to the one behind the last. */
const RANGES = `WITH ranges AS MATERIALIZED (
    SELECT json_extract(value, '$[0]') AS low, json_extract(value, '$[1]') AS high FROM json_each(?4))`
const SELECTED = `(name IN (SELECT value FROM json_each(?3))
    OR EXISTS (SELECT 1 FROM ranges WHERE parts.name >= low AND parts.name < high))`
/** With this condition, SQLite uses an index in which there are no requests, and so it reads none of their rows. */
const SELECTED_NO_REQUEST = `name <> 'request' AND ${SELECTED}`

const selected = (wanted: readonly string[]): readonly string[] => {
  const { names, prefixes } = partSelection(wanted)
  return [JSON.stringify(names), JSON.stringify(prefixes.map((prefix) => [prefix, behind(prefix)]))]
}

/** The first text behind all that begin with this one: its last character, `:` or `.`, is replaced by the next. */
const behind = (prefix: string): string =>
  prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1)
