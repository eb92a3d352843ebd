import { connectClient } from '../../../../adapters/store-eventstoredb/client.ts'
import type { LogClient, StoredEvent } from '../../../../adapters/store-eventstoredb/log-client.ts'
import { streamNames } from '../../../../adapters/store-eventstoredb/names.ts'
import { partStreams } from '../../../../adapters/store-eventstoredb/parts.ts'
import { loggedOf } from '../../../../adapters/store-eventstoredb/recorded.ts'

/** Every part that an event of the log names stands in its stream. Nothing is erased here. */
export const checkParts = async (connectionString: string, prefix: string): Promise<readonly string[]> => {
  const client = await connectClient({ connectionString })
  try {
    const names = streamNames(prefix)
    const stored = await allOf(client, names.organizations)
    const logged = stored.map(loggedOf)
    const known = logged.filter((one) => one !== undefined)
    const found = await partStreams(client, names).read(known, true)
    return [
      ...stored.flatMap(({ stream, revision }, index) =>
        logged[index] === undefined ? [`event ${revision} of the stream ${stream} is none of ours`] : [],
      ),
      ...known.flatMap(({ id, parts }, index) =>
        parts
          .filter(({ name }) => !found[index]?.some((part) => part.name === name))
          .map(({ name }) => `event ${id} names the part ${name}, which was never written`),
      ),
    ]
  } finally {
    await client.close()
  }
}

const allOf = async (client: LogClient, prefix: string): Promise<readonly StoredEvent[]> => {
  const found: StoredEvent[] = []
  await new Promise<void>((resolve, reject) => {
    const following = client.follow(
      { prefixes: [prefix], after: 'start' },
      {
        onEvents: (events) => void found.push(...events),
        onCaughtUp: () => void following.stop().then(resolve),
        onDropped: reject,
      },
    )
  })
  return found
}
