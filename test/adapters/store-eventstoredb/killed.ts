/* A store whose process was killed while it wrote, and its server with it. */
import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { connectClient } from '../../../adapters/store-eventstoredb/client.ts'
import { openSqliteReadModels } from '../../../adapters/store-sqlite/open-read-models.ts'
import { right } from '../../../adapters/testing/expect.ts'
import type { OpenedStore } from '../../../adapters/testing/index.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { openStores } from './under-test.ts'

const ACKNOWLEDGED = 200

/** The emulator keeps its log in a file, and begins again with what is there. */
export const openKilled = async (): Promise<OpenedStore & { readonly acknowledged: readonly string[] }> => {
  const { path, remove } = await temporaryFolder()
  const [log, rows, prefix] = [join(path, 'log'), join(path, 'read-models.db'), 'killed-']
  const first = await startServer(log)
  const writer = started('./child-writer.ts', first.url, prefix, rows)
  const acknowledged: string[] = []
  const lines = createInterface(writer.stdout)
  lines.on('line', (line) => {
    if (acknowledged.push(line) !== ACKNOWLEDGED) return
    first.server.kill('SIGKILL')
    writer.kill('SIGKILL')
  })
  await Promise.all([once(writer, 'exit'), once(lines, 'close')])
  if (acknowledged.length < ACKNOWLEDGED) throw new Error('the writer ended before it was killed')

  const { url, server } = await startServer(log)
  const { readModels, leases, sealed } = await right(openSqliteReadModels({ path: rows }))
  const borrow = async () => ({ readModels: { ...readModels, close: async () => undefined }, leases, sealed })
  const connect = () => connectClient({ connectionString: url })
  const opened = await openStores(connect, { borrow, dispose: readModels.close }, { prefix })
  return {
    ...opened,
    acknowledged,
    dispose: async () => {
      await readModels.close()
      server.kill('SIGKILL')
      await once(server, 'exit')
      await remove()
    },
  }
}

const startServer = async (file: string): Promise<{ readonly url: string; readonly server: Child }> => {
  const server = started('./emulator/main.ts', '--file', file)
  const lines = createInterface(server.stdout)
  const [url] = (await once(lines, 'line')) as [string] // it prints where it listens
  return { url, server }
}

type Child = ChildProcessByStdio<null, Readable, null>

const started = (program: string, ...args: readonly string[]): Child => {
  const file = fileURLToPath(new URL(program, import.meta.url))
  return spawn(process.execPath, ['--import', 'tsx', file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
}
