import { createHash } from 'node:crypto'

/** The names of the tables with their schema, as SQL. */
export type Tables = { readonly [name in TableName]: string } & {
  readonly schema: string
  /** The key of the lock that every writer of the store takes. */
  readonly lock: bigint
  /** The channel of notifications. */
  readonly channel: string
}

const names = [
  'countersign_store',
  'organizations',
  'events',
  'parts',
  'standings',
  'projections',
  'rows',
  'snapshots',
  'snapshot_parts',
  'snapshot_drops',
  'leases',
  'sealed',
  'trials',
] as const
export type TableName = (typeof names)[number]
export const tableNames: readonly TableName[] = names

/** PostgreSQL cuts off longer names. */
export const SCHEMA_BYTES_MAX = 63

export const tablesOf = (schema: string): Tables => {
  const quoted = quote(schema)
  const entries = names.map((name) => [name, `${quoted}.${name}`] as const)
  const digest = createHash('sha256').update(`countersign store ${schema}`).digest()
  return {
    ...(Object.fromEntries(entries) as Record<TableName, string>), // of all names
    schema,
    lock: digest.readBigInt64BE(0),
    channel: `countersign_${digest.toString('hex', 8, 20)}`,
  }
}

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`
