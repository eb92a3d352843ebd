/* Servers that tests start and end, each in a folder of its own. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { until } from '../../../until.ts'
import { findBinaries, isOpenToOthers, type Binaries } from './binaries.ts'
import { freePort, onFreePort } from '../../free-port.ts'
import { serverAt, type PostgresServer } from './server-at.ts'

export type OwnServer = PostgresServer & {
  readonly port: number
  /** Ends the server as a loss of power would, and starts it again. */
  readonly restart: () => Promise<void>
  /** Ends the server without a word to its clients, for good. */
  readonly kill: () => Promise<void>
  /** Starts a standby of this server, from a copy of its files. */
  readonly standby: (name: string, settings?: readonly string[]) => Promise<OwnServer>
}

/** Starts a server with these settings, or says in a line why there is none. It ends with this process at the latest. */
export const startServer = async (settings: readonly string[]): Promise<OwnServer | string> => {
  const binaries = findBinaries()
  if (binaries === undefined)
    return 'no PostgreSQL here: set COUNTERSIGN_POSTGRES_URL or COUNTERSIGN_POSTGRES_BIN, or install it'
  try {
    const place = placeOf(binaries)
    makeData(place)
    return await onFreePort(() => startIn(place, settings))
  } catch (error) {
    return `the PostgreSQL of ${binaries.origin} does not start: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** PostgreSQL does not run as root: then it runs as somebody without rights. */
const NOBODY: User = { uid: 65_534, gid: 65_534 }
type User = { readonly uid?: number; readonly gid?: number }

/** The user that servers of tests, and what stands before them, run as. */
export const otherUser = (): User => (process.getuid?.() === 0 ? NOBODY : {})

type Place = {
  readonly folder: string
  readonly data: string
  readonly programs: string
  readonly user: User
  readonly state: { server?: ChildProcess }
}

const placeOf = (binaries: Binaries): Place => {
  const user = otherUser()
  const folder = mkdtempSync(join(tmpdir(), 'countersign-postgres-'))
  const state: Place['state'] = {}
  process.once('exit', () => {
    state.server?.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  chmodSync(folder, 0o755)
  const isReadable = user.uid === undefined || isOpenToOthers(join(binaries.folder, 'postgres'))
  const programs = isReadable ? binaries.folder : binaries.copyTo(folder)
  return { folder, data: join(folder, 'data'), programs, user, state }
}

const makeData = ({ folder, data, programs, user }: Place): void => {
  mkdirSync(data, { mode: 0o700 })
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
}

const startIn = async (place: Place, settings: readonly string[]): Promise<OwnServer> => {
  const { folder, data, programs, user, state } = place
  const port = await freePort()
  const url = `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`
  const start = async (): Promise<void> => {
    state.server = spawn(join(programs, 'postgres'), ['-D', data, ...flags(port, settings)], {
      ...user,
      stdio: 'ignore',
      cwd: folder,
    })
    state.server.unref()
    await answers(state.server, url)
  }
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const { server } = state
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return
    server.ref()
    server.kill(signal)
    await once(server, 'exit')
  }
  await start()
  const server = serverAt(url)
  return {
    ...server,
    port,
    restart: async () => {
      await end('SIGQUIT') // ends without a checkpoint, so that the next start has to recover
      await start()
    },
    crash: async () => {
      await end('SIGKILL')
      // While processes of the one before still have its memory, it refuses to start.
      await until(() =>
        start().then(
          () => true,
          () => false,
        ),
      )
    },
    kill: () => end('SIGKILL'),
    standby: async (name, more = []) => {
      const copy = placeOf({ folder: programs, origin: '', copyTo: () => programs })
      const primary = `host=127.0.0.1 port=${port} user=postgres password=${PASSWORD} application_name=${name}`
      await copyData(url, place, copy)
      // In the file, where ALTER SYSTEM can replace it.
      appendFileSync(join(copy.data, 'postgresql.auto.conf'), `primary_conninfo = '${primary}'\n`)
      const standby = await startIn(copy, [...settings, ...more])
      const replicas = () => server.run('SELECT 1 FROM pg_stat_replication WHERE application_name = $1', [name])
      await until(async () => (await replicas()).length > 0)
      return standby
    },
  }
}

/** A base backup: the files as they are between the start and the end of it, and what the server says at its end. */
const copyData = async (url: string, from: Place, to: Place): Promise<void> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`SELECT pg_backup_start('a standby', true)`)
    const copied = spawnSync('cp', ['-a', from.data, to.data], { encoding: 'utf8' })
    // Files that the server removes meanwhile are none of a backup's.
    if (copied.status !== 0 && !/No such file/.test(copied.stderr)) throw new Error(copied.stderr)
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop()')
    writeFileSync(join(to.data, 'backup_label'), rows[0]?.labelfile ?? '')
    writeFileSync(join(to.data, 'standby.signal'), '')
    rmSync(join(to.data, 'postmaster.pid'), { force: true })
    const { uid, gid } = to.user
    if (uid !== undefined && gid !== undefined)
      for (const name of ['backup_label', 'standby.signal']) chownSync(join(to.data, name), uid, gid)
  } finally {
    await client.end()
  }
}

const PASSWORD = 'a test of countersign'.replaceAll(' ', '-')

const flags = (port: number, settings: readonly string[]): readonly string[] =>
  [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=300',
    'log_min_messages=panic',
    ...settings,
  ].flatMap((setting) => ['-c', setting])

const answers = (server: ChildProcess, url: string): Promise<unknown> =>
  until(async () => {
    if (server.exitCode !== null) throw new Error(`it ended with code ${server.exitCode}`)
    const client = new Client({ connectionString: url })
    client.on('error', () => {})
    return client.connect().then(
      () => client.end().then(() => true),
      () => false,
    )
  })
