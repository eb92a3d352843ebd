import { E, type TE } from '../../core/prelude.ts'
import { failure, type Failure } from '../../core/failure.ts'
import { hintFor } from '../../core/options.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { groupWriter } from './append.ts'
import { attempts } from '../../core/ports/attempts.ts'
import { postgresBatons } from './batons.ts'
import { connector, type Connect, type Connection } from './connect.ts'
import { postgresEventStore } from './event-store.ts'
import { failureOf } from './failures.ts'
import { postgresLeases } from './leases.ts'
import { writingLane } from './lane.ts'
import { live } from './live.ts'
import { borrowedPool, ownPool } from './pool.ts'
import { readLastPosition } from './read-log.ts'
import { readModelsOn } from './read-models.ts'
import { prepareForReading, prepareForWriting, removeMade } from './schema.ts'
import { postgresSealedRows } from './sealed-rows.ts'
import { defaults, type PostgresStoreOptions, type Settings } from './settings.ts'
import { SCHEMA_BYTES_MAX, tablesOf } from './tables.ts'
import { lockedTransactions, lockSql, transactions } from './transaction.ts'
import { targetOf, type Target } from './url.ts'

/** A store in a database. Its creation can be undone. */
export type PostgresStorage = Storage & {
  /**
   * Tells `close` whether it removes the schema or the tables that this opening has made: `nothing` (default), or `all` of them. Use it only
   * where no other process can have opened them meanwhile.
   */
  readonly discard: (what: 'nothing' | 'all') => void
}

/**
 * Opens the store in a schema of a PostgreSQL database, and makes its tables if they are missing, unless `readOnly`.
 *
 * @returns `CONFIGURATION_INVALID` for a URL, user, password, database or server that cannot be used; `STORE_UNREADABLE` if the schema is
 *   not, and cannot become, a store; `UNAVAILABLE` if the server does not answer or takes no writes. No message has the URL
 */
export const openPostgresStore = (options: PostgresStoreOptions): TE.TaskEither<Failure, PostgresStorage> =>
  openOver(connector, options)

/** Like `openPostgresStore`, over connections that somebody else makes, such as one that loses answers for a trial. */
export const openOver =
  (connecting: typeof connector, options: PostgresStoreOptions): TE.TaskEither<Failure, PostgresStorage> =>
  async () => {
    const settings = settingsOf(options)
    if (E.isLeft(settings)) return settings
    try {
      return E.right(await opened(settings.right, await connecting(settings.right)))
    } catch (error) {
      return E.left(failureOf(error))
    }
  }

const opened = async (settings: Settings, connect: Connect): Promise<PostgresStorage> => {
  const { readOnly, pool: borrowed, connectionsMax, pollIntervalMs } = settings
  const tables = tablesOf(settings.schema)
  const lock = lockSql(tables)
  const locked = transactions(settings, lock)
  const first = await connect()
  const { made, from } = await closingOnError(first, async () => {
    const made = await (readOnly ? prepareForReading(first, tables) : prepareForWriting(first, tables, locked))
    await keepPlans(first)
    return { made, from: await readLastPosition(first, tables) }
  })
  if (readOnly) await first.close()

  const pool = borrowed === undefined ? ownPool(connect, connectionsMax) : borrowedPool(borrowed)
  const following = live({ connect, pool, tables, pollIntervalMs, from })
  const lane = writingLane({
    connect: () => connect().then((connection) => closingOnError(connection, () => keepPlans(connection))),
    first: readOnly ? undefined : first,
    locked,
    writeGroup: groupWriter(tables, settings, lockedTransactions(settings, lock)),
    onWritten: following.told,
  })
  const batons = postgresBatons(connect, settings, attempts(readOnly, failureOf))
  let discard: Parameters<PostgresStorage['discard']>[0] = 'nothing'
  const onClose = async (): Promise<void> => {
    if (discard === 'all') await lane.write((on) => removeMade(on, tables, made)).catch(() => undefined)
    await batons.close()
  }
  return {
    store: postgresEventStore({
      pool,
      lane,
      live: following,
      settings,
      attempts: attempts(readOnly, failureOf),
      onClose,
    }),
    readModels: readModelsOn(pool, settings, attempts(readOnly, failureOf), following),
    batons,
    leases: postgresLeases(pool, settings, attempts(readOnly, failureOf)),
    sealed: postgresSealedRows(pool, settings, attempts(readOnly, failureOf)),
    discard: (what) => void (discard = what),
  }
}

/**
 * Plans of groups are not weighed against new ones: they are good for any values, and planning takes longer than most groups. Plans of
 * pages may differ with their length: other connections stay as they are.
 */
const keepPlans = async (connection: Connection): Promise<Connection> => {
  if (connection.isDirect()) await connection.query('SET plan_cache_mode = force_generic_plan')
  return connection
}

const closingOnError = async <A>(connection: Connection, use: () => Promise<A>): Promise<A> => {
  try {
    return await use()
  } catch (error) {
    await connection.close()
    throw error
  }
}

const invalid = (message: string): E.Either<Failure, never> => E.left(failure('CONFIGURATION_INVALID', message))

/** The options with their defaults, checked. */
export const settingsOf = ({ url, pool, ...given }: PostgresStoreOptions): E.Either<Failure, Settings> => {
  const names = ['url', 'pool', 'schema', ...Object.keys(defaults)]
  const unknown = Object.keys(given).find((name) => !names.includes(name))
  if (unknown !== undefined) return invalid(`${unknown}: there is no such option${hintFor(unknown, names)}`)
  if ((url === undefined) === (pool === undefined)) return invalid('expected either url or pool')
  const target: E.Either<Failure, Target> =
    pool === undefined ? targetOf(url ?? '') : E.right({ hosts: [clientOptions(pool)] })
  if (E.isLeft(target)) return target
  const schema = given.schema ?? target.right.schema ?? 'countersign'
  if (schema === '' || Buffer.byteLength(schema) > SCHEMA_BYTES_MAX || schema.includes('\0') || /^pg_/i.test(schema))
    return invalid('schema: expected the name of a schema, of at most 63 bytes, that does not begin with pg_')
  return E.right({ ...defaults, ...given, schema, pool, target: target.right })
}

/** A pool hides its password from those who print it, and so from those who copy it. */
const clientOptions = ({ options }: NonNullable<PostgresStoreOptions['pool']>): object =>
  'password' in options ? { ...options, password: options.password } : options
