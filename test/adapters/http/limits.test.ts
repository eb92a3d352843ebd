import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { httpServer, type HandledRequest } from '../../../adapters/http/index.ts'
import { until } from '../../until.ts'
import { fakeEngine, holding } from './fake-engine.ts'
import { dial, heard, json, missed, post, say, serving, type Line, type RawReply } from './transport.ts'

const it = suite('limits of the HTTP server')

const SUBMIT = '/public/v1/submit/create_users'
const chunked = (...chunks: readonly string[]): string =>
  [
    `POST ${SUBMIT} HTTP/1.1`,
    'Host: test',
    'Transfer-Encoding: chunked',
    '',
    ...chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}`),
    '',
  ].join('\r\n')

const isError = (reply: RawReply | undefined, status: number, code = 3): void => {
  assert.is(reply?.status, status)
  assert.is(reply?.headers['content-type'], 'application/json')
  assert.is(json(reply).code, code)
  assert.type(json(reply).message, 'string')
  assert.ok(Array.isArray(json(reply).details))
}

/** Sends more, little by little, until the server says something; resolves when it has closed. */
const dripping = async (line: Line, drop: string): Promise<readonly RawReply[]> => {
  await until(() => {
    line.send(drop)
    return line.replies().length > 0
  })
  line.socket.end()
  return line.closed
}

it('takes a body of exactly the limit, declared or in chunks', async () => {
  const engine = fakeEngine()
  await serving(engine, { bodyBytesMax: 1000 }, async (url) => {
    assert.is((await say(url, post(SUBMIT, 'x'.repeat(1000))))[0]?.status, 200)
    assert.is((await say(url, chunked('x'.repeat(600), 'y'.repeat(400), '') + '\r\n'))[0]?.status, 200)
  })
  assert.equal(
    engine.asked.map(({ request }) => request.body.length),
    [1000, 1000],
  )
})

it('refuses a body that declares too much at once, before it arrives', async () => {
  const engine = fakeEngine()
  await serving(engine, { bodyBytesMax: 1000 }, async (url) => {
    const line = dial(url)
    line.send(`POST ${SUBMIT} HTTP/1.1\r\nHost: test\r\nContent-Length: 1001\r\n\r\n`)
    await until(() => line.replies().length === 1)
    isError(line.replies()[0], 413)
    assert.is(line.replies()[0]?.headers.connection, 'close')
    line.socket.end()
    await line.closed
  })
  assert.is(engine.asked.length, 0)
})

it('cuts a body in chunks at the limit', async () => {
  const engine = fakeEngine()
  await serving(engine, { bodyBytesMax: 1000 }, async (url) => {
    const line = dial(url)
    line.send(chunked('x'.repeat(600), 'y'.repeat(401)))
    await until(() => line.replies().length === 1)
    isError(line.replies()[0], 413)
    line.socket.end()
    await line.closed
  })
  assert.is(engine.asked.length, 0)
})

it('gets its refusal through to a caller who sends all before it reads', async () => {
  await serving(fakeEngine(), {}, async (url) => {
    for (const length of [2, 12]) {
      const line = dial(url)
      const errors: Error[] = []
      line.socket.on('error', (error) => errors.push(error)).pause()
      line.socket.write(post(SUBMIT, 'x'.repeat(length * 1024 * 1024)), () => line.socket.resume())
      isError((await line.closed)[0], 413)
      assert.equal(errors, [], 'its connection was not reset')
    }
    const reply = await fetch(url + SUBMIT, { method: 'POST', body: 'x'.repeat(4 * 1024 * 1024) })
    assert.is(reply.status, 413)
  })
})

it('gives up a caller who goes on sending after the refusal', async () => {
  await serving(fakeEngine(), {}, async (url) => {
    const line = dial(url)
    line.send(`POST ${SUBMIT} HTTP/1.1\r\nHost: test\r\nContent-Length: 999999999\r\n\r\n`)
    while (!line.socket.closed) {
      line.send('x'.repeat(1000))
      await new Promise((resolve) => setImmediate(resolve))
    }
    isError((await line.closed)[0], 413)
  })
})

it('tells a caller who asks first to go on, or not to', async () => {
  const engine = fakeEngine()
  await serving(engine, { bodyBytesMax: 1000 }, async (url) => {
    const line = dial(url)
    line.send(`POST ${SUBMIT} HTTP/1.1\r\nHost: test\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n`)
    await until(() => line.replies().length === 1)
    line.send('{}')
    await until(() => line.replies().length === 2)
    line.socket.end()
    assert.equal(
      (await line.closed).map(({ status }) => status),
      [100, 200],
    )

    const refused = dial(url)
    refused.send(`POST ${SUBMIT} HTTP/1.1\r\nHost: test\r\nExpect: 100-continue\r\nContent-Length: 1001\r\n\r\n`)
    await until(() => refused.replies().length === 1)
    isError(refused.replies()[0], 413)
    refused.socket.end()
    isError((await say(url, post(SUBMIT, '{}', ['Expect: a-miracle'])))[0], 417)
  })
  assert.is(engine.asked.length, 1)
})

it('refuses encodings: what was signed are the bytes that arrive', async () => {
  const engine = fakeEngine()
  await serving(engine, {}, async (url) => {
    for (const encoding of ['gzip', 'br', 'identity, gzip'])
      isError((await say(url, post(SUBMIT, '{}', [`Content-Encoding: ${encoding}`])))[0], 415)
    const gzip = chunked('{}', '').replace('chunked', 'gzip, chunked')
    isError((await say(url, gzip))[0], 400)
    assert.is(engine.asked.length, 0)
    assert.is((await say(url, post(SUBMIT, '{}', ['Content-Encoding: Identity'])))[0]?.status, 200)
  })
})

it('refuses headers that are too large', async () => {
  await serving(fakeEngine(), { headerBytesMax: 2000 }, async (url) => {
    assert.is((await say(url, post(SUBMIT, '{}', [`X-Stamp: ${'x'.repeat(1500)}`])))[0]?.status, 200)
    isError((await say(url, post(SUBMIT, '{}', [`X-Stamp: ${'x'.repeat(2000)}`])))[0], 431)
    isError((await say(url, post(`/${'x'.repeat(2000)}`)))[0], 431)
  })
})

it('does not wait for headers for ever', async () => {
  const told: HandledRequest[] = []
  const onRequest = (request: HandledRequest): void => void told.push(request)
  await serving(fakeEngine(), { headersTimeoutMs: 100, onRequest }, async (url) => {
    const line = dial(url)
    line.send(`POST ${SUBMIT} HTTP/1.1\r\nHost: te`)
    isError((await dripping(line, 'x'))[0], 408, 1)
    const silent = await dial(url).closed
    isError(silent[0], 408, 1)
  })
  const { requestId, ...first } = told[0] ?? { requestId: '' }
  assert.is(requestId.length, 36)
  assert.equal(first, { method: null, path: null, status: 408, durationMs: 0, code: 'ABORTED' })
})

it('does not wait for a body for ever', async () => {
  const engine = fakeEngine()
  await serving(engine, { requestTimeoutMs: 100 }, async (url) => {
    const line = dial(url)
    line.send(`POST ${SUBMIT} HTTP/1.1\r\nHost: test\r\nContent-Length: 1000\r\n\r\n`)
    const replies = await dripping(line, 'x')
    assert.is(replies.length, 1)
    isError(replies[0], 408, 1)
  })
  assert.is(engine.asked.length, 0)
})

it('does not wait for ever for the rest of a request that was answered before its end', async () => {
  await serving(fakeEngine(), { requestTimeoutMs: 100 }, async (url) => {
    const line = dial(url)
    line.send(`POST /nowhere HTTP/1.1\r\nHost: test\r\nContent-Length: 1000\r\n\r\n`)
    const replies = await line.closed
    assert.match(String(replies.map(({ status }) => status)), /^40[48]$/) // 408 if not even the head came in time
  })
})

it('closes a connection on which nothing moves', async () => {
  const { engine, release } = holding()
  await serving(engine, { silenceTimeoutMs: 150, keepAliveTimeoutMs: 100 }, async (url) => {
    const line = dial(url)
    line.send(post(SUBMIT))
    assert.equal(await line.closed, [])
    release()
  })
})

it('keeps working when callers leave in the middle of a request, or before the answer', async () => {
  const told: HandledRequest[] = []
  const { engine, waiting, release } = holding()
  await serving(engine, { onRequest: (request) => told.push(request) }, async (url) => {
    const early = dial(url)
    early.send(`POST ${SUBMIT} HTTP/1.1\r\nHost: test\r\nContent-Length: 1000\r\n\r\nabc`)
    await heard(early)
    early.socket.resetAndDestroy()
    await until(() => told.length === 1)

    const late = dial(url)
    late.send(post(SUBMIT))
    await until(() => waiting() === 1)
    late.socket.resetAndDestroy()
    await missed(late)
    release()
    await until(() => told.length === 2)
    assert.is((await fetch(`${url}/healthz`)).status, 200)
  })
  assert.equal(
    told.map(({ status }) => status),
    [499, 499, 200],
  )
})

it('keeps working when callers leave in the middle of what was refused', async () => {
  const told: HandledRequest[] = []
  await serving(fakeEngine(), { onRequest: (request) => told.push(request) }, async (url) => {
    for (const head of ['POST /nowhere HTTP/1.1\r\nHost: test\r\nContent-Length: 1000', `PUT ${SUBMIT} HTTP/1.1`]) {
      const line = dial(url)
      line.send(`${head}\r\n\r\nabc`)
      await until(() => line.replies().length === 1)
      line.socket.resetAndDestroy()
      await missed(line)
    }
    assert.is((await fetch(`${url}/healthz`)).status, 200)
  })
  assert.equal(
    told.map(({ status }) => status),
    [404, 400, 200],
  )
})

it('works on so many requests at once and refuses the next, whose connection goes on', async () => {
  const { engine, waiting, release } = holding()
  await serving(engine, { requestsInFlightMax: 2 }, async (url) => {
    const held = [dial(url), dial(url)]
    for (const line of held) line.send(post(SUBMIT))
    await until(() => waiting() === 2)

    const third = dial(url)
    third.send(post(SUBMIT))
    await until(() => third.replies().length === 1)
    isError(third.replies()[0], 429, 8)
    assert.is(third.replies()[0]?.headers['retry-after'], '1')
    assert.is((await fetch(`${url}/healthz`)).status, 200)

    release()
    await until(() => held.some((line) => line.replies().length === 1))
    third.send(post(SUBMIT))
    await until(() => waiting() === 2)
    release()
    release()
    await until(() => third.replies().length === 2)
    assert.is(third.replies()[1]?.status, 200)
    for (const line of [...held, third]) line.socket.end()
  })
})

it('does not count bodies that are still arriving: slow callers take no place', async () => {
  await serving(fakeEngine(), { requestsInFlightMax: 1 }, async (url) => {
    const slow = Array.from({ length: 20 }, () => dial(url))
    for (const line of slow) line.send(`POST ${SUBMIT} HTTP/1.1\r\nHost: test\r\nContent-Length: 10\r\n\r\nabc`)
    await heard(...slow)
    assert.is((await fetch(url + SUBMIT, { method: 'POST', body: '{}' })).status, 200)
    for (const line of slow) line.socket.resetAndDestroy()
  })
})

it('refuses limits that make no sense', () => {
  assert.throws(() => httpServer(fakeEngine(), { connectionsMax: -1 }), /connectionsMax/)
  assert.throws(() => httpServer(fakeEngine(), { headersTimeoutMs: 2000, requestTimeoutMs: 1000 }), /headersTimeoutMs/)
  assert.throws(() => httpServer(fakeEngine(), { bodyBytesHeldMax: 1000 }), /bodyBytesHeldMax/)
  httpServer(fakeEngine(), { requestTimeoutMs: 1000 })
  httpServer(fakeEngine(), { bodyBytesMax: 100 * 1024 * 1024 })
})

it.run()
