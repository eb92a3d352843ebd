import {
  PENDING,
  type ActivitySelection,
  type ActivityStanding,
  type ListedActivity,
} from '../../core/ports/event-store.ts'
import { standingsSql } from './insert-rows.ts'
import type { Row, Value } from './driver.ts'
import type { Asking } from './pool.ts'
import { isStorable } from './storable.ts'
import type { Tables } from './tables.ts'

/** The activities of an organization that fit the selection, in the order of their first events. */
export const readActivities = async (
  connection: Asking,
  t: Tables,
  organization: string,
  selection: ActivitySelection,
): Promise<readonly ListedActivity[]> => {
  if (!isStorable(organization)) return []
  const { limit, ascending = false, after, types, statuses } = selection
  const direction = ascending ? 'ASC' : 'DESC'
  const values: Value[] = [organization, BigInt(limit)]
  const parameter = (value: Value): string => `$${values.push(value)}`
  const behind = after === undefined ? '' : `AND sequence ${ascending ? '>' : '<'} ${parameter(after)}::int8`
  const page = (condition: string): string => `
    SELECT * FROM ${t.standings}
    WHERE organization = (SELECT key FROM own) AND type IS NOT NULL ${condition} ${behind}
    ORDER BY sequence ${direction} LIMIT $2::int8`
  const wanted = [
    ...(types === undefined ? [] : [`p.type = ANY (${parameter(types.filter(isStorable))}::text[])`]),
    ...(statuses === undefined ? [] : [`p.status = ANY (${parameter(statuses.filter(isStorable))}::text[])`]),
  ]
  const sql =
    wanted.length === 0
      ? `WITH ${own(t)} SELECT ${COLUMNS} FROM (${page('')}) s`
      : `WITH RECURSIVE ${own(t)}, ${pairs(t)}
        SELECT ${COLUMNS} FROM pairs p CROSS JOIN LATERAL (${page('AND type = p.type AND status = p.status')}) s
        WHERE ${wanted.join(' AND ')} ORDER BY s.sequence ${direction} LIMIT $2::int8`
  const { rows } = await connection.query(sql, values)
  return rows.map(listed)
}

const own = (t: Tables): string => `own AS MATERIALIZED (SELECT id, key FROM ${t.organizations} WHERE id = $1)`

/**
 * The pairs of type and status that the organization has. Each is found by one look into an index, and for each pair that is wanted a page
 * is read from an index: so a rare pair does not cost a walk through the whole log.
 */
const pairs = (t: Tables): string => `pairs AS (
  (SELECT type, status FROM ${t.standings} WHERE organization = (SELECT key FROM own) AND type IS NOT NULL
    ORDER BY type, status LIMIT 1)
  UNION ALL
  SELECT next.type, next.status FROM pairs CROSS JOIN LATERAL (
    SELECT type, status FROM ${t.standings}
    WHERE organization = (SELECT key FROM own) AND type IS NOT NULL AND (type, status) > (pairs.type, pairs.status)
    ORDER BY type, status LIMIT 1) next)`

const COLUMNS = '(SELECT id FROM own), s.activity, s.sequence, s.position, s.type, s.status'

export const readPending = async (
  connection: Asking,
  t: Tables,
  after: bigint,
  limit: number,
): Promise<readonly ListedActivity[]> => {
  const { rows } = await connection.query(
    `SELECT o.id, s.activity, s.sequence, s.position, s.type, s.status
    FROM ${t.standings} s JOIN ${t.organizations} o ON o.key = s.organization
    WHERE s.status = '${PENDING}' AND s.type IS NOT NULL AND s.position > $1::int8 ORDER BY s.position LIMIT $2::int8`,
    [after, BigInt(limit)],
  )
  return rows.map(listed)
}

const listed = (row: Row): ListedActivity => {
  const [organization, activity, sequence, position, type, status] = row as readonly [
    string,
    string,
    bigint,
    bigint,
    string,
    string,
  ] // as selected
  return { organization, activity, sequence, position, type, status }
}

/** Replaces standings, inside a transaction that has the lock. */
export const writeStandings = async (
  connection: Asking,
  t: Tables,
  standings: readonly ActivityStanding[],
): Promise<void> => {
  // The statement takes one row for each activity.
  const last = new Map<string, ActivityStanding>()
  for (const one of standings) {
    const name = JSON.stringify([one.organization, one.activity])
    last.set(name, { ...one, type: one.type ?? last.get(name)?.type })
  }
  const all = [...last.values()].filter(
    ({ organization, activity }) => isStorable(organization) && isStorable(activity),
  )
  if (all.length === 0) return
  const ids = [...new Set(all.map(({ organization }) => organization))]
  const { rows } = await connection.query(`SELECT id, key FROM ${t.organizations} WHERE id = ANY ($1::text[])`, [ids])
  const keys = new Map(rows.map(([id, key]) => [id as string, key as bigint])) // as selected
  const known = all.flatMap((one) => {
    const key = keys.get(one.organization)
    return key === undefined ? [] : [{ ...one, key }]
  })
  const nulls = known.map(() => null)
  await connection.query(
    standingsSql(t, (n) => `$${n}`),
    [
      known.map(({ key }) => key),
      known.map(({ activity }) => activity),
      nulls,
      nulls,
      known.map(({ type }) => type ?? null),
      known.map(({ status }) => status),
    ],
  )
}
