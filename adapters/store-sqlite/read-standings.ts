import { PENDING, type ActivitySelection, type ListedActivity } from '../../core/ports/event-store.ts'
import type { Connection, Row, Value } from './connection.ts'
import { pageQuery, type Rows } from './merged-pages.ts'
import { rememberedStatements } from './remembered.ts'

/** Lists of activities, from the columns beside their first events. */
export type StandingsReader = {
  readonly activities: (organization: string, selection: ActivitySelection) => readonly ListedActivity[]
  readonly pending: (after: bigint, limit: number) => readonly ListedActivity[]
  readonly version: () => bigint
}

export const standingsReader = (db: Connection): StandingsReader => {
  const selectKey = db.query('SELECT key FROM organizations WHERE id = ?')
  const selectPairs = db.query(PAIRS)
  const selectPending = db.query(`
    SELECT o.id, ${COLUMNS} FROM events e JOIN organizations o ON o.key = e.organization
    WHERE e.status = '${PENDING}' AND e.type IS NOT NULL AND e.position > ?1 ORDER BY e.position LIMIT ?2`)
  const selectVersion = db.query('SELECT standings FROM origin')
  const statementOf = rememberedStatements(db)

  return {
    activities: (organization, selection) => {
      const key = selectKey.get([organization])?.[0]
      if (key === undefined) return []
      const { types, statuses } = selection
      if (types === undefined && statuses === undefined) {
        const { sql, values } = nearQuery(key, selection)
        const near = statementOf(sql).all(values)
        if (near.length === selection.limit) return near.map((row) => listed(organization, row))
      }
      const pairs = (selectPairs.all([key]) as (readonly [string, string])[]) // two texts
        .filter(([type, status]) => types?.includes(type) !== false && statuses?.includes(status) !== false)
      const found: ListedActivity[] = []
      for (let at = 0; at < pairs.length; at += PAIRS_MAX) {
        const { sql, values } = standingsQuery(key, pairs.slice(at, at + PAIRS_MAX), selection)
        for (const row of statementOf(sql).all(values)) found.push(listed(organization, row))
      }
      return pairs.length <= PAIRS_MAX ? found : firstOf(found, selection)
    },
    pending: (after, limit) =>
      selectPending.all([after, BigInt(limit)]).map(([organization, ...row]) => listed(String(organization), row)),
    version: () => (selectVersion.get([])?.[0] ?? 0n) as bigint, // an integer column
  }
}

const COLUMNS = 'e.activity, e.sequence, e.position, e.type, e.status'

const listed = (organization: string, row: Row): ListedActivity => {
  const [activity, sequence, position, type, status] = row as [string, bigint, bigint, string, string] // as selected
  return { organization, activity, sequence, position, type, status }
}

/** How many events are looked through for each activity of a page. */
const NEAR = 4

const EVENTS: Rows = { columns: 'position, sequence', table: 'events', scope: 'organization', order: 'sequence' }

/**
 * Looks through the next events of the log, whatever they are. For a list without filters they mostly hold the whole page, and then there is
 * no need to merge the pages of all pairs.
 */
export const nearQuery = (key: Value, selection: ActivitySelection) => {
  const { values, direction, branches } = pageQuery(EVENTS, key, selection)
  return {
    sql: `
    SELECT ${COLUMNS} FROM (${branches([''], `${NEAR} * ?2`)}) near
    JOIN events e ON e.position = near.position WHERE e.type IS NOT NULL ORDER BY e.sequence ${direction} LIMIT ?2`,
    values,
  }
}

/**
 * All pairs of type and status that an organization has. It takes two steps in the index for each pair, and reads no activity: SQLite would
 * walk through all activities of a pair to find the first row behind `(type, status)`.
 */
export const PAIRS = `
  WITH RECURSIVE pairs (type, status) AS (
    SELECT * FROM (SELECT type, status FROM events WHERE organization = ?1 AND type > '' ORDER BY type, status LIMIT 1)
    UNION ALL
    SELECT e.type, e.status FROM pairs p JOIN events e ON e.position = coalesce(
      (SELECT position FROM events WHERE organization = ?1 AND type = p.type AND status > p.status ORDER BY status LIMIT 1),
      (SELECT position FROM events WHERE organization = ?1 AND type > p.type ORDER BY type, status LIMIT 1)))
  SELECT type, status FROM pairs`

/** SQLite takes at most 500 parts of a compound query. */
const PAIRS_MAX = 400

/** Merges the pages of all pairs of type and status. */
export const standingsQuery = (
  key: Value,
  pairs: readonly (readonly [string, string])[],
  selection: ActivitySelection,
) => {
  const { values, direction, parameter, branches } = pageQuery(EVENTS, key, selection)
  const conditions = pairs.map(([type, status]) => ` AND type = ${parameter(type)} AND status = ${parameter(status)}`)
  return {
    sql: `
    SELECT ${COLUMNS} FROM (
      SELECT position FROM (${branches(conditions)}) ORDER BY sequence ${direction} LIMIT ?2) found
    JOIN events e ON e.position = found.position ORDER BY e.sequence ${direction}`,
    values,
  }
}

const firstOf = (found: readonly ListedActivity[], { limit, ascending = false }: ActivitySelection) =>
  found.toSorted((a, b) => Number(ascending ? a.sequence - b.sequence : b.sequence - a.sequence)).slice(0, limit)
