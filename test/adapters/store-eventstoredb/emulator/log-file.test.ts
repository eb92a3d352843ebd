import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { EventStoreDBClient } from '@eventstore/db-client'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { temporaryFolder } from '../../../temporary-folder.ts'
import { appendAt, collected, failureOf, textOf } from './with-client.ts'

const it = suite('log of an EventStoreDB emulator in a file')

const started = async (
  file: string,
): Promise<{ readonly process: ChildProcess; readonly connectionString: string }> => {
  const program = spawn(
    process.execPath,
    ['--import', 'tsx', 'test/adapters/store-eventstoredb/emulator/main.ts', '--file', file],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const lines: AsyncIterable<string> = createInterface(program.stdout)
  for await (const connectionString of lines) return { process: program, connectionString }
  throw new Error('the emulator ended before it listened')
}

it('is there again after the process was killed, but for what was cut short', async () => {
  const { path, remove } = await temporaryFolder()
  const file = join(path, 'log')
  const first = await started(file)
  const client = EventStoreDBClient.connectionString(first.connectionString)
  await appendAt(client, 's', 'no_stream', 3)
  const { position } = await appendAt(client, 's', 2n, 2)
  await appendAt(client, 't', 'no_stream')
  await client.tombstoneStream('t')
  first.process.kill('SIGKILL')
  await once(first.process, 'exit')
  await client.dispose()
  appendFileSync(file, '[{"stream":"s","rev')

  const second = await started(file)
  const again = EventStoreDBClient.connectionString(second.connectionString)
  const events = await collected(again.readStream('s'))
  assert.equal(events.map(textOf), ['0', '1', '2', '0', '1'])
  assert.equal(events.at(-1)?.event?.position, position)
  assert.is(await failureOf(appendAt(again, 't', 'any')), 'stream-deleted')
  const next = await appendAt(again, 's', 4n)
  assert.ok((next.position?.commit ?? 0n) > (position?.commit ?? 0n))
  await again.dispose()
  second.process.kill('SIGTERM')
  await once(second.process, 'exit')
  assert.is(second.process.exitCode, 0)
  await remove()
})

it.run()
