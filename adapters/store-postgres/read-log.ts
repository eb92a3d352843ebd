import type { ReadOptions, Recorded } from '../../core/ports/event-store.ts'
import type { Row, Value } from './driver.ts'
import { partsOf } from './parts.ts'
import type { Asking } from './pool.ts'
import { isStorable } from './storable.ts'
import type { Tables } from './tables.ts'

/** Which events to read, behind which number, and how many. */
export type Page = {
  readonly log: 'all' | 'log' | 'activity'
  /** The organization, and the activity. */
  readonly keys: readonly string[]
  readonly after: bigint
  readonly limit: number
  readonly options: ReadOptions | undefined
}

/** A step is few enough events for the memory, and enough for few round trips. */
const STEP_MAX = 2000
const STEP_MIN = 16
/** What an event is thought to have, before any was read. */
const EVENT_BYTES = 1024

export const readPage = async (connection: Asking, t: Tables, page: Page): Promise<readonly Recorded[]> => {
  if (!page.keys.every(isStorable)) return []
  const { parts = true, bytesMax = Infinity } = page.options ?? {}
  const read: Recorded[] = []
  let { after } = page
  let bytes = 0
  while (read.length < page.limit && bytes < bytesMax) {
    const each = read.length === 0 ? EVENT_BYTES : Math.max(1, bytes / read.length)
    const wanted = bytesMax <= 1 ? 1 : Math.max(STEP_MIN, Math.ceil((bytesMax - bytes) / each))
    const limit = Math.min(page.limit - read.length, STEP_MAX, wanted)
    const values = [...page.keys, after, BigInt(limit)]
    // Short reads of one log are many, and planning one takes the server longer than reading it.
    const { rows } = await (page.log === 'all'
      ? connection.query(eventsSql(t, page.log), values)
      : connection.prepared(`events-${page.log}`, eventsSql(t, page.log), values))
    const step = await withParts(connection, t, rows.map(recorded), parts)
    read.push(...step)
    for (const event of step)
      bytes += event.parts.reduce((sum, part) => sum + part.salt.length + part.bytes.length, event.line.length)
    const last = read.at(-1)
    if (rows.length < limit || last === undefined) break
    after = last[NUMBERS[page.log]]
  }
  return read
}

/** The events of each of these activities, in order, with all their parts. */
export const readActivitiesOf = async (
  connection: Asking,
  t: Tables,
  wanted: readonly ActivityOf[],
): Promise<readonly (readonly Recorded[])[]> => {
  const found = new Map(wanted.map((one) => [keyOf(one), { ...one, events: new Array<Recorded>() }]))
  const storable = [...found.values()].filter((one) => isStorable(one.organization) && isStorable(one.activity))
  const { rows } = await connection.prepared(
    'events-activities',
    `SELECT e.position, o.id, e.sequence, e.activity, e.revision, e.id, e.line
    FROM unnest($1::text[], $2::text[]) asked (organization, activity)
    JOIN ${t.organizations} o ON o.id = asked.organization
    JOIN ${t.events} e ON e.organization = o.key AND e.activity = asked.activity
    ORDER BY e.position`,
    [storable.map(({ organization }) => organization), storable.map(({ activity }) => activity)],
  )
  for (const event of await withParts(connection, t, rows.map(recorded), true))
    found.get(keyOf(event))?.events.push(event)
  return wanted.map((one) => found.get(keyOf(one))?.events ?? [])
}

const keyOf = ({ organization, activity }: ActivityOf): string => JSON.stringify([organization, activity])

export type ActivityOf = Pick<Recorded, 'organization' | 'activity'>

const NUMBERS = { all: 'position', log: 'sequence', activity: 'revision' } as const

const eventsSql = (t: Tables, log: Page['log']): string => {
  const number = NUMBERS[log]
  const own = `e.organization = (SELECT key FROM ${t.organizations} WHERE id = $1)`
  const condition = { all: '', log: `${own} AND`, activity: `${own} AND e.activity = $2 AND` }[log]
  const [after, limit] = { all: ['$1', '$2'], log: ['$2', '$3'], activity: ['$3', '$4'] }[log]
  return `
    SELECT e.position, ${log === 'all' ? 'o.id' : '$1::text'}, e.sequence, e.activity, e.revision, e.id, e.line
    FROM ${t.events} e ${log === 'all' ? `JOIN ${t.organizations} o ON o.key = e.organization` : ''}
    WHERE ${condition} e.${number} > ${after}::int8 ORDER BY e.${number} LIMIT ${limit}::int8`
}

const recorded = (row: Row): Recorded => {
  const [position, organization, sequence, activity, revision, id, line] = row as readonly [
    bigint,
    string,
    bigint,
    string,
    bigint,
    string,
    Uint8Array,
  ] // as selected
  return { position, organization, sequence, activity, revision, id, line, parts: [] }
}

const withParts = async (
  connection: Asking,
  t: Tables,
  events: readonly Recorded[],
  wanted: boolean | readonly string[],
): Promise<readonly Recorded[]> => {
  if (wanted === false || events.length === 0) return events
  const parts = await partsOf(
    connection,
    t,
    events.map(({ position }) => position),
    wanted,
  )
  return events.map((event) => ({ ...event, parts: parts.get(event.position) ?? [] }))
}

export const readLastPosition = async (connection: Asking, t: Tables): Promise<bigint> =>
  number(await connection.prepared('last-position', `SELECT max(position) FROM ${t.events}`, []))

export const readOrganizations = async (
  connection: Asking,
  t: Tables,
  after: string,
  limit: number,
): Promise<readonly string[]> => {
  const sql = `SELECT id FROM ${t.organizations} WHERE id > $1 ORDER BY id LIMIT $2::int8`
  const { rows } = await connection.query(sql, [after, BigInt(limit)])
  return rows.map(([id]) => String(id))
}

/** A number that the store has beside the log. */
export const readOrigin = async (connection: Asking, t: Tables, column: 'imported_to' | 'standings'): Promise<bigint> =>
  number(await connection.query(`SELECT ${column} FROM ${t.countersign_store}`))

export const writeOrigin = async (
  connection: Asking,
  t: Tables,
  column: 'imported_to' | 'standings',
  to: Value,
): Promise<void> => {
  await connection.query(`UPDATE ${t.countersign_store} SET ${column} = $1::int8`, [to])
}

const number = ({ rows }: { readonly rows: readonly Row[] }): bigint =>
  (rows[0]?.[0] as bigint | null | undefined) ?? 0n // int8 or NULL
