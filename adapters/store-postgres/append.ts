import type { Known } from '../../core/ports/append-rules.ts'
import type { Appended, Commit } from '../../core/ports/event-store.ts'
import type { Row, Value } from './driver.ts'
import type { GroupRows } from './group-rows.ts'
import { refuse } from './failures.ts'
import { judgeGroup, streamOf, type Found, type Numbering } from './judge-group.ts'
import type { Asking } from './pool.ts'
import { isStorable } from './storable.ts'
import type { Tables } from './tables.ts'
import type { Steps } from './transaction.ts'

export type Written = {
  /** For each call, the outcomes of its commits. */
  readonly answers: readonly (readonly Appended[])[]
  /** The position of the last event of the store, if the group wrote any. */
  readonly wroteTo: bigint | undefined
}

/**
 * The steps that look up, judge and write the commits of several calls, inside a transaction that has the lock.
 *
 * @param isTrusting  looks up only what no unique index finds out: the ids of new commits are new, and an activity that begins has not begun. Where
 *   that is not so, the statement that writes violates an index; then the group is to be written again, without trusting
 */
export const groupSteps =
  (t: Tables, numbering: Numbering) =>
  (calls: readonly (readonly Commit[])[], isTrusting: boolean): Steps<Found, Written> => {
    const commits = calls.flat()
    return {
      look: (connection) => (isTrusting ? lookUpLittle : lookUp)(connection, t, commits),
      write: async (connection, found) => {
        const judged =
          judgeGroup(calls, found, numbering) ?? judgeGroup(calls, await lookUp(connection, t, commits), numbering)
        if (judged === undefined) throw refuse('INTERNAL', 'the store does not know what it has looked up')
        const { answers, rows, lastPosition } = judged
        return rows.isEmpty()
          ? { answer: { answers, wroteTo: undefined } }
          : { answer: { answers, wroteTo: lastPosition }, write: () => insert(connection, t, rows) }
      },
    }
  }

/** One statement, so that everything is of one moment. */
const lookUp = async (connection: Asking, t: Tables, commits: readonly Commit[]): Promise<Found> => {
  const streams = new Map<string, Stream>()
  const ids = new Set<string>()
  for (const { organization, events } of commits)
    for (const { activity, id } of events) {
      streams.set(streamOf(organization, activity), [organization, activity])
      ids.add(id)
    }
  const { rows } = await connection.prepared('look-up', `${headsSql(t)} ${revisionsSql(t)} ${idsSql(t)}`, [
    organizationsIn(commits),
    ...columnsOf(streams),
    [...ids].filter(isStorable),
  ])
  return foundIn(rows, true)
}

/** The heads, and the revisions of activities that go on. */
const lookUpLittle = async (connection: Asking, t: Tables, commits: readonly Commit[]): Promise<Found> => {
  const streams = new Map<string, Stream>()
  for (const { organization, events } of commits)
    for (const { activity, revision } of events)
      if (revision !== 1n) streams.set(streamOf(organization, activity), [organization, activity])
  for (const { organization, events } of commits)
    for (const { activity, revision } of events) if (revision === 1n) streams.delete(streamOf(organization, activity))
  const organizations = organizationsIn(commits)
  const { rows } =
    streams.size === 0
      ? await connection.prepared('look-up-heads', headsSql(t), [organizations])
      : await connection.prepared('look-up-revisions', `${headsSql(t)} ${revisionsSql(t)}`, [
          organizations,
          ...columnsOf(streams),
        ])
  return foundIn(rows, false, new Set(streams.keys()))
}

type Stream = readonly [organization: string, activity: string]

const columnsOf = (streams: ReadonlyMap<string, Stream>): readonly [string[], string[]] => {
  const pairs = [...streams.values()].filter((pair) => pair.every(isStorable))
  return [pairs.map(([organization]) => organization), pairs.map(([, activity]) => activity)]
}

const organizationsIn = (commits: readonly Commit[]): readonly string[] => {
  const organizations = new Set<string>()
  for (const { organization, checks } of commits) {
    organizations.add(organization)
    for (const check of checks) organizations.add(check.organization)
  }
  return [...organizations].filter(isStorable)
}

/**
 * Rows of four kinds: the store's last position and key, heads, revisions and known ids. Where a table is joined, it is by looking into an index
 * for each row: a plan that is kept must be good for any number of rows.
 */
const headsSql = (t: Tables): string => `
  SELECT 's', NULL, NULL, (SELECT max(position) FROM ${t.events}), (SELECT max(key) FROM ${t.organizations}), NULL::int8, NULL::bytea
  UNION ALL
  SELECT 'h', o.id, NULL, h.position, o.key, h.sequence, NULL
  FROM ${t.organizations} o
  CROSS JOIN LATERAL (
    SELECT sequence, position FROM ${t.events} WHERE organization = o.key ORDER BY sequence DESC LIMIT 1) h
  WHERE o.id = ANY ($1::text[])`
