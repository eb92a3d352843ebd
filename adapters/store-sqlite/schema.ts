import { BUSY_TIMEOUT_MS, mustBeWritable } from './connection.ts'
import type { Connection } from './connection.ts'
import type { Reason } from './reason.ts'

/** "CSGN": tells our files from other SQLite databases. */
const APPLICATION_ID = 0x4353474en

/** Each brings a file from the version that is its index to the next. Never change one that was released. */
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

  // One row: up to where the log was imported. It is no row of a read model, which can be thrown away.
  `CREATE TABLE origin (imported_to INTEGER NOT NULL) STRICT;
  INSERT INTO origin VALUES (0);`,
]

/** The first version whose files can be read as they are: what came later is not asked for by those who only read. */
const READABLE_FROM = 1
/** The first version that has the table `origin`. */
const ORIGIN_SINCE = 2

/**
 * Sets what durability rests on, reads it back, and brings the file to this version. An empty file becomes a store; a
 * file of somebody else is left alone.
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

/** Whether the file can be read by this version as it is. */
export const refuseForReading = (db: Connection): Reason | undefined => {
  const foreign = refuseForeign(db)
  if (foreign !== undefined) return foreign
  return versionOf(db) < READABLE_FROM ? 'OLDER' : undefined
}

/** Whether the file says up to where its log was imported. */
export const hasOrigin = (db: Connection): boolean => versionOf(db) >= ORIGIN_SINCE

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
