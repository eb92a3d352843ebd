/*
 * A real PostgreSQL for tests: the one that COUNTERSIGN_POSTGRES_URL names, or one that this process starts and ends. There is one for each
 * process of the test run; each store of a test has a schema of its own.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { findBinaries, isOpenToOthers, type Binaries } from './binaries.ts'

export type PostgresServer = {
  /** Of a user who may do everything. */
  readonly url: string
  /** The same server, with other pieces of the URL. */
  readonly urlOf: (pieces: Partial<Pieces>) => string
  /** Runs statements as that user, and gives the rows of the last one. */
  readonly run: (
    sql: string,
    values?: readonly unknown[],
    database?: string,
  ) => Promise<readonly Record<string, unknown>[]>
  /** Ends the server as a loss of power would, and starts it again. Only for a server of ours. */
  readonly restart?: () => Promise<void>
  /**
   * Kills the first process of the server, whose others end by themselves when they notice it, and starts it again when they are gone. Only for
   * a server of ours.
   */
  readonly crash?: () => Promise<void>
}
export type Pieces = {
  readonly user: string
  readonly password: string
  readonly database: string
  readonly search: string
}

let started: Promise<PostgresServer | string> | undefined

/** The server, or a line that says why there is none. It is started by the first call. */
export const postgresServer = (): Promise<PostgresServer | string> => (started ??= given() ?? ownServer())

const given = (): Promise<PostgresServer> | undefined => {
  const url = process.env['COUNTERSIGN_POSTGRES_URL']
  return url === undefined || url === '' ? undefined : Promise.resolve(serverAt(url))
}

const serverAt = (url: string): PostgresServer => {
  const urlOf: PostgresServer['urlOf'] = (pieces) => {
    const parsed = new URL(url)
    if (pieces.user !== undefined) parsed.username = encodeURIComponent(pieces.user)
    if (pieces.password !== undefined) parsed.password = encodeURIComponent(pieces.password)
    if (pieces.database !== undefined) parsed.pathname = `/${encodeURIComponent(pieces.database)}`
    if (pieces.search !== undefined) parsed.search = pieces.search
    return parsed.href
  }
  return {
    url,
    urlOf,
    run: async (sql, values, database) => {
      const client = new Client({ connectionString: database === undefined ? url : urlOf({ database }) })
      client.on('error', () => {})
      await client.connect()
      try {
        const found: unknown = await client.query(sql, values === undefined ? undefined : [...values])
        const last = (Array.isArray(found) ? found.at(-1) : found) as { readonly rows: Record<string, unknown>[] } // of `pg`
        return last.rows
      } finally {
        await client.end()
      }
    },
  }
}

const ownServer = async (): Promise<PostgresServer | string> => {
  const binaries = findBinaries()
  if (binaries === undefined)
    return 'no PostgreSQL here: set COUNTERSIGN_POSTGRES_URL or COUNTERSIGN_POSTGRES_BIN, or install it'
  try {
    return await startOwn(binaries)
  } catch (error) {
    return `the PostgreSQL of ${binaries.origin} does not start: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** PostgreSQL does not run as root: then it runs as somebody without rights. */
const NOBODY: User = { uid: 65_534, gid: 65_534 }
type User = { readonly uid?: number; readonly gid?: number }

const startOwn = async (binaries: Binaries): Promise<PostgresServer> => {
  const user: User = process.getuid?.() === 0 ? NOBODY : {}
  const folder = mkdtempSync(join(tmpdir(), 'countersign-postgres-'))
  const state: { server?: ChildProcess } = {}
  process.once('exit', () => {
    state.server?.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  chmodSync(folder, 0o755)
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  const isReadable = user.uid === undefined || isOpenToOthers(join(binaries.folder, 'postgres'))
  const programs = isReadable ? binaries.folder : binaries.copyTo(folder)
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, `${PASSWORD}\n`)
  const { uid, gid } = user
  if (uid !== undefined && gid !== undefined) for (const path of [data, passwordFile]) chownSync(path, uid, gid)

  const initdb = (...locale: readonly string[]) =>
    spawnSync(
      join(programs, 'initdb'),
      ['-D', data, '-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, '-E', 'UTF8', '-N', ...locale],
      { ...user, encoding: 'utf8', cwd: folder },
    )
  // An order of words, if the server has one: then a text that the store forgot to compare by its bytes is found.
  const inWords = initdb('--locale=C', '--locale-provider=icu', '--icu-locale=en')
  const made = inWords.status === 0 ? inWords : initdb('--no-locale')
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr || String(made.error)}`)
  const port = await freePort()
  const start = async (): Promise<void> => {
    state.server = spawn(join(programs, 'postgres'), ['-D', data, ...settings(port)], {
      ...user,
      stdio: 'ignore',
      cwd: folder,
    })
    state.server.unref()
    await answers(state.server, `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`)
  }
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const { server } = state
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return
    server.ref()
    const ended = once(server, 'exit')
    server.kill(signal)
    await ended
  }
  await start()
  return {
    ...serverAt(`postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`),
    restart: async () => {
      await end('SIGQUIT') // ends without a checkpoint, so that the next start has to recover
      await start()
    },
    crash: async () => {
      await end('SIGKILL')
      // While processes of the one before still have its memory, it refuses to start.
      for (let triesLeft = CRASH_TRIES_MAX; ; triesLeft -= 1) {
        try {
          return await start()
        } catch (error) {
          if (triesLeft === 0) throw error
        }
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    },
  }
}

const CRASH_TRIES_MAX = 100
const PASSWORD = 'a test of countersign'.replaceAll(' ', '-')

/** Without fsync: these tests end processes, and no machine. */
const settings = (port: number): readonly string[] =>
  [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'fsync=off',
    'max_connections=100',
    'shared_buffers=64MB',
    'log_min_messages=panic',
  ].flatMap((setting) => ['-c', setting])

const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo // of a TCP socket
  probe.close()
  await once(probe, 'close')
  return port
}

const answers = async (server: ChildProcess, url: string): Promise<void> => {
  for (;;) {
    if (server.exitCode !== null) throw new Error(`it ended with code ${server.exitCode}`)
    const client = new Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.end()
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}
