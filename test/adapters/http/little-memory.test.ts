import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { many } from '../../core/json/texts.ts'
import { dial, post, type Line } from './transport.ts'

const it = suite('a server with little memory')

const MIB = 1024 * 1024
const QUERY = '/public/v1/query/whoami'
const LIST = '/public/v1/query/list'

/** Starts a server whose heap has 96 MiB, and sees that it lives and answers when all is over. */
const surviving = async (attack: (url: string, server: ChildProcess) => Promise<readonly Line[]>): Promise<void> => {
  const program = fileURLToPath(new URL('little-memory-program.ts', import.meta.url))
  const server = fork(program, {
    execArgv: ['--max-old-space-size=96', '--expose-gc', '--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  try {
    const [url] = (await once(server, 'message')) as [string]
    const lines = await attack(url, server)
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

/** Resolves when nothing was sent to these callers for half a second, and nothing of theirs was taken in. */
const quiet = async (lines: readonly Line[]): Promise<void> => {
  const moved = (): number =>
    lines.reduce((sum, { socket }) => sum + socket.bytesRead + socket.bytesWritten - socket.writableLength, 0)
  for (let before = -1; before !== moved();) {
    before = moved()
    await sleep(500)
  }
}

/** What a server answers, or does, that is too busy for a long body; undefined: it closed the connection. */
const REFUSED: readonly (number | undefined)[] = [408, 429, 503, undefined]

/** Resolves when what the server holds of bodies and answers is far less than what was sent: at once, or once it has collected the rest. */
const settles = async (server: ChildProcess): Promise<void> => {
  let held = Infinity
  for (let tries = 0; tries < 40 && held >= 80 * MIB; tries += 1) {
    if (tries > 0) await sleep(250)
    server.send('memory')
    ;[held] = (await once(server, 'message')) as [number]
  }
  assert.ok(held < 80 * MIB, `${held} bytes`)
}

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
    while (lines.some((line) => line.replies().length === 0 && !line.socket.destroyed)) await sleep(50)
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
    const lines = crowd(url, 90, post(QUERY, 'x'.repeat(MIB)).slice(0, -1), true)
    await quiet(lines)
    await settles(server)
    return lines
  }))

it('survives answers that nobody reads', () =>
  surviving(async (url, server) => {
    const lines = crowd(url, 40, post(LIST), false)
    await quiet(lines)
    await settles(server)
    return lines
  }))

it('survives more requests on each connection than it can answer', () =>
  surviving(async (url) => {
    const lines = crowd(url, 150, 'GET / HTTP/1.1\r\nHost: test\r\n\r\n'.repeat(2200), false)
    await quiet(lines)
    return lines
  }))

it.run()
