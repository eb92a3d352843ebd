import { BUSY_TIMEOUT_MS, mustBeWritable } from './connection.ts'
import type { Connection } from './connection.ts'
import type { Reason } from './reason.ts'

/** "CSGN": marks our files among SQLite databases. */
const APPLICATION_ID = 0x4353474en

/** Makes the table with the states of snapshots. */
export const snapshotParts = (name: string): string => `CREATE TABLE ${name} (
    snapshot INTEGER NOT NULL,
    name TEXT NOT NULL,
    version INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (snapshot, name)
  ) STRICT`

/** The migration at index n brings a file from version n to version n + 1. From version 1.0 of this software on, a released one never changes. */
export const migrations: readonly string[] = [
  `CREATE TABLE migrations (version INTEGER PRIMARY KEY, at TEXT NOT NULL) STRICT;

  -- Beside the first event of an activity stands its type and status.
  CREATE TABLE organizations (key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE events (
    position INTEGER PRIMARY KEY,
    organization INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    activity TEXT NOT NULL,
    revision INTEGER NOT NULL,
    id TEXT NOT NULL,
    line BLOB NOT NULL,
    type TEXT,
    status TEXT
  ) STRICT;
  CREATE UNIQUE INDEX events_by_sequence ON events (organization, sequence);
  CREATE UNIQUE INDEX events_by_revision ON events (organization, activity, revision);
  CREATE UNIQUE INDEX events_by_id ON events (id);
  CREATE INDEX events_by_standing ON events (organization, type, status, sequence) WHERE type IS NOT NULL;
  CREATE INDEX events_pending ON events (status) WHERE status = 'ACTIVITY_STATUS_PENDING';

  -- Erased parts are rows of zeros that a reader has to leave out. The second index finds the parts that are no requests without reading
  -- any request, which are most of the bytes.
  CREATE TABLE parts (position INTEGER NOT NULL, name TEXT NOT NULL, salt BLOB NOT NULL, bytes BLOB NOT NULL) STRICT;
  CREATE INDEX parts_by_position ON parts (position);
  CREATE INDEX parts_beside_requests ON parts (position) WHERE name <> 'request';

  -- One row: the position up to which the log was imported, and the version of the standings. It is no row of a read model, because those
  -- can be thrown away.
  CREATE TABLE origin (imported_to INTEGER NOT NULL, standings INTEGER NOT NULL DEFAULT 0) STRICT;
  INSERT INTO origin (imported_to) VALUES (0);

  CREATE TABLE projections (key INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, checkpoint INTEGER NOT NULL) STRICT;
  CREATE TABLE spaces (
    key INTEGER PRIMARY KEY,
    projection INTEGER NOT NULL,
    organization TEXT NOT NULL,
    UNIQUE (projection, organization)
  ) STRICT;
  CREATE TABLE rows (
    space INTEGER NOT NULL,
    key TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    first TEXT,
    second TEXT,
    value TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX rows_by_key ON rows (space, key);
  CREATE INDEX rows_by_order ON rows (space, ordinal);
  CREATE INDEX rows_by_first ON rows (space, first, ordinal) WHERE first IS NOT NULL;
  CREATE INDEX rows_by_second ON rows (space, second, ordinal) WHERE second IS NOT NULL;
  CREATE INDEX rows_by_both ON rows (space, first, second, ordinal) WHERE first IS NOT NULL AND second IS NOT NULL;

  -- Snapshots by state and version. \`saved\` grows with each snapshot of an organization.
  CREATE TABLE snapshots (
    key INTEGER PRIMARY KEY,
    organization TEXT NOT NULL,
    version TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    hash TEXT NOT NULL,
    saved INTEGER NOT NULL,
    UNIQUE (organization, version)
  ) STRICT;
  ${snapshotParts('snapshot_parts')};

  -- How often the snapshots of an organization were dropped.
  CREATE TABLE snapshot_drops (organization TEXT PRIMARY KEY, drops INTEGER NOT NULL) STRICT;

  -- Names are bytes, because a text is cut off at NUL. \`secret\` is NULL where the id is gone; an empty id closes its organization. Secrets are
  -- only added, and those that are gone are rows of zeros: so no row moves, as with parts.
  CREATE TABLE sealed (
    organization BLOB NOT NULL,
    id BLOB NOT NULL,
    secret INTEGER,
    PRIMARY KEY (organization, id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE sealed_secrets (key INTEGER PRIMARY KEY, kind BLOB NOT NULL, data_key BLOB NOT NULL, bytes BLOB NOT NULL) STRICT;`,
]

/**
 * Sets the pragmas of durability, reads them back, and migrates the file to this version. An empty file becomes a store; a file of another
 * application is not changed.
 */
export const prepareForWriting = (db: Connection, all = migrations): Reason | undefined => {
  db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
  const foreign = refuseForeign(db, all)
  if (foreign !== undefined) return foreign
  db.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA fullfsync = ON;
    PRAGMA checkpoint_fullfsync = ON;
    PRAGMA secure_delete = ON; -- what is erased is overwritten
    PRAGMA temp_store = MEMORY;
    PRAGMA cache_size = -65536;
    PRAGMA wal_autocheckpoint = 4000`)
  if (db.pragma('journal_mode') !== 'wal' || db.pragma('synchronous') !== 2n) return 'NO_WAL'
  db.exec('BEGIN IMMEDIATE')
  mustBeWritable(db)
  db.exec('ROLLBACK')
  migrate(db, all)
  return undefined
}

/** Why this version cannot read the file without migration; `undefined` if it can. */
export const refuseForReading = (db: Connection, all = migrations): Reason | undefined => {
  const foreign = refuseForeign(db, all)
  if (foreign !== undefined) return foreign
  return versionOf(db) < all.length ? 'OLDER' : undefined
}

const versionOf = (db: Connection): number => Number(db.pragma('user_version'))

const refuseForeign = (db: Connection, all: readonly string[]): Reason | undefined => {
  const isOurs = db.pragma('application_id') === APPLICATION_ID
  const isEmpty = db.query('SELECT count(*) FROM sqlite_schema').get([])?.[0] === 0n
  if (!isOurs && !isEmpty) return 'FOREIGN'
  return versionOf(db) > all.length ? 'NEWER' : undefined
}

const migrate = (db: Connection, all: readonly string[]): void => {
  for (let version = versionOf(db); version < all.length; version++) {
    db.exec(`
      BEGIN IMMEDIATE;
      ${all[version]}
      INSERT INTO migrations VALUES (${version + 1}, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));
      PRAGMA application_id = ${APPLICATION_ID};
      PRAGMA user_version = ${version + 1};
      COMMIT`)
  }
}
