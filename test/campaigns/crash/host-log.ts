import { eventStoreDbStore, type EventStoreDbStoreOptions } from 'countersign/store-eventstoredb'
import type { Storage } from 'countersign'
import type { connectClient as ConnectClient } from '../../../adapters/store-eventstoredb/client.ts'
import type { LogClient } from '../../../adapters/store-eventstoredb/log-client.ts'
import type { openOver as OpenOver } from '../../../adapters/store-eventstoredb/open.ts'
import type { run as Run } from '../../../core/countersign-error.ts'

/** Opens a log on EventStoreDB; with a mistake, over a client that makes it. */
export const openLog = async (
  options: EventStoreDbStoreOptions,
  mistaken: ((client: LogClient) => LogClient) | undefined,
): Promise<Storage> => {
  if (mistaken === undefined) return eventStoreDbStore(options)
  const [{ openOver }, { connectClient }, { run }] = await Promise.all([
    built<{ readonly openOver: typeof OpenOver }>('adapters/store-eventstoredb/open.js'),
    built<{ readonly connectClient: typeof ConnectClient }>('adapters/store-eventstoredb/client.js'),
    built<{ readonly run: typeof Run }>('core/countersign-error.js'),
  ])
  return run(openOver(async (settings) => mistaken(await connectClient(settings)), options))
}

/** A module that the package does not export, of what was built. */
const built = async <Module>(path: string): Promise<Module> =>
  import(new URL(`../../../dist/${path}`, import.meta.url).href) as Promise<Module>