const revisionsSql = (t: Tables): string => `
  UNION ALL
  SELECT 'r', s.organization, s.activity, r.revision, NULL, NULL, NULL
  FROM unnest($2::text[], $3::text[]) s (organization, activity)
  CROSS JOIN LATERAL (
    SELECT revision FROM ${t.events}
    WHERE organization = (SELECT key FROM ${t.organizations} WHERE id = s.organization) AND activity = s.activity
    ORDER BY revision DESC LIMIT 1) r`
const idsSql = (t: Tables): string => `
  UNION ALL
  SELECT 'k', e.id, (SELECT id FROM ${t.organizations} WHERE key = e.organization), e.position, NULL, e.sequence, e.line
  FROM ${t.events} e WHERE e.id = ANY ($4::text[])`

type Looked = readonly [string, string, string, bigint, bigint, bigint, Uint8Array]

/** @param asked  the streams whose revisions were looked up, if not those of all */
const foundIn = (rows: readonly Row[], isWhole: boolean, asked?: ReadonlySet<string>): Found => {
  const heads = new Map<string, { key: bigint; sequence: bigint; position: bigint }>()
  const revisions = new Map<string, bigint>()
  const known = new Map<string, Known>()
  let lastPosition: bigint | undefined
  let lastKey = 0n
  for (const row of rows) {
    const [kind, a, b, position, key, sequence, line] = row as Looked // as selected
    if (kind === 's') {
      lastPosition = (row[3] as bigint | null) ?? undefined // NULL if the store is empty
      lastKey = (row[4] as bigint | null) ?? 0n
    } else if (kind === 'h') heads.set(a, { key, sequence, position })
    else if (kind === 'r') revisions.set(streamOf(a, b), position)
    else known.set(a, { organization: b, sequence, position, line })
  }
  const knows: Found['knows'] = isWhole
    ? { ids: true, revision: () => true }
    : { ids: false, revision: (stream) => asked?.has(stream) === true }
  return { lastPosition, lastKey, heads, revisions, known, knows }
}

/** One statement for all tables: a round trip to the server costs more than most groups. */
const insert = async (connection: Asking, t: Tables, rows: GroupRows): Promise<void> => {
  const values: Value[] = []
  const inserts: string[] = []
  let name = 'insert'
  const add = (
    into: string,
    columns: readonly Value[] | undefined,
    sql: (p: (n: number) => string) => string,
  ): void => {
    if (columns === undefined) return
    const offset = values.length
    values.push(...columns)
    inserts.push(sql((n) => `$${offset + n}`))
    name += `-${into}`
  }

  add(
    'organizations',
    rows.organizations(),
    (p) => `INSERT INTO ${t.organizations} SELECT * FROM unnest(${p(1)}::int8[], ${p(2)}::text[])`,
  )
  add(
    'events',
    rows.events(),
    (p) => `
    INSERT INTO ${t.events}
    SELECT position, organization, sequence, revision, activity, id, ${slice(p(7))}
    FROM unnest(${p(1)}::int8[], ${p(2)}::int8[], ${p(3)}::int8[], ${p(4)}::int8[], ${p(5)}::text[], ${p(6)}::text[],
      ${p(8)}::int4[], ${p(9)}::int4[]) e (position, organization, sequence, revision, activity, id, start, length)`,
  )
  add(
    'parts',
    rows.parts(),
    (p) => `
    INSERT INTO ${t.parts}
    SELECT position, ordinal, name, ${slice(p(4), 'salt_')}, ${slice(p(7))}
    FROM unnest(${p(1)}::int8[], ${p(2)}::int4[], ${p(3)}::text[], ${p(5)}::int4[], ${p(6)}::int4[], ${p(8)}::int4[], ${p(9)}::int4[])
      e (position, ordinal, name, salt_start, salt_length, start, length)`,
  )
  add('standings', rows.standings(), (p) => standingsSql(t, p))
  const last = inserts.pop() ?? ''
  const others = inserts.map((sql, n) => `i${n} AS (${sql})`)
  await connection.prepared(name, others.length === 0 ? last : `WITH ${others.join(', ')} ${last}`, values)
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
  LEFT JOIN LATERAL (
    SELECT sequence, position FROM ${t.events}
    WHERE s.sequence IS NULL AND organization = s.organization AND activity = s.activity AND revision = 1 LIMIT 1) e ON true
  WHERE s.sequence IS NOT NULL OR e.sequence IS NOT NULL
  ON CONFLICT (organization, activity) DO UPDATE SET type = coalesce(excluded.type, was.type), status = excluded.status`
