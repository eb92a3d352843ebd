import { randomUUID } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { connectClient } from '../../../../adapters/store-eventstoredb/client.ts'
import { startServerProcess } from './server-process.ts'

const it = suite('an EventStoreDB that a test may kill')

const commands = {
  'the emulator': undefined,
  'what EVENTSTOREDB_START starts': `'${process.execPath}' --import tsx test/adapters/store-eventstoredb/emulator/main.ts --port PORT --file DIR/log`,
}

for (const [name, command] of Object.entries(commands))
  it(`has after its death what it had before: ${name}`, async () => {
    const before = process.env['EVENTSTOREDB_START']
    if (command === undefined) delete process.env['EVENTSTOREDB_START']
    else process.env['EVENTSTOREDB_START'] = command
    try {
      const server = await startServerProcess()
      const client = await connectClient({ connectionString: server.connectionString })
      const event = { id: randomUUID(), type: 'Any', data: Uint8Array.of(1, 2, 3), metadata: new Uint8Array() }
      await client.append('any', 'none', [event])
      await server.crash()
      const found = await client.readStream('any', { from: 'start', limit: 2 })
      assert.equal(typeof found === 'string' ? found : found.map(({ id }) => id), [event.id])
      await client.close()
      await server.end()
      const gone: unknown = await server.crash().catch((error: unknown) => error)
      assert.match(String(gone), 'the EventStoreDB has ended by itself')
    } finally {
      if (before === undefined) delete process.env['EVENTSTOREDB_START']
      else process.env['EVENTSTOREDB_START'] = before
    }
  })

it.run()
