import { randomBytes } from 'node:crypto'
import { openPostgresStore } from '../../../adapters/store-postgres/open.ts'
import type { PostgresServer } from '../../postgres/server.ts'
import { right } from '../found.ts'
import type { Random } from '../random.ts'
import { placeFor, type StorePlace } from '../store-place.ts'
import type { Town } from '../town.ts'

/** A place in a schema of its own, for several servers. */
export type PostgresPlace = StorePlace & { readonly url: string; readonly schema: string }

export const postgresPlace = async (
  { urlOf, run }: PostgresServer,
  towns: readonly Town[],
  random: Random,
): Promise<PostgresPlace> => {
  const schema = `crash_${randomBytes(6).toString('hex')}`
  const url = urlOf({ search: `schema=${schema}` })
  const place = await placeFor(random, {
    towns,
    openToRead: async () => right(await openPostgresStore({ url, readOnly: true })()),
    hasSlowPayments: true,
  })
  return {
    ...place,
    url,
    schema,
    close: async (keepsFiles) => {
      await place.close(keepsFiles)
      if (!keepsFiles) await run(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`)
    },
  }
}
