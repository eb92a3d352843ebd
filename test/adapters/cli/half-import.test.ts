import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeIds } from '../../../adapters/ids/node-ids.ts'
import { openEventStoreDbStore } from '../../../adapters/store-eventstoredb/open.ts'
import { openSqliteReadModels } from '../../../adapters/store-sqlite/open-read-models.ts'
import { failure } from '../../../core/failure.ts'
import { importTranscript } from '../../../core/log/import-transcript.ts'
import { readTranscript } from '../../../core/log/transcript-reader.ts'
import type { EventStore } from '../../../core/ports/event-store.ts'
import { TE } from '../../../core/prelude.ts'
import { digest } from '../../core/audit/logs.ts'
import { startEmulator } from '../store-eventstoredb/emulator/emulator.ts'
import { codeOf, right } from '../../core/world/world.ts'
import { folder, run } from './run-cli.ts'

const it = suite('an import that fails half-way, on EventStoreDB')

const cwd = folder()
const golden = join(import.meta.dirname, '../../system/golden/log.jsonl')

it('is finished by the same command; until then no engine starts', async () => {
  const server = await startEmulator()
  const prefix = `${randomBytes(4).toString('hex')}-`
  const { readModels, leases, sealed } = right(await openSqliteReadModels({ path: join(cwd, 'rm.db') })())
  const { store } = right(
    await openEventStoreDbStore({ connectionString: server.connectionString, prefix, readModels, leases, sealed })(),
  )
  let left = 2
  const failing: EventStore = {
    ...store,
    append: (commits) => (left-- > 0 ? store.append(commits) : TE.left(failure('UNAVAILABLE', 'the server is away'))),
  }
  const read = () => readTranscript(digest, [readFileSync(golden)])
  assert.is(codeOf(await importTranscript({ store: failing, digest, ids: nodeIds() }, read)()), 'UNAVAILABLE')
  const half = right(await store.lastPosition()())
  assert.ok(half > 0n)
  await store.close()

  const env = {
    COUNTERSIGN_STORE: `${server.connectionString}&prefix=${prefix}`,
    COUNTERSIGN_READ_MODELS: 'sqlite:rm.db',
  }
  const refused = await run(['serve', '--port', '0'], { cwd, env })
  assert.match(refused.stderr, 'did not finish: repeat the command')
  const finished = await run(['import', golden], { cwd, env })
  assert.is(finished.code, 0, finished.stderr)
  const { stdout } = await run(['export'], { cwd, env })
  assert.is(stdout, readFileSync(golden, 'utf8'))
  const again = await run(['import', golden], { cwd, env })
  assert.equal([again.code, again.stderr.split('\n').length], [1, 2])
  assert.match(again.stderr, 'expected an empty store')
  await server.stop()
})

it.run()
