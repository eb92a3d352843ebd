import { crashPoint } from '../crash-point.ts'
import type { Leases } from '../../core/ports/leases.ts'
import type { Attempts } from '../../core/ports/attempts.ts'
import type { Asking, Pool } from './pool.ts'
import type { Settings } from './settings.ts'
import { tablesOf } from './tables.ts'
import { inTransaction } from './transaction.ts'

/**
 * Leases in a table, on the clock of the database. A lease that was given up is a row less; those of processes that died are removed an hour
 * later, by whoever gives one up. Fences come from one sequence, so they grow although rows go.
 */
export const postgresLeases = (pool: Pool, settings: Settings, { write }: Attempts): Leases => {
  const { leases } = tablesOf(settings.schema)
  const transacted = inTransaction(pool, settings)
  const at = <A>(point: string, ask: (on: Asking) => Promise<A>) =>
    write(() => {
      crashPoint(point)
      return transacted(ask)
    })
  const end = `clock_timestamp() + make_interval(secs => $2::float8)`
  const SECOND_MS = 1000

  return {
    take: (name, forMs) =>
      write(async () => {
        const { rows } = await transacted((on) =>
          on.query(
            `INSERT INTO ${leases} AS held (name, ends) VALUES ($1, ${end})
            ON CONFLICT (name) DO UPDATE SET fence = excluded.fence, ends = excluded.ends WHERE held.ends <= clock_timestamp()
            RETURNING fence`,
            [name, String(forMs / SECOND_MS)],
          ),
        )
        const fence = rows[0]?.[0] as bigint | undefined // int8
        if (fence === undefined) return undefined
        crashPoint('lease-taken')
        return { name, fence }
      }),
    renew: ({ name, fence }, forMs) =>
      at('before-renewal', async (on) => {
        const { rowCount } = await on.query(
          `UPDATE ${leases} SET ends = ${end} WHERE name = $1 AND fence = $3::int8 AND ends > clock_timestamp()`,
          [name, String(forMs / SECOND_MS), fence],
        )
        return rowCount === 1
      }),
    giveUp: ({ name, fence }) =>
      at('before-giving-up', async (on) => {
        await on.query(
          `DELETE FROM ${leases}
          WHERE (name = $1 AND fence = $2::int8) OR ends < clock_timestamp() - interval '1 hour'`,
          [name, fence],
        )
      }),
  }
}
