import { openEventStoreDbStore } from '../../../../adapters/store-eventstoredb/open.ts'
import { openPostgresReadModels } from '../../../../adapters/store-postgres/open-read-models.ts'
import type { Storage } from '../../../../core/ports/storage.ts'
import type { ServerProcess } from '../../../adapters/store-eventstoredb/emulator/server-process.ts'
import type { PostgresServer } from '../../../adapters/store-postgres/server/server.ts'
import { BUGS_ON_EVENTSTOREDB } from '../bugs/bug.ts'
import { checkActivities } from '../checks/check-activities.ts'
import { checkParts } from '../checks/check-parts.ts'
import { right } from '../found.ts'
import { POINTS_ON_EVENTSTOREDB } from '../plan.ts'
import { placeFor } from '../store-place.ts'
import type { Ground } from './ground.ts'
import { anySchema, databaseOf, dropSchema } from './postgres-place.ts'

/** Logs under prefixes of one EventStoreDB, with read models in schemas of one PostgreSQL. */
export const onEventStoreDb = (
  { connectionString, crash }: Pick<ServerProcess, 'connectionString'> & Partial<Pick<ServerProcess, 'crash'>>,
  server: PostgresServer,
): Ground => ({
  place: async (towns, random) => {
    const schema = anySchema()
    const prefix = `${schema}-`
    const readModels = { url: server.urlOf({ search: `schema=${schema}` }) }
    const openToRead = async (): Promise<Storage> => {
      const beside = right(await openPostgresReadModels({ ...readModels, readOnly: true })())
      const options = { connectionString, prefix, readOnly: true, readModels: beside.readModels, sealed: beside.sealed }
      return right(await openEventStoreDbStore(options)())
    }
    const place = await placeFor(random, { towns, openToRead, hasSlowPayments: true })
    return {
      ...place,
      address: { url: connectionString, readModels, prefix },
      name: `streams ${prefix}… and schema ${schema}, as long as their servers run`,
      check: async (storage) => [...(await checkParts(connectionString, prefix)), ...(await checkActivities(storage))],
      close: async (keepsFiles) => {
        await place.close(keepsFiles)
        if (!keepsFiles) await dropSchema(server, schema)
      },
    }
  },
  databases: [...(crash === undefined ? [] : [{ name: 'EventStoreDB', crash }]), ...databaseOf(server)],
  points: POINTS_ON_EVENTSTOREDB,
  // The index of activities is moved under a lease as soon as there are events.
  freezes: new Map([
    ['before-append', 12],
    ['after-parts', 12],
    ['lease-taken', 12],
    ['before-renewal', 2],
    ['effect-begun', 2],
  ]),
  bugs: BUGS_ON_EVENTSTOREDB,
})
