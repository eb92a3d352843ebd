import { boundedMap } from '../../core/collections/bounded-map.ts'
import type { Json } from '../../core/failure.ts'
import { parseJson } from '../../core/json/parse-json.ts'
import { mergedText } from '../../core/ports/row-changes.ts'
import type { Connection } from './connection.ts'
import { done, refused, type Done, type Refused } from './reason.ts'
import { unpackRows, type Change } from './pack-rows.ts'
import type { Requests } from './requests.ts'
import { snapshotParts } from './schema.ts'

/** The tables of the read models, inside a transaction that the group owns. */
export type RowsWriter = {
  readonly move: (request: Requests['move']) => Done<void> | Refused
  readonly drop: (projection: string) => void
  readonly saveSnapshot: (request: Requests['saveSnapshot']) => Done<void> | Refused
  readonly dropSnapshot: (organization: string) => void
  readonly dropSnapshots: () => void
  /** Replaces what the last call wrote by as many bytes; 0 leaves nothing. */
  readonly tryWriting: (bytes: number) => void
  /** To be called after a rollback: forgets the keys of the transaction. */
  readonly forget: () => void
}

type Put = Extract<Change, { readonly _tag: 'put' }>
type Merge = Extract<Change, { readonly _tag: 'merge' }>

const SPACES_MAX = 10_000
/** How many versions of a snapshot are kept. */
const VERSIONS_MAX = 2
/** Stands in place of a snapshot for bytes that were written only to find out whether that is possible: no snapshot has this key. */
const NOBODY = 0n

/**
 * Each snapshot replaces one of other length, so rows have moved between pages, and old copies of them are in the gaps of pages, which
 * `secure_delete` does not overwrite. The pages of a table that is dropped are overwritten whole.
 */
const WRITE_SNAPSHOTS_AGAIN = `
  ${snapshotParts('snapshot_parts_again')};
  INSERT INTO snapshot_parts_again SELECT * FROM snapshot_parts;
  DROP TABLE snapshot_parts;
  ALTER TABLE snapshot_parts_again RENAME TO snapshot_parts`

