import { failure } from '../../core/failure.ts'
import type { Asking } from './pool.ts'
import { Refusal, refuse } from './failures.ts'
import { quote, tableNames, type Tables } from './tables.ts'
import type { Transact } from './transaction.ts'

/** Texts that are compared or ordered: by their bytes, whatever the locale of the database is. */
const TEXT = 'text COLLATE "C"'

/** The migration at index n brings a schema from version n to version n + 1. Never change a released one. */
const migrations: readonly ((t: Tables) => string)[] = [
  (t) => `
  CREATE TABLE ${t.countersign_store} (
    version int4 NOT NULL,
    imported_to int8 NOT NULL DEFAULT 0,
    standings int8 NOT NULL DEFAULT 0
  );
  INSERT INTO ${t.countersign_store} (version) VALUES (0);

  CREATE TABLE ${t.organizations} (key int8 PRIMARY KEY, id ${TEXT} NOT NULL);
  CREATE UNIQUE INDEX organizations_by_id ON ${t.organizations} (id);
  CREATE TABLE ${t.events} (
    position int8 PRIMARY KEY,
    organization int8 NOT NULL,
    sequence int8 NOT NULL,
    revision int8 NOT NULL,
    activity ${TEXT} NOT NULL,
    id ${TEXT} NOT NULL,
    line bytea NOT NULL
  );
  CREATE UNIQUE INDEX events_by_sequence ON ${t.events} (organization, sequence);
  CREATE UNIQUE INDEX events_by_revision ON ${t.events} (organization, activity, revision);
  CREATE UNIQUE INDEX events_by_id ON ${t.events} (id);
  CREATE TABLE ${t.parts} (
    position int8 NOT NULL,
    ordinal int4 NOT NULL,
    name ${TEXT} NOT NULL,
    salt bytea NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (position, ordinal)
  );
  CREATE INDEX parts_beside_requests ON ${t.parts} (position, name) WHERE name <> 'request';

  CREATE TABLE ${t.standings} (
    organization int8 NOT NULL,
    activity ${TEXT} NOT NULL,
    sequence int8 NOT NULL,
    position int8 NOT NULL,
    type ${TEXT},
    status ${TEXT} NOT NULL,
    PRIMARY KEY (organization, activity)
  );
  CREATE INDEX standings_by_sequence ON ${t.standings} (organization, sequence) WHERE type IS NOT NULL;
  CREATE INDEX standings_by_status ON ${t.standings} (organization, type, status, sequence) WHERE type IS NOT NULL;
  CREATE INDEX standings_pending ON ${t.standings} (position) WHERE status = 'ACTIVITY_STATUS_PENDING' AND type IS NOT NULL;

  CREATE TABLE ${t.projections} (name ${TEXT} PRIMARY KEY, checkpoint int8 NOT NULL);
  CREATE TABLE ${t.rows} (
    projection ${TEXT} NOT NULL,
    organization bytea NOT NULL,
    key bytea NOT NULL,
    ordinal int8 NOT NULL,
    first bytea,
    second bytea,
    value text NOT NULL,
    PRIMARY KEY (projection, organization, key)
  );
  CREATE INDEX rows_by_order ON ${t.rows} (projection, organization, ordinal, key);
  CREATE INDEX rows_by_first ON ${t.rows} (projection, organization, first, ordinal, key) WHERE first IS NOT NULL;
  CREATE INDEX rows_by_second ON ${t.rows} (projection, organization, second, ordinal, key) WHERE second IS NOT NULL;
  CREATE INDEX rows_by_both ON ${t.rows} (projection, organization, first, second, ordinal, key)
    WHERE first IS NOT NULL AND second IS NOT NULL;
  CREATE TABLE ${t.snapshots} (
    organization ${TEXT} PRIMARY KEY,
    sequence int8 NOT NULL,
    hash text NOT NULL,
    version text NOT NULL
  );
  CREATE TABLE ${t.snapshot_parts} (
    organization ${TEXT} NOT NULL,
    name ${TEXT} NOT NULL,
    version int4 NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (organization, name)
  );
  CREATE TABLE ${t.trials} (id ${TEXT} PRIMARY KEY, bytes bytea NOT NULL);`,
]

/** Unique in the whole store, or in a log: without these, a repeated commit would be written twice. */
const INDEXES = ['events_pkey', 'events_by_sequence', 'events_by_revision', 'events_by_id', 'organizations_by_id']

/** The statements that make the schema and its tables, for a database in which the store's own user may not. */
export const schemaSql = (t: Tables): string =>
  `CREATE SCHEMA IF NOT EXISTS ${quote(t.schema)};\n${migrations.map((make, n) => `${make(t)}\n${setVersion(t, n + 1)}`).join('\n')}`

