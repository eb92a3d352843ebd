import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { fakeEngine } from './fake-engine.ts'
import { dial, HEALTH, post, say, serving, type RawReply } from './transport.ts'

const it = suite('the HTTP server against anything')

const neverOurFault = (replies: readonly RawReply[]): void => {
  for (const { status, headers, body } of replies) {
    assert.ok(status < 500, `${status}: ${body}`)
    if (status === 204 || status === 100) continue
    assert.is(headers['content-type'], 'application/json')
    JSON.parse(body === '' ? '{}' : body) // HEAD has none
  }
}

const valid = [
  post('/public/v1/submit/create_users', '{"type":"x"}', ['X-Stamp: abc', 'Connection: keep-alive']),
  post('/public/v1/query/whoami', '{}', ['Expect: 100-continue']),
  'POST /public/v1/submit/create_users HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
  HEALTH,
  'HEAD /readyz HTTP/1.0\r\n\r\n',
  'OPTIONS /public/v1/query/whoami HTTP/1.1\r\nHost: test\r\nOrigin: x\r\n\r\n',
  'CONNECT test:443 HTTP/1.1\r\nHost: test\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: test\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
]

const anyEdit = fc.record({
  at: fc.nat({ max: 400 }),
  drop: fc.nat({ max: 12 }),
  put: fc.oneof(
    fc.constantFrom(
      '\r\n',
      '\n',
      '\0',
      ':',
      ' ',
      'Transfer-Encoding: chunked\r\n',
      'Content-Length: 9\r\n',
      '-1',
      '?',
      '//',
    ),
    fc.constantFrom(
      'Content-Length: 99999999999999999999\r\n',
      'Connection: close\r\n',
      'X-Stamp: z\r\n',
      'HTTP/9.9',
      '\u00ff',
    ),
    fc.string({ maxLength: 8, unit: 'binary-ascii' }),
  ),
})

it('never answers mutated requests with 5xx, pipelined, in pieces and cut off', async () => {
  const anyCase = fc.record({
    requests: fc.array(fc.constantFrom(...valid), { minLength: 1, maxLength: 3 }),
    edits: fc.array(anyEdit, { maxLength: 3 }),
    cut: fc.option(fc.nat({ max: 400 })),
    pieces: fc.boolean(),
  })
  const engine = fakeEngine()
  await serving(engine, {}, async (url) => {
    await fc.assert(
      fc.asyncProperty(anyCase, async ({ requests, edits, cut, pieces }) => {
        let text = requests.join('')
        for (const { at, drop, put } of edits) text = text.slice(0, at) + put + text.slice(at + drop)
        const bytes = Buffer.from(cut === null ? text : text.slice(0, cut), 'latin1')
        neverOurFault(pieces ? await sayInPieces(url, bytes) : await say(url, bytes))
      }),
      { numRuns: 200 },
    )
    assert.is((await fetch(`${url}/healthz`)).status, 200)
  })
  assert.ok(engine.asked.length > 0, 'some of them were requests still')
})

it('never answers random bytes with 5xx', async () => {
  await serving(fakeEngine(), {}, async (url) => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 3000, size: 'max' }), async (bytes) => {
        neverOurFault(await say(url, bytes))
      }),
      { numRuns: 200 },
    )
    assert.is((await fetch(`${url}/healthz`)).status, 200)
  })
})

it('hands over every body as it arrived', async () => {
  const engine = fakeEngine()
  await serving(engine, {}, async (url) => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 100_000, size: 'max' }), fc.boolean(), async (body, inChunks) => {
        const head = 'POST /public/v1/query/whoami HTTP/1.1\r\nHost: test\r\n'
        const bytes = inChunks
          ? [head, 'Transfer-Encoding: chunked\r\n\r\n', ...chunks(body), '0\r\n\r\n']
          : [head, `Content-Length: ${body.length}\r\n\r\n`, body]
        const [reply] = await say(url, Buffer.concat(bytes.map((part) => Buffer.from(part))))
        assert.is(reply?.status, 200)
        assert.ok(Buffer.from(body).equals(engine.asked.pop()?.request.body ?? Buffer.of(0)))
      }),
      { numRuns: 200 },
    )
  })
})

const sayInPieces = async (url: string, bytes: Uint8Array): Promise<readonly RawReply[]> => {
  const line = dial(url)
  line.socket.setNoDelay(true)
  const size = Math.max(1, Math.ceil(bytes.length / 5))
  for (let at = 0; at < bytes.length; at += size) {
    line.send(bytes.subarray(at, at + size))
    await new Promise((resolve) => setImmediate(resolve))
  }
  line.socket.end()
  return line.closed
}

const chunks = (body: Uint8Array): readonly (string | Uint8Array)[] => {
  const parts: (string | Uint8Array)[] = []
  for (let at = 0; at < body.length; at += 7001) {
    const part = body.subarray(at, at + 7001)
    parts.push(`${part.length.toString(16)}\r\n`, part, '\r\n')
  }
  return parts
}

it.run()
