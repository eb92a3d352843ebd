/** An EventStoreDB in a process of its own, which a test may kill: the emulator, or what EVENTSTOREDB_START starts. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connectClient } from '../../../../adapters/store-eventstoredb/client.ts'
import { until } from '../../../until.ts'
import { freePort, onFreePort } from '../../free-port.ts'

export type ServerProcess = {
  readonly connectionString: string
  /** What was started. */
  readonly name: string
  /** Kills the server, and starts it again on the same port and files. */
  readonly crash: () => Promise<void>
  /** Ends it, and removes its files. */
  readonly end: () => Promise<void>
}

export const startServerProcess = (): Promise<ServerProcess> => onFreePort(startOnce)

const startOnce = async (): Promise<ServerProcess> => {
  const given = process.env['EVENTSTOREDB_START'] ?? ''
  const folder = mkdtempSync(join(tmpdir(), 'countersign-eventstoredb-'))
  const port = await freePort()
  const [program, ...words] = given === '' ? emulator(port, folder) : inShell(given, port, folder)
  const connectionString = `esdb://127.0.0.1:${port}?tls=false`
  const name = given === '' ? 'the emulator' : 'the server of EVENTSTOREDB_START'
  let server: ChildProcess | undefined

  const kill = (): void => {
    // The whole group: a command may have started others.
    if (server?.pid !== undefined && !hasEnded(server)) process.kill(-server.pid, 'SIGKILL')
  }
  const start = async (): Promise<void> => {
    server = spawn(program, words, { cwd: ROOT, detached: true, stdio: 'ignore' })
    server.unref()
    await whenReady(connectionString, () => server?.exitCode ?? undefined)
  }
  const stop = async (): Promise<void> => {
    const running = server
    if (running === undefined || hasEnded(running)) return
    running.ref()
    const ended = once(running, 'exit')
    kill()
    await ended
  }
  const removed = (): void => rmSync(folder, { recursive: true, force: true })
  const onExit = (): void => {
    kill()
    removed()
  }
  process.once('exit', onExit)
  await start()
  return {
    connectionString,
    name,
    crash: async () => {
      if (server === undefined || hasEnded(server)) throw new Error('the EventStoreDB has ended by itself')
      await stop()
      await start()
    },
    end: async () => {
      await stop()
      removed()
      process.off('exit', onExit)
    },
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))

const emulator = (port: number, folder: string): Command => [
  process.execPath,
  ...[
    '--import',
    'tsx',
    'test/adapters/store-eventstoredb/emulator/main.ts',
    '--port',
    String(port),
    '--file',
    join(folder, 'log'),
  ],
]

type Command = readonly [program: string, ...words: string[]]

/** The words PORT and DIR stand for what the test gives to the server. */
const inShell = (command: string, port: number, folder: string): Command => [
  '/bin/sh',
  '-c',
  `exec ${command.replaceAll(/\bPORT\b/g, String(port)).replaceAll(/\bDIR\b/g, folder)}`,
]

const whenReady = (connectionString: string, code: () => number | undefined): Promise<unknown> =>
  until(async () => {
    if (code() !== undefined) throw new Error(`the EventStoreDB ended with code ${code()} before it was ready`)
    return connectClient({ connectionString }).then(
      (client) => client.close().then(() => true),
      () => false,
    )
  })
