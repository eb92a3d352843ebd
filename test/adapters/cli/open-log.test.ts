import { connect } from 'node:net'
import { once } from 'node:events'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { HOSTILE, seenOnly } from './hostile.ts'
import { folder, serve, type Served } from './run-cli.ts'

const it = suite('the log of serve')

const cwd = folder()
const BOX = /^╭─ Countersign \d[^\n]*\n(?:│[^\n]*\n)+╰─\n/

/** Sends bytes that need not be a request, and waits for the answer. */
const send = async ({ url }: Served, text: string): Promise<void> => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.end(Buffer.from(text, 'latin1'))
  socket.resume()
  await once(socket, 'close')
}

it('prints a box and readable lines where it is told to, and escapes what others wrote', async () => {
  const flags = [
    '--store',
    'memory:',
    '--init',
    '--credentials',
    `${HOSTILE}.json`,
    '--log',
    'pretty',
    '--log-level',
    'info',
  ]
  const server = await serve(flags, { cwd })
  await send(server, `GET /\u009b2J HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
  await fetch(`${server.url}/nowhere`)
  await fetch(`${server.url}/healthz`)
  const { stderr, stdout, code } = await server.stop()
  assert.match(stderr, BOX)
  for (const said of [server.url, 'memory:', 'Organization', '\\u001b[2J', `curl ${server.url}/healthz`, 'Ctrl-C'])
    assert.match(stderr, said)
  const logged = stderr.replace(BOX, '').trimEnd().split('\n')
  assert.match(
    logged.join('\n'),
    /^\d\d:\d\d:\d\d  GET   \/nowhere  404  <?\d+ ms  ROUTE_NOT_FOUND {2}requestId=[0-9a-f-]{36}$/m,
  )
  assert.not.match(logged.join('\n'), '/healthz') // a monitor asks it all the time
  assert.match(logged.at(-1) ?? '', /^\d\d:\d\d:\d\d  stopped$/)
  assert.ok(seenOnly(stderr), JSON.stringify(stderr))
  assert.equal([stdout, code], [`listening on ${server.url}\n`, 0])
})

it('has colours only where they are wanted', async () => {
  const flags = ['--store', 'memory:', '--log', 'pretty', '--log-level', 'info']
  for (const [env, coloured] of [
    [{ FORCE_COLOR: '1' }, true],
    [{ FORCE_COLOR: '0' }, false],
  ] as const) {
    const { stderr } = await (await serve(flags, { cwd, env })).stop()
    assert.is(stderr.includes('\u001b['), coloured)
    assert.match(stderr, 'none: begin one with --init')
  }
})

it('prints JSON alone where standard error is no terminal, and with --log json', async () => {
  for (const flags of [[], ['--log', 'json']]) {
    const server = await serve(['--store', 'memory:', '--log-level', 'debug', ...flags], { cwd })
    await fetch(`${server.url}/nowhere`)
    const { stderr } = await server.stop()
    const records = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly level: number; readonly path?: string })
    assert.is(records.find(({ path }) => path === '/nowhere')?.level, 20)
  }
})

it('goes on serving when nobody reads its log any more', async () => {
  for (const form of ['pretty', 'json']) {
    const server = await serve(['--store', 'memory:', '--log', form, '--log-level', 'debug'], { cwd })
    server.child.stderr?.destroy()
    for (let asked = 0; asked < 3; asked += 1) assert.is((await fetch(`${server.url}/nowhere`)).status, 404)
    assert.is((await server.stop()).code, 0)
  }
})

it.run()
