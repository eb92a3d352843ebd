import { connectClient } from '../../../adapters/store-eventstoredb/client.ts'
import type { LogClient } from '../../../adapters/store-eventstoredb/log-client.ts'
import type { ClientSettings } from '../../../adapters/store-eventstoredb/settings.ts'

/** Clients of one server, each of one store at a time: whose store is closed, it serves the next one. A thread takes long to start. */
export type PooledClients = {
  readonly connect: () => Promise<LogClient>
  /** Closes those that no store has. */
  readonly close: () => Promise<void>
}

export const pooledClients = (settings: ClientSettings): PooledClients => {
  const idle: LogClient[] = []
  const lent = (client: LogClient): LogClient => {
    let isOver = false
    return {
      ...client,
      close: async () => {
        if (!isOver) idle.push(client)
        isOver = true
      },
    }
  }
  return {
    connect: async () => lent(idle.pop() ?? (await connectClient(settings))),
    close: async () => void (await Promise.all(idle.splice(0).map((client) => client.close()))),
  }
}
