import type { Failure } from '../../core/failure.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { E, type TE } from '../../core/prelude.ts'
import { groupWriter } from './append.ts'
import { attempts } from '../../core/ports/attempts.ts'
import { connectClient } from './client.ts'
import { eventStoreDbEventStore } from './event-store.ts'
import { failureOf } from './failures.ts'
import { withoutOwn } from './hidden.ts'
import { writingLane } from './lane.ts'
import { linker } from './linker.ts'
import { live } from './live.ts'
import { linearizable } from './linearizable.ts'
import type { LogClient } from './log-client.ts'
import { logParts } from './log-parts.ts'
import { storeSettings, type EventStoreDbStoreOptions, type StoreSettings } from './options.ts'
import { streamNames } from './names.ts'
import { ownership } from './ownership.ts'
import { guardedSealed } from './sealed-rows.ts'
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

const opened = async (plain: LogClient, settings: StoreSettings): Promise<Storage> => {
  const { readModels, leases, sealed, readOnly, commitBytesMax } = settings
  const { confirmations } = streamNames(settings.prefix)
  const reads = settings.linearizableReads ? await linearizable(plain, confirmations) : undefined
  const client = reads?.client ?? plain
  const own = await logParts(client, settings)
  const { names, reader, parts, marks, index } = own
  // It tells where to look for the end of the log. Who only reads may find none.
  await (readOnly ? own.indexer.state().catch(() => undefined) : own.indexer.state())
  const following = live(client, names, reader, await reader.lastPosition())
  const writeRun = runWriter(client, names, parts)
  const writeGroup = groupWriter({ reader, index, tails: own.tails, writeRun, commitBytesMax })
  const linking = readOnly || !settings.links ? undefined : linker(own.linking, { leases, indexer: own.indexer })
  const lane = writingLane(writeGroup, (position) => {
    following.told(position)
    own.indexer.wake(position)
    linking?.wake()
  })
  const owner = ownership(marks, own.database)
  const border = owner.guarded(attempts(readOnly, failureOf))
  const store = eventStoreDbEventStore({
    ...{ client, names, reader, parts, marks, index, lane },
    ...{ indexer: own.indexer, tails: own.tails, live: following },
    confirmed: reads?.confirmed ?? asItIs,
    attempts: border,
    onClose: async () => {
      owner.close()
      await linking?.close()
      await readModels.close()
      await client.close()
    },
  })
  linking?.wake() // a process that ended may have left events without links
  return { store, readModels: withoutOwn(readModels), leases, sealed: sealed && guardedSealed(sealed, border) }
}

const asItIs = <A>(read: () => Promise<A>): Promise<A> => read()