export const rowsWriter = (db: Connection): RowsWriter => {
  const selectProjection = db.query('SELECT key, checkpoint FROM projections WHERE name = ?')
  const setCheckpoint = db.query(`
    INSERT INTO projections (name, checkpoint) VALUES (?1, ?2)
    ON CONFLICT (name) DO UPDATE SET checkpoint = ?2 RETURNING key`)
  const selectSpace = db.query('SELECT key FROM spaces WHERE projection = ? AND organization = ?')
  const insertSpace = db.query('INSERT INTO spaces (projection, organization) VALUES (?, ?) RETURNING key')
  const selectRow = db.query('SELECT value, first, second FROM rows WHERE space = ? AND key = ?')
  const putRow = db.command(`
    INSERT INTO rows VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (space, key)
    DO UPDATE SET ordinal = ?3, first = ?4, second = ?5, value = ?6`)
  const setValue = db.command('UPDATE rows SET value = ?3 WHERE space = ?1 AND key = ?2')
  const setRow = db.command('UPDATE rows SET value = ?3, first = ?4, second = ?5 WHERE space = ?1 AND key = ?2')
  const deleteRow = db.command('DELETE FROM rows WHERE space = ? AND key = ?')
  const deleteRows = db.command(`
    DELETE FROM rows WHERE space IN (
      SELECT s.key FROM spaces s JOIN projections p ON p.key = s.projection WHERE p.name = ?)`)
  const deleteSpaces = db.command('DELETE FROM spaces WHERE projection = (SELECT key FROM projections WHERE name = ?)')
  const deleteProjection = db.command('DELETE FROM projections WHERE name = ?')
  const selectSnapshot = db.query('SELECT key, sequence, hash FROM snapshots WHERE organization = ? AND version = ?')
  const putSnapshot = db.query(`
    INSERT INTO snapshots (organization, version, sequence, hash, saved)
    VALUES (?1, ?2, ?3, ?4, (SELECT coalesce(max(saved), 0) + 1 FROM snapshots WHERE organization = ?1))
    ON CONFLICT (organization, version)
    DO UPDATE SET sequence = excluded.sequence, hash = excluded.hash, saved = excluded.saved RETURNING key`)
  const selectKeys = db.query('SELECT key FROM snapshots WHERE organization = ? ORDER BY saved DESC')
  const putPart = db.command('INSERT OR REPLACE INTO snapshot_parts VALUES (?, ?, ?, ?)')
  const deleteParts = db.command('DELETE FROM snapshot_parts WHERE snapshot = ?')
  const deleteSnapshot = db.command('DELETE FROM snapshots WHERE key = ?')
  const deleteSnapshots = db.command('DELETE FROM snapshots')
  const selectDrops = db.query('SELECT drops FROM snapshot_drops WHERE organization = ?')
  const countDrop = db.command(`
    INSERT INTO snapshot_drops VALUES (?, 1) ON CONFLICT (organization) DO UPDATE SET drops = drops + 1`)
  const deleteAllParts = db.command('DELETE FROM snapshot_parts')

  const spaces = boundedMap<string, bigint>(SPACES_MAX)

  const saveSnapshot: RowsWriter['saveSnapshot'] = ({ snapshot, keeps, drops }) => {
    const { organization, sequence, hash, version, parts } = snapshot
    if ((selectDrops.get([organization])?.[0] ?? 0n) !== drops) return refused('SNAPSHOT_DROPPED')
    const before = selectSnapshot.get([organization, version])
    if (keeps === undefined) deleteParts.run([before?.[0] ?? NOBODY])
    else if (before?.[1] !== keeps.sequence || before[2] !== keeps.hash) return refused('SNAPSHOT_MOVED')
    const key = putSnapshot.get([organization, version, sequence, hash])?.[0] as bigint // RETURNING key
    for (const part of parts) putPart.run([key, part.name, BigInt(part.version), part.bytes])
    removeSnapshots(organization, VERSIONS_MAX)
    return done(undefined)
  }

  /** @param kept  how many of those that were saved last are kept */
  const removeSnapshots = (organization: string, kept: number): void => {
    for (const [key] of selectKeys.all([organization]).slice(kept)) {
      deleteParts.run([key as bigint]) // an integer column
      deleteSnapshot.run([key as bigint])
    }
  }

  const spaceOf = (projection: bigint, organization: string): bigint => {
    const name = `${projection}/${organization}`
    const known = spaces.get(name)
    if (known !== undefined) return known
    const found = selectSpace.get([projection, organization]) ?? insertSpace.get([projection, organization])
    const key = found?.[0] as bigint // an integer in both
    spaces.set(name, key)
    return key
  }

  const put = (space: bigint, { key, order, facets, text }: Put): void =>
    putRow.run([space, key, order, facets.first ?? null, facets.second ?? null, text])

  const merge = (space: bigint, { key, facets, text }: Merge): void => {
    const row = selectRow.get([space, key]) as [string, string | null, string | null] | undefined // as selected
    if (row === undefined) return
    const value = mergedText(row[0], parseJson(text) as { readonly [member: string]: Json }) // made by the store from an object
    const [first, second] = [facets.first ?? row[1], facets.second ?? row[2]]
    if (first === row[1] && second === row[2]) setValue.run([space, key, value])
    else setRow.run([space, key, value, first, second])
  }

  return {
    move: ({ projection, from, to, changes }) => {
      const checkpoint = selectProjection.get([projection])?.[1] ?? 0n
      if (checkpoint !== from) return refused('CHECKPOINT_MOVED')
      const key = setCheckpoint.get([projection, to])?.[0] as bigint // RETURNING key
      for (const change of unpackRows(changes)) {
        const space = spaceOf(key, change.organization)
        if (change._tag === 'put') put(space, change)
        else if (change._tag === 'merge') merge(space, change)
        else deleteRow.run([space, change.key])
      }
      return done(undefined)
    },
    drop: (projection) => {
      for (const statement of [deleteRows, deleteSpaces, deleteProjection]) statement.run([projection])
      spaces.clear()
    },
    saveSnapshot,
    dropSnapshot: (organization) => {
      countDrop.run([organization])
      removeSnapshots(organization, 0)
      db.exec(WRITE_SNAPSHOTS_AGAIN)
    },
    dropSnapshots: () => {
      deleteSnapshots.run([])
      deleteAllParts.run([])
    },
    tryWriting: (bytes) => {
      deleteParts.run([NOBODY])
      if (bytes > 0) putPart.run([NOBODY, 'trial', 0n, new Uint8Array(bytes)])
    },
    forget: () => spaces.clear(),
  }
}
