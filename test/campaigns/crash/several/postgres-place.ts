import { randomBytes } from 'node:crypto'
import { openPostgresStore } from '../../../../adapters/store-postgres/open.ts'
import type { PostgresServer } from '../../../adapters/store-postgres/server/server.ts'
import { BUGS_OF_SEVERAL } from '../bugs/bug.ts'
import { right } from '../found.ts'
import { POINTS_OF_SEVERAL } from '../plan.ts'
import { placeFor } from '../store-place.ts'
import type { Database, Ground } from './ground.ts'

/** Stores in schemas of one database. */
export const onPostgresServer = (server: PostgresServer): Ground => ({
  place: async (towns, random) => {
    const schema = anySchema()
    const url = server.urlOf({ search: `schema=${schema}` })
    const place = await placeFor(random, {
      towns,
      openToRead: async () => right(await openPostgresStore({ url, readOnly: true })()),
      hasSlowPayments: true,
    })
    return {
      ...place,
      address: { url },
      name: `schema ${schema}, as long as its server runs`,
      check: async () => [],
      close: async (keepsFiles) => {
        await place.close(keepsFiles)
        if (!keepsFiles) await dropSchema(server, schema)
      },
    }
  },
  databases: databaseOf(server),
  points: POINTS_OF_SEVERAL,
  // The first server may have the leases of both projections before it listens, so it stands still at the next one.
  freezes: new Map([
    ['after-lock', 12],
    ['lease-taken', 3],
    ['before-renewal', 2],
    ['effect-begun', 2],
  ]),
  bugs: BUGS_OF_SEVERAL,
})

export const anySchema = (): string => `crash_${randomBytes(6).toString('hex')}`

export const dropSchema = async ({ run }: PostgresServer, schema: string): Promise<void> =>
  void (await run(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`))

/** None where the server is not ours. */
export const databaseOf = ({ crash }: PostgresServer): readonly Database[] =>
  crash === undefined ? [] : [{ name: 'PostgreSQL', crash }]
