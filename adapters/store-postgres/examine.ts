/* What `countersign doctor` reads of a database. It changes nothing. */
import { E, type TE } from '../../core/prelude.ts'
import type { Failure } from '../../core/failure.ts'
import { connector, type Connect, type Connection } from './connect.ts'
import { examineServer, type ExaminedServer } from './examine-server.ts'
import { failureOf } from './failures.ts'
import { settingsOf } from './open.ts'
import type { Asking } from './pool.ts'
import { isPooled } from './pooling.ts'
import { readLastPosition } from './read-log.ts'
import { administratorSql, grantsSql, rightsOn } from './rights.ts'
import { prepareForReading } from './schema.ts'
import { SCRATCH } from './scratch.ts'
import { tableNames, tablesOf, type Tables } from './tables.ts'

export type { ExaminedServer } from './examine-server.ts'

export type Examined = {
  readonly server: ExaminedServer
  /** Whether a pooler lends the connections of the server for a transaction at a time. */
  readonly isPooled: boolean
  /** Whether a notification reaches another connection. */
  readonly isHeard: boolean
  readonly store: ExaminedStore
  readonly rights: ExaminedRights
  /** The statements that an administrator may run for this user. */
  readonly sql: string
  /** Schemas that examinations which were killed have left. */
  readonly leftSchemas: readonly string[]
}

export type ExaminedStore = {
  /** Why the store cannot be read; `missing` if there is none in the schema. */
  readonly unread: Failure | 'missing' | undefined
  readonly events: bigint
  readonly bytes: bigint
  /** Tables on which somebody has put triggers or rules of his own. */
  readonly changedTables: readonly string[]
}

export type ExaminedRights = {
  readonly role: string
  readonly mayMakeSchemas: boolean
  readonly isSchemaThere: boolean
  readonly mayMakeTables: boolean
  /** What is missing on tables that are there, such as `INSERT on events`. */
  readonly missing: readonly string[]
}

/** Reads the settings of the server, the rights of the user, and the size of the store. */
export const examinePostgres =
  (url: string): TE.TaskEither<Failure, Examined> =>
  async () => {
    const settings = settingsOf({ url })
    if (E.isLeft(settings)) return settings
    const tables = tablesOf(settings.right.schema)
    try {
      const connect = await connector(settings.right)
      return E.right(await withTwo(connect, (one, two) => examine(one, two, tables)))
    } catch (error) {
      return E.left(failureOf(error))
    }
  }

const withTwo = async <A>(connect: Connect, use: (one: Connection, two: Connection) => Promise<A>): Promise<A> => {
  const one = await connect()
  try {
    const two = await connect()
    try {
      return await use(one, two)
    } finally {
      await two.close()
    }
  } finally {
    await one.close()
  }
}

const examine = async (one: Connection, two: Connection, tables: Tables): Promise<Examined> => {
  const pooled = await isPooled(one, two)
  const rights = await examineRights(one, tables)
  const store = await examineStore(one, tables)
  return {
    server: await examineServer(one),
    isPooled: pooled,
    isHeard: !pooled && (await hears(one, two)),
    store,
    rights,
    sql: store.unread === 'missing' ? administratorSql(tables, rights.role) : grantsSql(tables, rights.role),
    leftSchemas: await names(one, 'SELECT nspname FROM pg_namespace WHERE starts_with(nspname, $1)', [SCRATCH]),
  }
}

const HEARD_WITHIN_MS = 2_000

/** Not behind a pooler in transaction mode, where a listening would be left behind for others. */
const hears = async (one: Connection, two: Connection): Promise<boolean> => {
  const channel = `${SCRATCH}${Date.now()}`
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), HEARD_WITHIN_MS)
  })
  const heard = new Promise<true>((resolve) => one.onNotification(() => resolve(true)))
  await one.query(`LISTEN ${channel}`)
  await two.query(`NOTIFY ${channel}`)
  const isHeard = await Promise.race([heard, late])
  clearTimeout(timer)
  await one.query(`UNLISTEN ${channel}`)
  return isHeard
}

const examineRights = async (on: Asking, t: Tables): Promise<ExaminedRights> => {
  const { rows } = await on.query(
    `SELECT current_user::text, has_database_privilege(current_database(), 'CREATE'),
      n.oid IS NOT NULL, coalesce(has_schema_privilege(n.oid, 'CREATE'), false), coalesce(has_schema_privilege(n.oid, 'USAGE'), false)
    FROM (SELECT 1) one LEFT JOIN pg_namespace n ON n.nspname = $1`,
    [t.schema],
  )
  const [role, mayMakeSchemas, isSchemaThere, mayMakeTables, mayUse] = rows[0] ?? []
  const missing = isSchemaThere === true && mayUse !== true ? ['USAGE on the schema'] : []
  for (const name of tableNames)
    for (const right of rightsOn(name)) {
      const found = await names(
        on,
        `SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = $1 AND c.relname = $2 AND NOT has_table_privilege(c.oid, $3)`,
        [t.schema, name, right],
      )
      missing.push(...found.map(() => `${right} on ${name}`))
    }
  return {
    role: String(role),
    mayMakeSchemas: mayMakeSchemas === true,
    isSchemaThere: isSchemaThere === true,
    mayMakeTables: mayMakeTables === true,
    missing,
  }
}

const examineStore = async (on: Asking, t: Tables): Promise<ExaminedStore> => {
  const { rows } = await on.query(
    `SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::int8, count(*)::int8
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind = 'r'`,
    [t.schema],
  )
  const [bytes, tables] = rows[0] as readonly [bigint, bigint] // as selected
  const changedTables = await names(
    on,
    `SELECT DISTINCT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = $1 AND c.relname = ANY ($2) AND (c.relhasrules
      OR EXISTS (SELECT 1 FROM pg_trigger g WHERE g.tgrelid = c.oid AND NOT g.tgisinternal))`,
    [t.schema, tableNames],
  )
  try {
    if (tables === 0n) return { unread: 'missing', events: 0n, bytes, changedTables }
    await prepareForReading(on, t)
    return { unread: undefined, events: await readLastPosition(on, t), bytes, changedTables }
  } catch (error) {
    return { unread: failureOf(error), events: 0n, bytes, changedTables }
  }
}

const names = async (on: Asking, sql: string, values: Parameters<Asking['query']>[1]): Promise<readonly string[]> =>
  (await on.query(sql, values)).rows.map(([name]) => String(name))
