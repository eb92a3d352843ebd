import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { many } from '../../core/json/texts.ts'
import { until } from '../../until.ts'
import { dial, post, type Line } from './transport.ts'

const it = suite('a server with little memory')

const MIB = 1024 * 1024
const QUERY = '/public/v1/query/whoami'
const LIST = '/public/v1/query/list'

/**
 * Starts a server, and sees that it lives and answers when all is over. Its heap has 160 MiB: room for the two bodies of one caller that the
 * engine works on, at forty times their bytes, and for what the collector has not taken yet; for twelve it has none.
 */
const surviving = async (attack: (url: string, server: ChildProcess) => Promise<readonly Line[]>): Promise<void> => {
  const program = fileURLToPath(new URL('little-memory-program.ts', import.meta.url))
  const server = fork(program, {
    execArgv: ['--max-old-space-size=160', '--expose-gc', '--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  try {
    const [url] = (await once(server, 'message')) as [string]
    const died = once(server, 'exit').then(() => Promise.reject(new Error('the server died')))
    const lines = await Promise.race([attack(url, server), died])
    const reply = await fetch(url + QUERY, { method: 'POST', body: '[]' })
    assert.equal(await reply.json(), { isArray: true })
    assert.is(server.exitCode, null)
    for (const line of lines) line.socket.resetAndDestroy()
  } finally {
    server.kill('SIGKILL')
  }
}

const crowd = (url: string, size: number, bytes: string | Uint8Array, reads: boolean): readonly Line[] =>
  Array.from({ length: size }, () => {
    const line = dial(url)
    if (!reads) line.socket.pause()
    line.send(bytes)
    return line
  })

type State = {
  readonly lists: number
  /** How many bytes came from each caller, by its port. */
  readonly read: readonly (readonly [port: number, bytes: number])[]
  /** Bytes of bodies and answers. */
  readonly held: number
}

const stateOf = async (server: ChildProcess, asked: 'state' | 'memory'): Promise<State> => {
  server.send(asked)
  return ((await once(server, 'message')) as [State])[0]
}

/** Resolves when the server has read so many bytes on each of these lines, if it has not closed them. */
const hasRead = (server: ChildProcess, lines: readonly Line[], bytesMin: number): Promise<boolean> =>
  until(async () => {
    const read = new Map((await stateOf(server, 'state')).read)
    return lines.every(({ socket }) => socket.destroyed || (read.get(socket.localPort ?? 0) ?? 0) >= bytesMin)
  })

/** What a server answers, or does, that is too busy for a long body; undefined: it closed the connection. */
const REFUSED: readonly (number | undefined)[] = [408, 429, 503, undefined]

/** Resolves when what the server holds of bodies and answers is far less than what was sent: at once, or once it has collected the rest. */
const settles = (server: ChildProcess): Promise<boolean> =>
  until(async () => (await stateOf(server, 'memory')).held < 80 * MIB)

it('survives bodies in chunks of one byte', () =>
  surviving(async (url) => {
    const head = `POST ${QUERY} HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n`
    const lines = crowd(url, 8, `${head}${'1\r\nx\r\n'.repeat(400_000)}`, true)
    await Promise.all(lines.map(({ closed }) => closed))
    return lines
  }))

it('survives bodies whose values take forty times their bytes', () =>
  surviving(async (url) => {
    const lines = crowd(url, 12, post(QUERY, `[${many(() => '['.repeat(30) + ']'.repeat(30))}] `), true)
    await until(() => lines.every((line) => line.replies().length > 0 || line.socket.destroyed))
    const statuses = lines.map((line) => line.replies()[0]?.status)
    assert.ok(statuses.includes(200), statuses.join())
    assert.ok(
      statuses.every((status) => status === 200 || REFUSED.includes(status)),
      statuses.join(),
    )
    return lines
  }))

it('survives bodies that never end', () =>
  surviving(async (url, server) => {
    const bytes = post(QUERY, 'x'.repeat(MIB)).slice(0, -1)
    const lines = crowd(url, 90, bytes, true)
    await hasRead(server, lines, bytes.length)
    await settles(server)
    return lines
  }))

it('survives answers that nobody reads', () =>
  surviving(async (url, server) => {
    const lines = crowd(url, 40, post(LIST), false)
    await until(async () => (await stateOf(server, 'state')).lists >= lines.length)
    await settles(server)
    return lines
  }))

it('survives more requests on each connection than it can answer', () =>
  surviving(async (url, server) => {
    const lines = crowd(url, 150, 'GET / HTTP/1.1\r\nHost: test\r\n\r\n'.repeat(2200), false)
    await hasRead(server, lines, 1)
    return lines
  }))

it.run()
