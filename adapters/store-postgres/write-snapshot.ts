import type { Snapshot, SnapshotPlace } from '../../core/ports/read-models.ts'
import { refuse } from '../../core/ports/refusal.ts'
import { packed } from './group-rows.ts'
import type { Asking } from './pool.ts'
import type { Tables } from './tables.ts'

/** How many versions of a snapshot are kept. */
const VERSIONS_MAX = 2

/** Writes a snapshot, inside a transaction. The row of `snapshot_drops` is the lock: nobody drops snapshots until the transaction has ended. */
export const writeSnapshot = async (
  on: Asking,
  t: Tables,
  { organization, sequence, hash, version, parts }: Snapshot,
  keeps: SnapshotPlace | undefined,
  drops: bigint,
): Promise<void> => {
  await on.query(`INSERT INTO ${t.snapshot_drops} VALUES ($1, 0) ON CONFLICT DO NOTHING`, [organization])
  const { rows } = await on.query(`SELECT drops FROM ${t.snapshot_drops} WHERE organization = $1 FOR UPDATE`, [
    organization,
  ])
  if (rows[0]?.[0] !== drops)
    throw refuse('CONFLICT', 'the snapshots were dropped after the events of this one were read')
  const saved = `(SELECT coalesce(max(saved), 0) + 1 FROM ${t.snapshots} WHERE organization = $1)`
  const values = [organization, version, sequence, hash]
  if (keeps === undefined) {
    await on.query(
      `INSERT INTO ${t.snapshots} VALUES ($1, $2, $3::int8, $4, ${saved}) ON CONFLICT (organization, version)
      DO UPDATE SET sequence = $3::int8, hash = $4, saved = excluded.saved`,
      values,
    )
    await on.query(`DELETE FROM ${t.snapshot_parts} WHERE organization = $1 AND snapshot = $2`, [organization, version])
  } else {
    const { rowCount } = await on.query(
      `UPDATE ${t.snapshots} SET sequence = $3::int8, hash = $4, saved = ${saved}
      WHERE organization = $1 AND version = $2 AND sequence = $5::int8 AND hash = $6`,
      [...values, keeps.sequence, keeps.hash],
    )
    if (rowCount !== 1) throw refuse('CONFLICT', 'the snapshot to be kept is another one')
  }
  await on.query(
    `WITH gone AS (
      DELETE FROM ${t.snapshots} WHERE organization = $1 AND version IN
        (SELECT version FROM ${t.snapshots} WHERE organization = $1 ORDER BY saved DESC OFFSET $2::int8)
      RETURNING version
    )
    DELETE FROM ${t.snapshot_parts} WHERE organization = $1 AND snapshot IN (SELECT version FROM gone)`,
    [organization, BigInt(VERSIONS_MAX)],
  )
  if (parts.length === 0) return
  await on.query(
    `INSERT INTO ${t.snapshot_parts}
    SELECT $1, $2, name, version, substring($5::bytea FROM start FOR length)
    FROM unnest($3::text[], $4::int4[], $6::int4[], $7::int4[]) p (name, version, start, length)
    ON CONFLICT (organization, snapshot, name) DO UPDATE SET version = excluded.version, bytes = excluded.bytes`,
    [
      organization,
      version,
      parts.map(({ name }) => name),
      parts.map((part) => BigInt(part.version)),
      ...packed(parts.map(({ bytes }) => bytes)),
    ],
  )
}

export const removeSnapshot = async (on: Asking, t: Tables, organization: string): Promise<void> => {
  await on.query(
    `INSERT INTO ${t.snapshot_drops} AS d VALUES ($1, 1) ON CONFLICT (organization) DO UPDATE SET drops = d.drops + 1`,
    [organization],
  )
  await on.query(`DELETE FROM ${t.snapshots} WHERE organization = $1`, [organization])
  await on.query(`DELETE FROM ${t.snapshot_parts} WHERE organization = $1`, [organization])
}
