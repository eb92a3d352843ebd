import type { Known, LogEnd } from '../../core/ports/append-rules.ts'
import type { Appended, Commit } from '../../core/ports/event-store.ts'
import type { Row, Value } from './driver.ts'
import type { GroupRows } from './group-rows.ts'
import { judgeGroup, streamOf, type Found, type Numbering } from './judge-group.ts'
import type { Asking } from './pool.ts'
import { isStorable } from './storable.ts'
import type { Tables } from './tables.ts'

export type Written = {
  /** For each call, the outcomes of its commits. */
  readonly answers: readonly (readonly Appended[])[]
  /** The position of the last event of the store, if the group wrote any. */
  readonly wroteTo: bigint | undefined
}

/** Looks up, judges and writes the commits of several calls, inside a transaction that has the lock. */
export const appendGroup =
  (t: Tables, numbering: Numbering) =>
  async (connection: Asking, calls: readonly (readonly Commit[])[]): Promise<Written> => {
    const found = await lookUp(connection, t, calls.flat())
    const { answers, rows, lastPosition } = judgeGroup(calls, found, numbering)
    if (rows.isEmpty()) return { answers, wroteTo: undefined }
    await insert(connection, t, rows)
    return { answers, wroteTo: lastPosition }
  }

/** One statement, so that everything is of one moment. */
const lookUp = async (connection: Asking, t: Tables, commits: readonly Commit[]): Promise<Found> => {
  const organizations = new Set<string>()
  const streams = new Map<string, readonly [string, string]>()
  const ids = new Set<string>()
  for (const { organization, events, checks } of commits) {
    organizations.add(organization)
    for (const check of checks) organizations.add(check.organization)
    for (const { activity, id } of events) {
      streams.set(streamOf(organization, activity), [organization, activity])
      ids.add(id)
    }
  }
  const pairs = [...streams.values()].filter((pair) => pair.every(isStorable))
  const { rows } = await connection.query(lookUpSql(t), [
    [...organizations].filter(isStorable),
    pairs.map(([organization]) => organization),
    pairs.map(([, activity]) => activity),
    [...ids].filter(isStorable),
  ])
  return foundIn(rows)
}

/** Rows of four kinds: the store's last position and key, heads, revisions and known ids. */
const lookUpSql = (t: Tables): string => `
  SELECT 's', NULL, NULL, (SELECT max(position) FROM ${t.events}), (SELECT max(key) FROM ${t.organizations}), NULL::int8, NULL::bytea
  UNION ALL
  SELECT 'h', o.id, h.id, h.position, o.key, h.sequence, NULL
  FROM ${t.organizations} o
  CROSS JOIN LATERAL (
    SELECT sequence, position, id FROM ${t.events} WHERE organization = o.key ORDER BY sequence DESC LIMIT 1) h
  WHERE o.id = ANY ($1::text[])
  UNION ALL
  SELECT 'r', s.organization, s.activity, r.revision, NULL, NULL, NULL
  FROM unnest($2::text[], $3::text[]) s (organization, activity)
  JOIN ${t.organizations} o ON o.id = s.organization
  CROSS JOIN LATERAL (
    SELECT revision FROM ${t.events} WHERE organization = o.key AND activity = s.activity ORDER BY revision DESC LIMIT 1) r
  UNION ALL
  SELECT 'k', e.id, o.id, e.position, NULL, e.sequence, e.line
  FROM ${t.events} e JOIN ${t.organizations} o ON o.key = e.organization
  WHERE e.id = ANY ($4::text[])`

type Looked = readonly [string, string, string, bigint, bigint, bigint, Uint8Array]

const foundIn = (rows: readonly Row[]): Found => {
  const heads = new Map<string, LogEnd & { readonly key: bigint }>()
  const revisions = new Map<string, bigint>()
  const known = new Map<string, Known>()
  let lastPosition: bigint | undefined
  let lastKey = 0n
  for (const row of rows) {
    const [kind, a, b, position, key, sequence, line] = row as Looked // as selected
    if (kind === 's') {
      lastPosition = (row[3] as bigint | null) ?? undefined // NULL if the store is empty
      lastKey = (row[4] as bigint | null) ?? 0n
    } else if (kind === 'h') heads.set(a, { key, sequence, position, id: b })
    else if (kind === 'r') revisions.set(streamOf(a, b), position)
    else known.set(a, { organization: b, sequence, position, line })
  }
  return { lastPosition, lastKey, heads, revisions, known }
}

/** One statement for all tables: a round trip to the server costs more than most groups. */
const insert = async (connection: Asking, t: Tables, rows: GroupRows): Promise<void> => {
  const values: Value[] = []
  const inserts: string[] = []
  const add = (columns: readonly Value[] | undefined, sql: (p: (n: number) => string) => string): void => {
    if (columns === undefined) return
    const offset = values.length
    values.push(...columns)
    inserts.push(sql((n) => `$${offset + n}`))
  }

  add(
    rows.organizations(),
    (p) => `INSERT INTO ${t.organizations} SELECT * FROM unnest(${p(1)}::int8[], ${p(2)}::text[])`,
  )
  add(
    rows.events(),
    (p) => `
    INSERT INTO ${t.events}
    SELECT position, organization, sequence, revision, activity, id, ${slice(p(7))}
    FROM unnest(${p(1)}::int8[], ${p(2)}::int8[], ${p(3)}::int8[], ${p(4)}::int8[], ${p(5)}::text[], ${p(6)}::text[],
      ${p(8)}::int4[], ${p(9)}::int4[]) e (position, organization, sequence, revision, activity, id, start, length)`,
  )
  add(
    rows.parts(),
    (p) => `
    INSERT INTO ${t.parts}
    SELECT position, ordinal, name, ${slice(p(4), 'salt_')}, ${slice(p(7))}
    FROM unnest(${p(1)}::int8[], ${p(2)}::int4[], ${p(3)}::text[], ${p(5)}::int4[], ${p(6)}::int4[], ${p(8)}::int4[], ${p(9)}::int4[])
      e (position, ordinal, name, salt_start, salt_length, start, length)`,
  )
  add(rows.standings(), (p) => standingsSql(t, p))
  const last = inserts.pop() ?? ''
  const others = inserts.map((sql, n) => `i${n} AS (${sql})`)
  await connection.query(others.length === 0 ? last : `WITH ${others.join(', ')} ${last}`, values)
}

const slice = (bytes: string, prefix = ''): string =>
  `substring(${bytes}::bytea FROM ${prefix}start FOR ${prefix}length)`

/**
 * Sets the standings of activities. The first events of those that began earlier are looked up; an activity that has none is left out.
 *
 * @param p  parameters: keys of organizations, activities, sequences and positions of first events (or NULL), types (or NULL), statuses
 */
export const standingsSql = (t: Tables, p: (n: number) => string): string => `
  INSERT INTO ${t.standings} AS was
  SELECT s.organization, s.activity, coalesce(s.sequence, e.sequence), coalesce(s.position, e.position), s.type, s.status
  FROM unnest(${p(1)}::int8[], ${p(2)}::text[], ${p(3)}::int8[], ${p(4)}::int8[], ${p(5)}::text[], ${p(6)}::text[])
    s (organization, activity, sequence, position, type, status)
  LEFT JOIN ${t.events} e
    ON s.sequence IS NULL AND e.organization = s.organization AND e.activity = s.activity AND e.revision = 1
  WHERE s.sequence IS NOT NULL OR e.sequence IS NOT NULL
  ON CONFLICT (organization, activity) DO UPDATE SET type = coalesce(excluded.type, was.type), status = excluded.status`
