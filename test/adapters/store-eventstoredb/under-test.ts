import { randomUUID } from 'node:crypto'
import type { LogClient, StoredEvent } from '../../../adapters/store-eventstoredb/log-client.ts'
import { openOver } from '../../../adapters/store-eventstoredb/open.ts'
import type { EventStoreDbStoreOptions } from '../../../adapters/store-eventstoredb/options.ts'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { right } from '../../../adapters/testing/expect.ts'
import type { OpenedStore } from '../../../adapters/testing/index.ts'
import type { Leases } from '../../../core/ports/leases.ts'
import type { ReadModels } from '../../../core/ports/read-models.ts'
import type { Storage } from '../../../core/ports/storage.ts'
import { memoryLog, type MemoryLog } from './memory-log.ts'

export const commitBytesMax = 1024 * 1024

/** What a store borrows, for several handles on it: each closes a view of its own. */
export type Lender = {
  readonly borrow: () => Promise<{ readonly readModels: ReadModels; readonly leases: Leases | undefined }>
  readonly dispose: () => Promise<void>
}

/** Read models in memory that several handles share. */
export const memoryLender = (): Lender => {
  const { readModels, leases } = memoryStore()
  return {
    borrow: async () => ({ readModels: { ...readModels, close: async () => undefined }, leases }),
    dispose: () => readModels.close(),
  }
}

/** A store over a client, which can be opened several times. */
export const openStores = async (
  connect: () => Promise<LogClient>,
  lender: Lender,
  options: Partial<EventStoreDbStoreOptions> = {},
): Promise<OpenedStore> => {
  const prefix = options.prefix ?? `${randomUUID()}_`
  const openingOf = (prefix: string) => async () => {
    const borrowed = await lender.borrow()
    return openOver(connect, { connectionString: 'esdb://test', commitBytesMax, ...borrowed, ...options, prefix })()
  }
  const opening = openingOf(prefix)
  return {
    storage: await right(opening),
    reopen: () => right(opening),
    openBeside: opening,
    restore: async () => {
      const copy = `${randomUUID()}_`
      await copyStreams(await connect(), prefix, copy)
      return right(openingOf(copy))
    },
    dispose: lender.dispose,
  }
}

/** All events of streams with a prefix, written anew under another one: every position is another one then, as it may be after a restoration. */
const copyStreams = async (client: LogClient, from: string, to: string): Promise<void> => {
  for (let at: 'start' | bigint = 'start'; ;) {
    const page: readonly StoredEvent[] = await client.readAll({ from: at, limit: 1000, prefixes: [from] })
    for (const { stream, revision, position, id, type, data, metadata } of page) {
      if (!stream.startsWith(from) || position === at) continue
      const expected = revision === 0n ? 'none' : revision - 1n
      await client.append(`${to}${stream.slice(from.length)}`, expected, [{ id, type, data, metadata }])
    }
    if (page.length < 1000) break
    at = page.at(-1)?.position ?? at
  }
  await client.close()
}

export const openInMemory = (
  options: Partial<EventStoreDbStoreOptions> = {},
  log: MemoryLog = memoryLog(),
): Promise<OpenedStore> => openStores(async () => log.connect(), memoryLender(), options)

/** One handle on a log, with read models of its own unless others are given. */
export const openOn = (
  log: MemoryLog,
  options: Partial<EventStoreDbStoreOptions> = {},
  lender: Lender = memoryLender(),
): Promise<Storage> =>
  openStores(async () => log.connect(), lender, { prefix: '', ...options }).then(({ storage }) => storage)
