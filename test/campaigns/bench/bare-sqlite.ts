import Database from 'libsql'
import { sqliteStore } from 'countersign/fp'
import type { Writer } from './measure-appends.ts'

/** The driver by itself, on the tables of our store: one transaction for each call, no checks. */
export const bareSqlite = async (path: string): Promise<Writer> => {
  const made = await sqliteStore({ path })()
  if (made._tag === 'Left') throw new Error(made.left.message)
  await made.right.readModels.close()
  await made.right.store.close()

  const db = new Database(path)
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;
    PRAGMA temp_store = MEMORY; PRAGMA cache_size = -65536; PRAGMA wal_autocheckpoint = 4000`)
  const insertEvent = db.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const insertPart = db.prepare('INSERT INTO parts VALUES (?, ?, ?, ?)')
  const [begin, commit] = [db.prepare('BEGIN IMMEDIATE'), db.prepare('COMMIT')]
  const keys = new Map<string, bigint>()
  const sequences = new Map<string, bigint>()
  let position = 0n

  return {
    name: 'libsql, bare',
    append: async (commits) => {
      begin.run()
      for (const { organization, events } of commits) {
        const key = keys.get(organization) ?? BigInt(keys.size + 1)
        keys.set(organization, key)
        let sequence = sequences.get(organization) ?? 0n
        for (const { activity, revision, id, line, parts, standing } of events) {
          position += 1n
          sequence += 1n
          const label = [standing?.type ?? null, standing?.status ?? null]
          insertEvent.run(position, key, sequence, activity, revision, id, line, ...label)
          for (const { name, salt, bytes } of parts) insertPart.run(position, name, salt, bytes)
        }
        sequences.set(organization, sequence)
      }
      commit.run()
    },
    close: async () => void db.close(),
  }
}
