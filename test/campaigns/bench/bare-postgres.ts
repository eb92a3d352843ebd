import type { Commit, NewEvent } from 'countersign/define'
import { Client } from 'pg'
import type { Writer } from './measure-appends.ts'

/**
 * The driver by itself, on the tables of our store: one transaction with the lock of a schema for each call, one statement for all rows,
 * and no checks. What it needs to number the rows it knows, because nobody else writes.
 *
 * @param pipeline  whether it sends a statement before the one ahead of it was answered
 */
export const barePostgres = async (url: string, schema: string, pipeline: boolean): Promise<Writer> => {
  const client = new Client({ connectionString: url, pipeline })
  client.on('error', () => {})
  await client.connect()
  const keys = new Map<string, bigint>()
  const sequences = new Map<string, bigint>()
  let position = 0n

  const keyOf = async (organization: string): Promise<bigint> => {
    const known = keys.get(organization)
    if (known !== undefined) return known
    const key = BigInt(keys.size + 1)
    keys.set(organization, key)
    await client.query(`INSERT INTO ${schema}.organizations VALUES ($1, $2)`, [key, organization])
    return key
  }

  const numbered = async (commits: readonly Commit[]): Promise<readonly Numbered[]> => {
    const rows: Numbered[] = []
    for (const { organization, events } of commits) {
      const key = await keyOf(organization)
      let sequence = sequences.get(organization) ?? 0n
      for (const event of events) rows.push({ key, position: ++position, sequence: ++sequence, event })
      sequences.set(organization, sequence)
    }
    return rows
  }

  const sql = insertSql(schema)
  const statements = (rows: readonly Numbered[]): readonly (() => Promise<unknown>)[] => [
    () => client.query('BEGIN; SELECT pg_advisory_xact_lock(1)'),
    () => client.query({ name: 'insert', text: sql, values: valuesOf(rows) }),
    () => client.query('COMMIT'),
  ]

  return {
    name: pipeline ? 'pg, bare, pipelined' : 'pg, bare',
    append: async (commits) => {
      const all = statements(await numbered(commits))
      if (pipeline) await Promise.all(all.map((send) => send()))
      else for (const send of all) await send()
    },
    close: () => client.end(),
  }
}

type Numbered = {
  readonly key: bigint
  readonly position: bigint
  readonly sequence: bigint
  readonly event: NewEvent
}

const insertSql = (schema: string): string => `
  WITH e AS (
    INSERT INTO ${schema}.events
    SELECT * FROM unnest($1::int8[], $2::int8[], $3::int8[], $4::int8[], $5::text[], $6::text[], $7::bytea[])
  ), p AS (
    INSERT INTO ${schema}.parts
    SELECT * FROM unnest($8::int8[], $9::int4[], $10::text[], $11::bytea[], $12::bytea[])
  )
  INSERT INTO ${schema}.standings
  SELECT * FROM unnest($13::int8[], $14::text[], $15::int8[], $16::int8[], $17::text[], $18::text[])`

const valuesOf = (rows: readonly Numbered[]): unknown[] => {
  const parts = rows.flatMap(({ position, event }) => event.parts.map((part, n) => ({ ...part, position, n })))
  const standings = rows.flatMap((row) => (row.event.standing === undefined ? [] : [{ ...row, ...row.event.standing }]))
  return [
    rows.map(({ position }) => position),
    rows.map(({ key }) => key),
    rows.map(({ sequence }) => sequence),
    rows.map(({ event }) => event.revision),
    rows.map(({ event }) => event.activity),
    rows.map(({ event }) => event.id),
    rows.map(({ event }) => Buffer.from(event.line)),
    parts.map(({ position }) => position),
    parts.map(({ n }) => n),
    parts.map(({ name }) => name),
    parts.map(({ salt }) => Buffer.from(salt)),
    parts.map(({ bytes }) => Buffer.from(bytes)),
    standings.map(({ key }) => key),
    standings.map(({ event }) => event.activity),
    standings.map(({ sequence }) => sequence),
    standings.map(({ position }) => position),
    standings.map(({ type }) => type ?? null),
    standings.map(({ status }) => status),
  ]
}
