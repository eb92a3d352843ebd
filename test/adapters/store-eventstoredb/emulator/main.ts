/** The emulator as a process of its own, which can be killed. */
import { parseArgs } from 'node:util'
import { startEmulator } from './emulator.ts'
import { keepIn } from './log-file.ts'
import { createEventLog } from './event-log.ts'

const HELP = `Usage: node --import tsx test/adapters/store-eventstoredb/emulator/main.ts [--port N] [--file PATH] [--version X.Y.Z]

Emulates an EventStoreDB, without security. Prints the connection string when it listens.

  --port      default: one that is free
  --file      keeps the log there, over restarts and kills; default: in memory
  --version   the server to be; default: 23.10.8`

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', short: 'h' },
    port: { type: 'string', default: '0' },
    file: { type: 'string' },
    version: { type: 'string', default: '23.10.8' },
  },
})
if (values.help === true) console.log(HELP)
else {
  const own = createEventLog()
  if (values.file !== undefined) keepIn(values.file, own)
  const { connectionString, stop } = await startEmulator({ port: Number(values.port), version: values.version, own })
  console.log(connectionString)
  process.once('SIGTERM', () => void stop())
}
