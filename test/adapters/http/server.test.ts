import { Agent, request } from 'node:http'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { httpServer } from '../../../adapters/http/index.ts'
import { until } from '../../until.ts'
import { fakeEngine, holding } from './fake-engine.ts'
import { dial, HEALTH, heard, json, post, say, serving } from './transport.ts'

const it = suite('the HTTP server')

const SUBMIT = '/public/v1/submit/create_users'

it('answers pipelined requests in their order, one after the other', async () => {
  const { engine, waiting, release } = holding()
  await serving(engine, {}, async (url) => {
    const line = dial(url)
    line.send(post(SUBMIT, '"first"') + HEALTH + post(SUBMIT, '"last"'))
    await heard(line)
    assert.is(waiting(), 1, 'the last one has not begun')
    assert.equal(line.replies(), [])
    release()
    await until(() => line.replies().length === 2 && waiting() === 1)
    release()
    line.socket.end()
    const [first, second, third] = await line.closed
    assert.match(first?.body ?? '', 'first')
    assert.equal(json(second), { status: 'ok' })
    assert.match(third?.body ?? '', 'last')
  })
})

it('uses a connection again, also after refusals whose body it did not need', async () => {
  await serving(fakeEngine(), {}, async (url) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const ports = new Set<number | undefined>()
    for (const [method, path, status] of [
      ['POST', SUBMIT, 200],
      ['POST', '/nowhere', 404],
      ['PUT', SUBMIT, 405],
      ['POST', '/public/v1/query/whoami', 200],
    ] as const)
      await new Promise<void>((resolve, reject) => {
        const asked = request(url + path, { agent, method }, (reply) => {
          ports.add(asked.socket?.localPort)
          assert.is(reply.statusCode, status)
          reply.resume().once('end', () => setImmediate(resolve)) // then the agent has the socket back
        })
        asked.once('error', reject).end('x'.repeat(500_000))
      })
    agent.destroy()
    assert.is(ports.size, 1)
  })
})

it('answers a caller who closed its half after the request', async () => {
  const { engine, waiting, release } = holding()
  await serving(engine, {}, async (url) => {
    const line = dial(url)
    line.socket.end(post(SUBMIT))
    await until(() => waiting() === 1 && line.farEnd()?.readableEnded)
    release()
    assert.is((await line.closed)[0]?.status, 200)
  })
})

const garbage: readonly (readonly [what: string, bytes: string])[] = [
  ['no HTTP', 'hello\r\n\r\n'],
  ['the beginning of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['an unknown method', post(SUBMIT).replace('POST', 'STEAL')],
  ['two lengths', post(SUBMIT, '{}', ['Content-Length: 3'])],
  ['a length and chunks', post(SUBMIT, '{}', ['Transfer-Encoding: chunked'])],
  ['a length that is no number', post(SUBMIT).replace('Length: 2', 'Length: two')],
  ['a negative length', post(SUBMIT).replace('Length: 2', 'Length: -2')],
  ['a space before the colon', post(SUBMIT, '{}', ['X-Stamp : x'])],
  ['a folded header', post(SUBMIT, '{}', ['X-Stamp: x\r\n y'])],
  ['a bare line feed', post(SUBMIT, '{}', ['X-Stamp: x\ny'])],
  ['a header without a colon', post(SUBMIT, '{}', ['X-Stamp'])],
  ['a NUL in a header', post(SUBMIT, '{}', ['X-Stamp: \0'])],
  ['a chunk size that is no number', `POST ${SUBMIT} HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`],
  [
    'a chunk longer than it says',
    `POST ${SUBMIT} HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n`,
  ],
  ['HTTP/2 without asking', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['an end in the headers', `POST ${SUBMIT} HTTP/1.1\r\nHost: te`],
  ['an end in the body', post(SUBMIT).slice(0, -1)],
]

for (const [what, bytes] of garbage)
  it(`answers 400 to ${what}, and closes`, async () => {
    const engine = fakeEngine()
    await serving(engine, {}, async (url) => {
      const line = dial(url)
      line.send(Buffer.from(bytes, 'latin1'))
      if (what.startsWith('an end')) line.socket.end()
      const replies = await line.closed
      assert.equal(
        replies.map(({ status }) => status),
        [400],
      )
      assert.is(replies[0]?.headers['content-type'], 'application/json')
      assert.is(json(replies[0]).code, 3)
    })
    assert.is(engine.asked.length, 0)
  })

it('answers what it has begun before it refuses what came behind', async () => {
  const { engine, waiting, release } = holding()
  await serving(engine, {}, async (url) => {
    const line = dial(url)
    line.send(post(SUBMIT, '"good"') + 'garbage\r\n\r\n')
    await heard(line)
    assert.equal([waiting(), line.replies()], [1, []])
    release()
    const [good, bad, ...more] = await line.closed
    assert.is(good?.status, 200)
    assert.match(good?.body ?? '', 'good')
    assert.is(bad?.status, 400)
    assert.is(more.length, 0)
  })
})

it('drains: answers what is in flight, and takes nothing new', async () => {
  const told: unknown[] = []
  const { engine, waiting, release } = holding()
  await serving(engine, { onRequest: ({ path }) => told.push(path) }, async (url, server) => {
    const [busy, idle, used, half] = [dial(url), dial(url), dial(url), dial(url)]
    used.send(HEALTH)
    half.send(`POST ${SUBMIT} HT`)
    busy.send(post(SUBMIT, '"one"') + post(SUBMIT, '"two"'))
    await until(() => waiting() === 1 && used.replies().length === 1)

    let isClosed = false
    const closing = server.close().then(() => (isClosed = true))
    assert.equal(await idle.closed, [], 'a connection that asked nothing')
    assert.is((await used.closed).length, 1, 'a connection that waits for its next request')
    assert.equal(await half.closed, [], 'a connection whose request has just begun')
    await say(url, HEALTH.replace('healthz', 'readyz'))
    assert.not.ok(isClosed)

    release()
    await until(() => waiting() === 1)
    release()
    const [one, two] = await busy.closed
    assert.match(one?.body ?? '', 'one')
    assert.match(two?.body ?? '', 'two')
    assert.is(two?.headers.connection, 'close')
    await closing
    await server.close()
  })
  assert.equal(told, ['/healthz', SUBMIT, SUBMIT])
})

it('cuts off what takes too long while it closes', async () => {
  const { engine, waiting } = holding()
  await serving(engine, { drainTimeoutMs: 100 }, async (url, server) => {
    const line = dial(url)
    line.send(post(SUBMIT))
    await until(() => waiting() === 1)
    await server.close()
    assert.equal(await line.closed, [])
  })
})

it('can be closed before it listens, and says why it cannot listen', async () => {
  await httpServer(fakeEngine()).close()
  await serving(fakeEngine(), {}, async (url) => {
    const second = httpServer(fakeEngine())
    let reason: unknown
    await second.listen({ port: Number(new URL(url).port) }).catch((error: unknown) => (reason = error))
    assert.match(String(reason), 'EADDRINUSE')
    await second.close()
  })
})

it('listens on IPv6, too', async () => {
  const server = httpServer(fakeEngine())
  const { url } = await server.listen({ host: '::1' })
  assert.match(url, /^http:\/\/\[::1\]:\d+$/)
  assert.is((await fetch(`${url}/healthz`)).status, 200)
  await server.close()
})

it.run()
