import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { connectClient } from '../../../adapters/store-eventstoredb/client.ts'
import { openOver } from '../../../adapters/store-eventstoredb/open.ts'
import { memoryStore } from '../../../adapters/store-memory/index.ts'
import { anyCommit, anyEvent, anyPart } from '../../../adapters/testing/any.ts'
import { right } from '../../../adapters/testing/expect.ts'
import { startEmulator, type EmulatorOptions } from './emulator/emulator.ts'
import type { FaultName } from './emulator/faults.ts'
import { sampled } from '../../long.ts'
import { untilAvailable } from './any-storage.ts'

const it = suite('EventStoreDB store: answers that are lost')

const COMMITS = 24
const AT_ONCE = 6

/** Appends while the server fails so at every tenth append, and looks what it has in the end. */
const appendedDespite = async (fault: FaultName, options: EmulatorOptions = {}): Promise<void> => {
  const server = await startEmulator(options)
  // What is not answered so soon is asked again, whatever the reason.
  const { connectionString } = server
  const connect = () => connectClient({ connectionString, appendTimeoutMs: 500 })
  const { readModels, leases } = memoryStore()
  const storage = await untilAvailable(openOver(connect, { connectionString, readModels, leases }))
  server.fault(fault, { every: 10, calls: ['append'] })
  const commits = Array.from({ length: COMMITS }, (_, n) =>
    anyCommit({ organization: `${n % 3}`, events: [anyEvent({ parts: [anyPart()] }), anyEvent()] }),
  )
  for (let n = 0; n < COMMITS; n += AT_ONCE)
    await Promise.all(
      commits.slice(n, n + AT_ONCE).map(async (commit) => {
        const [answer] = await untilAvailable(storage.store.append([commit]))
        assert.ok(answer?._tag === 'committed' || answer?._tag === 'duplicate', answer?._tag)
        const [last] = await untilAvailable(storage.store.readLog(commit.organization, answer.sequence - 1n, 1))
        assert.is(last?.id, commit.events.at(-1)?.id)
      }),
    )
  server.clearFaults()
  const all = await right(storage.store.readAll(0n, 1_000))
  assert.equal(
    all.map(({ id }) => id).toSorted(),
    commits.flatMap(({ events }) => events.map(({ id }) => id)).toSorted(),
  )
  assert.is(
    all.reduce((sum, { parts }) => sum + parts.length, 0),
    COMMITS,
  )
  await storage.readModels.close()
  await storage.store.close()
  await server.stop()
}

for (const fault of ['cut-after-write', 'cut-before-write', 'silent-after-write', 'timeout-after-write'] as const)
  it(`writes nothing twice and loses nothing: ${fault}`, () => appendedDespite(fault))

const register = sampled<string>(it, 'cut-after-write')
for (const fault of ['cut-after-write', 'silent-after-write', 'timeout-after-write'] as const)
  register(fault, `writes nothing twice and loses nothing on a server without BatchAppend: ${fault}`, () =>
    appendedDespite(fault, { batchAppend: false }),
  )

it.run()
