import type { Failure } from '../../core/failure.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { E, type TE } from '../../core/prelude.ts'
import { activityIndex } from './activity-index.ts'
import { groupWriter } from './append.ts'
import { attempts } from '../../core/ports/attempts.ts'
import { connectClient } from './client.ts'
import { eventStoreDbEventStore } from './event-store.ts'
import { failureOf } from './failures.ts'
import { withoutOwn } from './hidden.ts'
import { identify, identifyAgain } from './identity.ts'
import { indexer } from './indexer.ts'
import { writingLane } from './lane.ts'
import { live } from './live.ts'
import type { LogClient } from './log-client.ts'
import { logReader } from './log-reader.ts'
import { marksStream } from './marks.ts'
import { streamNames } from './names.ts'
import { storeSettings, type EventStoreDbStoreOptions, type StoreSettings } from './options.ts'
import { overlaid } from './overlay.ts'
import { partStreams } from './parts.ts'
import { tails } from './tails.ts'
import { runWriter } from './write-run.ts'

/** Connects to the server of the options. */
export type Connecting = (settings: StoreSettings) => Promise<LogClient>

/**
 * Opens the store on a server. It needs the package `@eventstore/db-client`.
 *
 * @returns `CONFIGURATION_INVALID` for options, a user or a server that cannot be used, and for read models that belong to another log;
 *   `STORE_UNREADABLE` if the streams under the prefix are not, and cannot become, a store; `UNAVAILABLE` if there is no leader that takes
 *   writes. No message has the connection string
 */
export const openEventStoreDbStore = (options: EventStoreDbStoreOptions): TE.TaskEither<Failure, Storage> =>
  openOver(connectClient, options)

/** Opens the store over a client that `connecting` makes. */
export const openOver =
  (connecting: Connecting, options: EventStoreDbStoreOptions): TE.TaskEither<Failure, Storage> =>
  async () => {
    const settings = storeSettings(options)
    if (E.isLeft(settings)) return settings
    let client: LogClient | undefined
    try {
      client = await connecting(settings.right)
      return E.right(await opened(client, settings.right))
    } catch (error) {
      await client?.close()
      return E.left(failureOf(error))
    }
  }

const opened = async (client: LogClient, settings: StoreSettings): Promise<Storage> => {
  const { readModels, leases, readOnly, commitBytesMax } = settings
  const names = streamNames(settings.prefix)
  const parts = partStreams(client, names)
  const reader = logReader(client, names, parts)
  const marks = marksStream(client, names)
  const database = await identify({ readModels, marks, reader }, settings)
  const rows = readOnly ? overlaid(readModels) : readModels
  const moving = indexer({
    ...{ readModels: rows, leases, reader, database, readOnly },
    onThrownAway: () => (readOnly ? Promise.resolve() : identifyAgain(readModels, database)),
  })
  const index = activityIndex(rows, moving)
  const ends = tails({ reader, index, indexer: moving })
  // It tells where to look for the end of the log. Who only reads may find none.
  await (readOnly ? moving.state().catch(() => undefined) : moving.state())
  const following = live(client, names, reader, await reader.lastPosition())
  const writeRun = runWriter(client, names, parts)
  const writeGroup = groupWriter({ reader, index, tails: ends, writeRun, commitBytesMax })
  const lane = writingLane(writeGroup, (position) => {
    following.told(position)
    moving.wake(position)
  })
  const store = eventStoreDbEventStore({
    ...{ client, names, reader, parts, marks, index, lane },
    ...{ indexer: moving, tails: ends, live: following, attempts: attempts(readOnly, failureOf) },
    onClose: async () => {
      await readModels.close()
      await client.close()
    },
  })
  return { store, readModels: withoutOwn(readModels), leases }
}