const setVersion = (t: Tables, version: number): string => `UPDATE ${t.countersign_store} SET version = ${version};`

/**
 * Makes the tables, or brings them to this version. Many processes may do so at once: the first one does it, under the lock of the store.
 * Where nothing is to be done, no right to make anything is needed.
 */
export const prepareForWriting = async (connection: Asking, t: Tables, transact: Transact): Promise<Made> => {
  let made: Made = 'nothing'
  if ((await versionOf(connection, t)) !== migrations.length)
    await transact(connection, async () => {
      const found = await versionOf(connection, t) // under the lock
      if (found === undefined) made = (await makeSchema(connection, t)) ? 'schema' : 'tables'
      for (let version = found ?? 0; version < migrations.length; version++)
        await connection.query(`${migrations[version]?.(t) ?? ''}${setVersion(t, version + 1)}`)
    })
  await checkTables(connection, t)
  return made
}

/** What an opening has made, and what can be taken away again: the schema with its tables, or the tables alone. */
export type Made = 'schema' | 'tables' | 'nothing'

/** Takes away what an opening has made, inside a transaction that has the lock. */
export const removeMade = async (connection: Asking, t: Tables, made: Made): Promise<void> => {
  if (made === 'nothing') return
  await connection.query(`DROP TABLE ${tableNames.map((name) => t[name]).join(', ')}`)
  if (made === 'schema') await connection.query(`DROP SCHEMA ${quote(t.schema)}`)
}

/** Refuses what cannot be read without making anything. */
export const prepareForReading = async (connection: Asking, t: Tables): Promise<Made> => {
  const version = await versionOf(connection, t)
  if (version === undefined) throw refuse('STORE_UNREADABLE', 'the database has no store in this schema')
  if (version < migrations.length)
    throw refuse('STORE_UNREADABLE', 'the store was made by an older version: open it for writing once')
  await checkTables(connection, t)
  return 'nothing'
}

/** Makes the schema if there is none, and says whether it did. */
const makeSchema = async (connection: Asking, t: Tables): Promise<boolean> => {
  // Without the look, a user who owns the schema and may make no other would be refused.
  const { rows } = await connection.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [t.schema])
  if (rows.length > 0) return false
  await connection.query(`CREATE SCHEMA ${quote(t.schema)}`)
  return true
}

const versionOf = async (connection: Asking, t: Tables): Promise<number | undefined> => {
  const { rows } = await connection.query(
    `SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = $1 AND c.relkind IN ('r', 'p', 'v', 'm', 'f')`,
    [t.schema],
  )
  if (rows.length === 0) return undefined
  if (!rows.some(([name]) => name === 'countersign_store'))
    throw refuse('STORE_UNREADABLE', 'the schema belongs to another application: name another one')
  const found = await connection.query(`SELECT version FROM ${t.countersign_store}`)
  const version = Number(found.rows[0]?.[0])
  if (found.rows.length !== 1) throw damaged()
  if (version > migrations.length)
    throw refuse('STORE_UNREADABLE', 'the store was made by a newer version: use that one')
  return version
}

const damaged = (): Refusal =>
  new Refusal(failure('STORE_UNREADABLE', 'the tables of the store are not as they were made: restore a backup'))

/** Tables, columns and unique indexes are there. */
const checkTables = async (connection: Asking, t: Tables): Promise<void> => {
  const { rows } = await connection.query(
    `SELECT c.relname, c.relkind::text, count(a.attname)::int4, bool_and(coalesce(i.indisvalid AND i.indisunique, true))
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_index i ON i.indexrelid = c.oid
    WHERE n.nspname = $1 AND (c.relname = ANY ($2) OR c.relname = ANY ($3)) GROUP BY c.relname, c.relkind`,
    [t.schema, tableNames, INDEXES],
  )
  const found = new Map(rows.map(([name, kind, columns, isWhole]) => [name, { kind, columns, isWhole }]))
  const areTables = tableNames.every(
    (name) => found.get(name)?.kind === 'r' && found.get(name)?.columns === COLUMNS[name],
  )
  if (!areTables || !INDEXES.every((name) => found.get(name)?.isWhole === true)) throw damaged()
}

/** How many columns each table has in the newest version. */
const COLUMNS: { readonly [name in (typeof tableNames)[number]]: number } = {
  countersign_store: 3,
  organizations: 2,
  events: 7,
  parts: 5,
  standings: 6,
  projections: 2,
  rows: 7,
  snapshots: 4,
  snapshot_parts: 4,
  trials: 2,
}
