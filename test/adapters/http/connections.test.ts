import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { connections } from '../../../adapters/http/connections.ts'
import { NodeExchange } from '../../../adapters/http/node-exchange.ts'
import { TE } from '../../../core/prelude.ts'
import { until } from '../../until.ts'
import { fakeEngine, holding } from './fake-engine.ts'
import { dial, HEALTH, heard, post, say, serving, turns, type Line } from './transport.ts'

const it = suite('connections of the HTTP server')

const SUBMIT = '/public/v1/submit/create_users'
const QUERY = '/public/v1/query/whoami'

/** More than the kernel takes in for a caller who reads nothing. */
const VAST = 'x'.repeat(12 * 1024 * 1024)
const answeringVastly = () => fakeEngine({ query: () => TE.right({ text: VAST }) })

const MAX = 4

/** So many connections, each of which has said this, and reads nothing more than the first bytes of an answer. */
const crowd = async (url: string, opening: string): Promise<readonly Line[]> => {
  const lines = Array.from({ length: MAX }, () => dial(url))
  for (const line of lines) {
    line.send(opening)
    line.socket.once('data', () => line.socket.pause())
  }
  await heard(...lines)
  return lines
}

for (const [what, opening] of [
  ['half a header', `POST ${SUBMIT} HTTP/1.1\r\nHost: te`],
  ['half a body', `POST ${SUBMIT} HTTP/1.1\r\nHost: test\r\nContent-Length: 100\r\n\r\n{"half":`],
  ['a whole request, and nothing more', HEALTH],
  ['a request that is refused before its end', `POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 9\r\n\r\n`],
  ['a question whose answer they do not read', post(QUERY)],
] as const)
  it(`answers others when all places are taken by callers who send ${what}`, async () => {
    await serving(answeringVastly(), { connectionsMax: MAX }, async (url) => {
      const lines = await crowd(url, opening)
      for (let n = 0; n < 3; n += 1) {
        const [reply] = await say(url, post(SUBMIT))
        assert.is(reply?.status, 200)
      }
      for (const line of lines) line.socket.resetAndDestroy()
    })
  })

it('closes the connection first that has waited the longest for its caller', async () => {
  await serving(fakeEngine(), { connectionsMax: 3 }, async (url) => {
    const closed: string[] = []
    const open = async (name: string): Promise<Line> => {
      const line = dial(url)
      void line.closed.then(() => closed.push(name))
      line.send(HEALTH)
      await until(() => line.replies().length === 1)
      return line
    }
    const [first] = [await open('first'), await open('second'), await open('third')]
    first.send(HEALTH)
    await until(() => first.replies().length === 2)
    await open('fourth')
    await until(() => closed.length === 1)
    assert.equal(closed, ['second'])
    await open('fifth')
    await until(() => closed.length === 2)
    assert.equal(closed, ['second', 'third'])
  })
})

it('closes those who do not read their answer after all who have asked nothing', async () => {
  await serving(answeringVastly(), { connectionsMax: 2 }, async (url) => {
    const [unread, idle] = [dial(url), dial(url)]
    const closed: string[] = []
    void unread.closed.then(() => closed.push('unread'))
    void idle.closed.then(() => closed.push('idle'))
    unread.socket.once('data', () => unread.socket.pause())
    unread.send(post(QUERY))
    await until(() => unread.socket.bytesRead > 0)
    await heard(unread, idle)
    assert.is((await say(url, post(SUBMIT)))[0]?.status, 200)
    await until(() => closed.length > 0)
    assert.equal(closed, ['idle'])
    unread.socket.resetAndDestroy()
  })
})

it('takes nobody else in when the engine works for all', async () => {
  const { engine, waiting, release } = holding()
  await serving(engine, { connectionsMax: MAX }, async (url) => {
    const lines = Array.from({ length: MAX }, () => dial(url))
    for (const line of lines) line.send(post(SUBMIT))
    await until(() => waiting() === MAX)
    assert.equal(await say(url, post(SUBMIT)), [])
    lines.forEach(() => release())
    await until(() => lines.every((line) => line.replies().length === 1))
    for (const line of lines) line.socket.end()
  })
})

it('closes no connection before it has read what that brought, however many come in the same moment', async () => {
  await serving(fakeEngine(), { connectionsMax: MAX }, async (url) => {
    const first = dial(url)
    first.socket.once('connect', () => first.send(HEALTH))
    const others = Array.from({ length: 60 }, () => dial(url))
    await until(() => first.replies().length === 1)
    for (const line of [first, ...others]) line.socket.resetAndDestroy()
  })
})

it('begins with a pipelined request when the answer to the one before was read', async () => {
  const asked: string[] = []
  const engine = fakeEngine({
    query: (operation) => {
      asked.push(operation)
      return TE.right({ text: VAST })
    },
  })
  await serving(engine, {}, async (url) => {
    const line = dial(url)
    line.socket.once('data', () => line.socket.pause())
    line.send(['one', 'two', 'three'].map((name) => post(`/public/v1/query/${name}`)).join(''))
    await until(() => line.socket.bytesRead > 0)
    await heard(line)
    assert.equal(asked, ['one'])
    line.socket.resume()
    await until(() => line.replies().length === 3)
    assert.equal(asked, ['one', 'two', 'three'])
    line.socket.end()
  })
})

it('keeps nothing of a request that is complete and answered: on idle connections that would cost every request time', async () => {
  const open = connections(MAX, ({ response }) => response.end('answer'))
  const server = createServer((request, response) => {
    sockets.push(request.socket)
    open.begin(new NodeExchange(request, response, () => 'one'))
  }).on('connection', open.admit)
  const sockets: Socket[] = []
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens, and not on a pipe
  const line = dial(`http://127.0.0.1:${port}`)
  line.send(HEALTH)
  await until(() => sockets.length === 1 && line.socket.bytesRead > 0)
  await until(() => sockets.every((socket) => open.newest(socket) === undefined))
  line.socket.resetAndDestroy()
  await new Promise((resolve) => server.close(resolve))
})

it('reads on after pipelined requests, also the rest of a body', async () => {
  const { engine, waiting, release } = holding()
  await serving(engine, {}, async (url) => {
    const line = dial(url)
    const body = `"${'y'.repeat(200_000)}"`
    line.send(post(SUBMIT, '"one"') + post(SUBMIT, body).slice(0, -150_000))
    await until(() => waiting() === 1)
    line.send(post(SUBMIT, body).slice(-150_000) + HEALTH)
    await turns()
    release()
    await until(() => waiting() === 1 && line.replies().length === 1)
    release()
    await until(() => line.replies().length === 3)
    assert.match(line.replies()[1]?.body ?? '', 'yyy')
    line.socket.end()
  })
})

it('answers all that a connection pipelines, however much it is', async () => {
  await serving(fakeEngine(), {}, async (url) => {
    const [first, ...others] = [dial(url), dial(url)]
    first.send(HEALTH.repeat(3000))
    let answeredBefore = 0
    for (const other of others) {
      other.socket.once('data', () => (answeredBefore = first.replies().length))
      other.send(HEALTH)
    }
    first.socket.end()
    const replies = await first.closed
    assert.is(replies.length, 3000)
    assert.ok(replies.every(({ status }) => status === 200))
    await until(() => others.every((line) => line.replies().length === 1))
    assert.ok(answeredBefore < 3000, 'others are answered in between')
    for (const other of others) other.socket.end()
  })
})

it.run()
