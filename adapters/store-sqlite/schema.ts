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

/** The migration at index n brings a file from version n to version n + 1. Never change a released one. */
const migrations: readonly string[] = [
  `CREATE TABLE migrations (version INTEGER PRIMARY KEY, at TEXT NOT NULL) STRICT;

  CREATE TABLE organizations (key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE events (
    position INTEGER PRIMARY KEY,
    organization INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    activity TEXT NOT NULL,
    revision INTEGER NOT NULL,
    id TEXT NOT NULL,
    line BLOB NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX events_by_sequence ON events (organization, sequence);
  CREATE UNIQUE INDEX events_by_revision ON events (organization, activity, revision);
  CREATE UNIQUE INDEX events_by_id ON events (id);
  CREATE TABLE parts (position INTEGER NOT NULL, name TEXT NOT NULL, salt BLOB NOT NULL, bytes BLOB NOT NULL) STRICT;
  CREATE INDEX parts_by_position ON parts (position);

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
  CREATE TABLE snapshots (
    organization TEXT PRIMARY KEY,
    sequence INTEGER NOT NULL,
    hash TEXT NOT NULL,
    version TEXT NOT NULL,
    state BLOB NOT NULL
  ) STRICT;`,

  // One row: the position up to which the log was imported. It is no row of a read model, because those can be thrown away.
  `CREATE TABLE origin (imported_to INTEGER NOT NULL) STRICT;
  INSERT INTO origin VALUES (0);`,

  // Snapshots by state. Older snapshots are thrown away, and the logs are folded again.
  `DROP TABLE snapshots;
  CREATE TABLE snapshots (
    organization TEXT PRIMARY KEY,
    sequence INTEGER NOT NULL,
    hash TEXT NOT NULL,
    version TEXT NOT NULL
  ) STRICT;
  CREATE TABLE snapshot_parts (
    organization TEXT NOT NULL,
    name TEXT NOT NULL,
    version INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    PRIMARY KEY (organization, name)
  ) STRICT;`,

  // Beside the first event of an activity stands its type and status. Lists were rows of read models before.
  `ALTER TABLE events ADD COLUMN type TEXT;
  ALTER TABLE events ADD COLUMN status TEXT;
  CREATE INDEX events_by_standing ON events (organization, type, status, sequence) WHERE type IS NOT NULL;
  CREATE INDEX events_pending ON events (status) WHERE status = 'ACTIVITY_STATUS_PENDING';
  ALTER TABLE origin ADD COLUMN standings INTEGER NOT NULL DEFAULT 0;
  DELETE FROM rows WHERE space IN (
    SELECT s.key FROM spaces s JOIN projections p ON p.key = s.projection
    WHERE p.name IN ('activities@1', 'unfinished-effects@2'));
  DELETE FROM spaces WHERE projection IN (
    SELECT key FROM projections WHERE name IN ('activities@1', 'unfinished-effects@2'));
  DELETE FROM projections WHERE name IN ('activities@1', 'unfinished-effects@2');`,

  // Finds the parts that are no requests without reading any request, which are most of the bytes. From here on, erased parts are rows of
  // zeros that a reader has to leave out.
  `CREATE INDEX parts_beside_requests ON parts (position) WHERE name <> 'request';`,

  // Snapshots by version, too. `saved` grows with each snapshot of an organization.
  `CREATE TABLE snapshots_by_version (
    key INTEGER PRIMARY KEY,
    organization TEXT NOT NULL,
    version TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    hash TEXT NOT NULL,
    saved INTEGER NOT NULL,
    UNIQUE (organization, version)
  ) STRICT;
  ${snapshotParts('parts_by_snapshot')};
  INSERT INTO snapshots_by_version (organization, version, sequence, hash, saved)
    SELECT organization, version, sequence, hash, 1 FROM snapshots;
  INSERT INTO parts_by_snapshot
    SELECT s.key, p.name, p.version, p.bytes FROM snapshot_parts p JOIN snapshots_by_version s USING (organization);
  DROP TABLE snapshots;
  DROP TABLE snapshot_parts;
  ALTER TABLE snapshots_by_version RENAME TO snapshots;
  ALTER TABLE parts_by_snapshot RENAME TO snapshot_parts;`,
]

/** The oldest version whose files can be read without migration: reading does not need the later tables. */
const READABLE_FROM = 1
/** The first version that has the table `origin`. */
const ORIGIN_SINCE = 2
/** The first version that has standings. */
const STANDINGS_SINCE = 4

/**
 * Sets the pragmas of durability, reads them back, and migrates the file to this version. An empty file becomes a store; a file of another
 * application is not changed.
 */
export const prepareForWriting = (db: Connection): Reason | undefined => {
  db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
  const foreign = refuseForeign(db)
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
  migrate(db)
  return undefined
}

/** Why this version cannot read the file without migration; `undefined` if it can. */
export const refuseForReading = (db: Connection): Reason | undefined => {
  const foreign = refuseForeign(db)
  if (foreign !== undefined) return foreign
  return versionOf(db) < READABLE_FROM ? 'OLDER' : undefined
}

/** Whether the file has the table with the imported position. */
export const hasOrigin = (db: Connection): boolean => versionOf(db) >= ORIGIN_SINCE

/** Whether the file has the columns of standings. */
export const hasStandings = (db: Connection): boolean => versionOf(db) >= STANDINGS_SINCE

const versionOf = (db: Connection): number => Number(db.pragma('user_version'))

const refuseForeign = (db: Connection): Reason | undefined => {
  const isOurs = db.pragma('application_id') === APPLICATION_ID
  const isEmpty = db.query('SELECT count(*) FROM sqlite_schema').get([])?.[0] === 0n
  if (!isOurs && !isEmpty) return 'FOREIGN'
  return versionOf(db) > migrations.length ? 'NEWER' : undefined
}

const migrate = (db: Connection): void => {
  for (let version = versionOf(db); version < migrations.length; version++) {
    db.exec(`
      BEGIN IMMEDIATE;
      ${migrations[version]}
      INSERT INTO migrations VALUES (${version + 1}, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));
      PRAGMA application_id = ${APPLICATION_ID};
      PRAGMA user_version = ${version + 1};
      COMMIT`)
  }
}
