import type { Value } from './driver.ts'
import type { GroupRows } from './group-rows.ts'
import type { Found } from './judge-group.ts'
import type { Asking } from './pool.ts'
import type { Tables } from './tables.ts'
import { HAS_LOCK } from './transaction.ts'

/** What has to stand still, if rows were judged without the lock. */
export type Standing = {
  readonly organizations: readonly string[]
  readonly found: Found
  readonly firstPosition: bigint
}

/**
 * Writes the rows of a group, with one statement for all tables.
 *
 * @param standing  only if the transaction is without the lock until this statement, or may be without one
 * @returns how far the rows stand behind the positions that they were given; `undefined` if something else stands now, and nothing was written
 */
export const insertRows = async (
  connection: Asking,
  t: Tables,
  rows: GroupRows,
  standing?: Standing,
): Promise<bigint | undefined> => {
  const values: Value[] = []
  const tables: string[] = []
  let name = standing === undefined ? 'insert' : 'insert-ahead'
  const add = (
    table: string,
    columns: readonly Value[] | undefined,
    sql: (p: (n: number) => string) => string,
  ): void => {
    if (columns === undefined) return
    const offset = values.length
    values.push(...columns)
    tables.push(`${table} AS MATERIALIZED (${sql((n) => `$${offset + n}`)})`)
    if (table !== 'base') name += `-${table}`
  }

  add('base', standing === undefined ? [] : standingValues(standing), (p) =>
    standing === undefined ? 'SELECT 0::int8 AS shift' : standingSql(t, p),
  )
  add(
    'organizations',
    rows.organizations(),
    (p) =>
      `INSERT INTO ${t.organizations} SELECT key, id FROM base, unnest(${p(1)}::int8[], ${p(2)}::text[]) o (key, id)`,
  )
  add(
    'events',
    rows.events(),
    (p) => `
    INSERT INTO ${t.events}
    SELECT position + shift, organization, sequence, revision, activity, id, ${slice(p(7))}
    FROM base, unnest(${p(1)}::int8[], ${p(2)}::int8[], ${p(3)}::int8[], ${p(4)}::int8[], ${p(5)}::text[], ${p(6)}::text[],
      ${p(8)}::int4[], ${p(9)}::int4[]) e (position, organization, sequence, revision, activity, id, start, length)`,
  )
  add(
    'parts',
    rows.parts(),
    (p) => `
    INSERT INTO ${t.parts}
    SELECT position + shift, ordinal, name, ${slice(p(4), 'salt_')}, ${slice(p(7))}
    FROM base, unnest(${p(1)}::int8[], ${p(2)}::int4[], ${p(3)}::text[], ${p(5)}::int4[], ${p(6)}::int4[], ${p(8)}::int4[], ${p(9)}::int4[])
      e (position, ordinal, name, salt_start, salt_length, start, length)`,
  )
  add('standings', rows.standings(), (p) => standingsSql(t, p, 'base'))
  const { rows: told } = await connection.prepared(name, `WITH ${tables.join(', ')} SELECT shift FROM base`, values)
  return told[0]?.[0] as bigint | undefined // int8
}

/** The heads of organizations that were there, and the last key, which stays as it is if no organization was begun. */
const standingValues = ({ organizations, found, firstPosition }: Standing): readonly Value[] => {
  const heads = organizations.flatMap((id) => found.heads.get(id) ?? [])
  const hasNew = heads.length < organizations.length
  return [
    heads.map(({ key }) => key),
    heads.map(({ sequence }) => sequence),
    hasNew ? found.lastKey : null,
    firstPosition - 1n,
    found.lastPosition ?? firstPosition - 1n,
  ]
}

const standingSql = (t: Tables, p: (n: number) => string): string => `
  SELECT coalesce((SELECT max(position) FROM ${t.events}), ${p(4)}::int8) - ${p(5)}::int8 AS shift
  WHERE ${HAS_LOCK}
    AND (${p(3)}::int8 IS NULL OR ${p(3)}::int8 = coalesce((SELECT max(key) FROM ${t.organizations}), 0))
    AND NOT EXISTS (
      SELECT 1 FROM unnest(${p(1)}::int8[], ${p(2)}::int8[]) was (key, sequence)
      WHERE was.sequence <> (SELECT sequence FROM ${t.events} WHERE organization = was.key ORDER BY sequence DESC LIMIT 1))`

const slice = (bytes: string, prefix = ''): string =>
  `substring(${bytes}::bytea FROM ${prefix}start FOR ${prefix}length)`

/**
 * Sets the standings of activities. The first events of those that began earlier are looked up; an activity that has none is left out.
 *
 * @param base  a table of one row with the number that is added to the positions
 * @param p  parameters: keys of organizations, activities, sequences and positions of first events (or NULL), types (or NULL), statuses
 */
export const standingsSql = (t: Tables, p: (n: number) => string, base = '(VALUES (0)) base (shift)'): string => `
  INSERT INTO ${t.standings} AS was
  SELECT s.organization, s.activity, coalesce(s.sequence, e.sequence), coalesce(s.position + base.shift, e.position), s.type, s.status
  FROM ${base} CROSS JOIN unnest(${p(1)}::int8[], ${p(2)}::text[], ${p(3)}::int8[], ${p(4)}::int8[], ${p(5)}::text[], ${p(6)}::text[])
    s (organization, activity, sequence, position, type, status)
  LEFT JOIN LATERAL (
    SELECT sequence, position FROM ${t.events}
    WHERE s.sequence IS NULL AND organization = s.organization AND activity = s.activity AND revision = 1 LIMIT 1) e ON true
  WHERE s.sequence IS NOT NULL OR e.sequence IS NOT NULL
  ON CONFLICT (organization, activity) DO UPDATE SET type = coalesce(excluded.type, was.type), status = excluded.status`
