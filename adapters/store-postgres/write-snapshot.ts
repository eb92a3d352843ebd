import type { Snapshot, SnapshotPlace } from '../../core/ports/read-models.ts'
import { refuse } from './failures.ts'
import { packed } from './group-rows.ts'
import type { Asking } from './pool.ts'
import type { Tables } from './tables.ts'

/** Writes a snapshot, inside a transaction. The row of the organization is the lock for its parts. */
export const writeSnapshot = async (
  on: Asking,
  t: Tables,
  { organization, sequence, hash, version, parts }: Snapshot,
  keeps: SnapshotPlace | undefined,
): Promise<void> => {
  const values = [organization, sequence, hash, version]
  if (keeps === undefined) {
    await on.query(
      `INSERT INTO ${t.snapshots} VALUES ($1, $2::int8, $3, $4) ON CONFLICT (organization)
      DO UPDATE SET sequence = $2::int8, hash = $3, version = $4`,
      values,
    )
    await on.query(`DELETE FROM ${t.snapshot_parts} WHERE organization = $1`, [organization])
  } else {
    const { rowCount } = await on.query(
      `UPDATE ${t.snapshots} SET sequence = $2::int8, hash = $3, version = $4
      WHERE organization = $1 AND sequence = $5::int8 AND hash = $6`,
      [...values, keeps.sequence, keeps.hash],
    )
    if (rowCount !== 1) throw refuse('CONFLICT', 'the snapshot to be kept is another one')
  }
  if (parts.length === 0) return
  await on.query(
    `INSERT INTO ${t.snapshot_parts}
    SELECT $1, name, version, substring($4::bytea FROM start FOR length)
    FROM unnest($2::text[], $3::int4[], $5::int4[], $6::int4[]) p (name, version, start, length)
    ON CONFLICT (organization, name) DO UPDATE SET version = excluded.version, bytes = excluded.bytes`,
    [
      organization,
      parts.map(({ name }) => name),
      parts.map((part) => BigInt(part.version)),
      ...packed(parts.map(({ bytes }) => bytes)),
    ],
  )
}

export const removeSnapshot = async (on: Asking, t: Tables, organization: string): Promise<void> => {
  await on.query(`DELETE FROM ${t.snapshots} WHERE organization = $1`, [organization])
  await on.query(`DELETE FROM ${t.snapshot_parts} WHERE organization = $1`, [organization])
}
