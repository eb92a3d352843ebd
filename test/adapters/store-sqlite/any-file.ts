import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import Database from 'libsql'

export const folder = {
  make: (): Promise<string> => mkdtemp(join(tmpdir(), 'countersign-sqlite-')),
  remove: (directory: string): Promise<void> => rm(directory, { recursive: true, force: true }),
}

/** A database with nothing in it: what the first version starts from. */
export const emptyDatabase = (path: string): void => {
  const db = new Database(path)
  db.exec('PRAGMA journal_mode = WAL; VACUUM')
  db.close()
}

/** Takes out of a store's file what came after the first version. */
export const backToFirstVersion = (path: string): void => {
  backToSecondVersion(path)
  const db = new Database(path)
  db.exec('DROP TABLE origin; DELETE FROM migrations WHERE version > 1; PRAGMA user_version = 1')
  db.close()
}

/** Takes from a store what came with its sixth version; it has a snapshot. */
export const backToFifthVersion = (path: string): void => {
  const db = new Database(path)
  db.exec(`DROP TABLE snapshots; DROP TABLE snapshot_parts;
    CREATE TABLE snapshots (
      organization TEXT PRIMARY KEY, sequence INTEGER NOT NULL, hash TEXT NOT NULL, version TEXT NOT NULL
    ) STRICT;
    CREATE TABLE snapshot_parts (
      organization TEXT NOT NULL, name TEXT NOT NULL, version INTEGER NOT NULL, bytes BLOB NOT NULL,
      PRIMARY KEY (organization, name)
    ) STRICT;
    INSERT INTO snapshots VALUES ('of the fifth version', 1, 'ab', '3');
    INSERT INTO snapshot_parts VALUES ('of the fifth version', 'users', 2, x'7b7d');
    DELETE FROM migrations WHERE version > 5; PRAGMA user_version = 5`)
  db.close()
}

/** Takes from a store what came with its fifth version. */
export const backToFourthVersion = (path: string): void => {
  backToFifthVersion(path)
  const db = new Database(path)
  db.exec('DROP INDEX parts_beside_requests; DELETE FROM migrations WHERE version > 4; PRAGMA user_version = 4')
  db.close()
}

/** Takes from a store what came with its fourth version. */
export const backToThirdVersion = (path: string): void => {
  backToFourthVersion(path)
  const db = new Database(path)
  db.exec(`DROP INDEX events_by_standing; DROP INDEX events_pending;
    ALTER TABLE events DROP COLUMN type; ALTER TABLE events DROP COLUMN status;
    ALTER TABLE origin DROP COLUMN standings;
    DELETE FROM migrations WHERE version > 3; PRAGMA user_version = 3`)
  db.close()
}

/** Takes from a store what came with its third version, and puts in what was there before, with a snapshot. */
export const backToSecondVersion = (path: string): void => {
  backToThirdVersion(path)
  const db = new Database(path)
  db.exec(`DROP TABLE snapshots; DROP TABLE snapshot_parts;
    CREATE TABLE snapshots (
      organization TEXT PRIMARY KEY, sequence INTEGER NOT NULL, hash TEXT NOT NULL, version TEXT NOT NULL, state BLOB NOT NULL
    ) STRICT;
    INSERT INTO snapshots VALUES ('after the migration', 1, 'ab', '2:00', x'7b7d');
    DELETE FROM migrations WHERE version > 2; PRAGMA user_version = 2`)
  db.close()
}

export type KilledWriterOptions = {
  /** SIGKILL from outside, at this line that it prints; others may have come with it. */
  readonly atLine?: number
  /** SIGKILL from inside, at a crash point. */
  readonly crashAt?: string
}

/** Lets another process append to the store until it is killed. Answers with the ids that it had acknowledged. */
export const killedWriter = async (
  path: string,
  { atLine, crashAt }: KilledWriterOptions,
): Promise<readonly string[]> => {
  const writer = childWriter(path, crashAt === undefined ? {} : { COUNTERSIGN_CRASH_AT: crashAt })
  const acknowledged: string[] = []
  const lines = createInterface(writer.stdout)
  lines.on('line', (line) => {
    if (acknowledged.push(line) === atLine) writer.kill('SIGKILL')
  })
  await Promise.all([once(writer, 'exit'), once(lines, 'close')])
  return acknowledged
}

/** A process of its own that appends to the store without end. Required rather than imported, it starts in half the time. */
export const childWriter = (path: string, env: Readonly<Record<string, string>> = {}) => {
  const file = fileURLToPath(new URL('./child-writer.ts', import.meta.url))
  return spawn(process.execPath, ['--require', 'tsx/cjs', '--eval', `require(${JSON.stringify(file)})`, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  })
}
