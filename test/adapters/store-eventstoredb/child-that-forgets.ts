/* Connects, follows, and never closes: the process ends by itself when it has caught up. */
import { connectClient } from '../../../adapters/store-eventstoredb/client.ts'

const [, , connectionString = ''] = process.argv
const client = await connectClient({ connectionString })
await client.checkLeader()
let count = 0
client.follow(
  { prefixes: ['s'], after: 'start' },
  {
    onEvents: (events) => void (count += events.length), // in any number of pieces
    onCaughtUp: () => console.log(`caught up with ${count} events`),
    onDropped: ({ message }) => console.log(message),
  },
)
