/* Connects, follows, and never closes: the process ends by itself when it has caught up. */
import { connectClient } from '../../../adapters/store-eventstoredb/client.ts'

const [, , connectionString = ''] = process.argv
const client = await connectClient({ connectionString })
await client.checkLeader()
client.follow(
  { prefixes: ['s'], after: 'start' },
  {
    onEvents: (events) => console.log(`${events.length} events`),
    onCaughtUp: () => console.log('caught up'),
    onDropped: ({ message }) => console.log(message),
  },
)
