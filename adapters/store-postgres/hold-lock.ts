import { E } from '../../core/prelude.ts'
import { refuse } from '../../core/ports/refusal.ts'
import { connector } from './connect.ts'
import { settingsOf } from './open.ts'
import { writeOrigin } from './read-log.ts'
import { tablesOf } from './tables.ts'
import { lockSql, transactions } from './transaction.ts'

/** How long a process may stop inside a transaction in a trial. */
const IDLE_MS = 1_000

/**
 * Stops in the middle of a transaction of the store, which has its lock and has written something: for trials of what then becomes of
 * others. The promise resolves as soon as it has stopped.
 */
export const holdLock = async (url: string, schema: string): Promise<void> => {
  const settings = settingsOf({ url, schema, idleTimeoutMs: IDLE_MS })
  if (E.isLeft(settings)) throw refuse('CONFIGURATION_INVALID', settings.left.message)
  const connection = await (await connector(settings.right))()
  const tables = tablesOf(schema)
  await new Promise<void>((resolve, reject) => {
    const stopped = async (): Promise<never> => {
      await writeOrigin(connection, tables, 'imported_to', 99n)
      resolve()
      return new Promise<never>(() => {})
    }
    transactions(settings.right, lockSql(tables))(connection, stopped).catch(reject)
  })
}
