/* A real PgBouncer for tests, where there is one: Debian's `pgbouncer`, or the one that COUNTERSIGN_PGBOUNCER names. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { until } from '../../../until.ts'
import { freePort, onFreePort } from '../../free-port.ts'
import { otherUser } from './own-server.ts'

export type Pooler = { readonly url: string; readonly end: () => Promise<void>; readonly said: () => string }

/** The program, or a line that says why there is none. */
export const findPooler = (): { readonly program: string } | string => {
  const folders = ['/usr/sbin', ...(process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')]
  const named = process.env['COUNTERSIGN_PGBOUNCER']
  const program = [
    ...(named === undefined || named === '' ? [] : [named]),
    ...folders.map((folder) => join(folder, 'pgbouncer')),
  ]
  const found = program.find((path) => existsSync(path))
  return found === undefined
    ? 'no PgBouncer here: set COUNTERSIGN_PGBOUNCER, or install the package pgbouncer'
    : { program: found }
}

export type PoolerOptions = {
  readonly mode: 'session' | 'transaction' | 'statement'
  /** More lines of its section `[pgbouncer]`. */
  readonly settings?: readonly string[]
}

/** Starts a pooler before a server. It knows the user of the URL, and asks for the same password. */
export const startPooler = (program: string, to: string, options: PoolerOptions): Promise<Pooler> =>
  onFreePort(() => startOnce(program, to, options))

const startOnce = async (program: string, to: string, { mode, settings = [] }: PoolerOptions): Promise<Pooler> => {
  const { hostname, port: serverPort, username, password, pathname } = new URL(to)
  const folder = mkdtempSync(join(tmpdir(), 'countersign-pooler-'))
  const port = await freePort()
  const user = otherUser()
  writeFileSync(join(folder, 'users.txt'), `"${username}" "${password}"\n`)
  const lines = [
    '[databases]',
    `${pathname.slice(1)} = host=${hostname} port=${serverPort === '' ? '5432' : serverPort}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = plain',
    `auth_file = ${join(folder, 'users.txt')}`,
    `pool_mode = ${mode}`,
    'default_pool_size = 5',
    ...settings,
  ]
  writeFileSync(join(folder, 'pooler.ini'), `${lines.join('\n')}\n`)
  const { uid, gid } = user
  if (uid !== undefined && gid !== undefined)
    for (const path of [folder, join(folder, 'users.txt'), join(folder, 'pooler.ini')]) chownSync(path, uid, gid)
  const child = spawn(program, [join(folder, 'pooler.ini')], {
    ...user,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  await until(() => {
    if (child.exitCode !== null) throw new Error(`the pooler has ended: ${said}`)
    return isOpen(port)
  })
  const through = new URL(to)
  through.host = `127.0.0.1:${port}`
  return {
    url: through.href,
    said: () => said,
    end: async () => {
      process.off('exit', kill)
      child.kill('SIGTERM')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const isOpen = async (port: number): Promise<boolean> => {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
