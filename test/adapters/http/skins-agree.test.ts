import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { fetchHandler, type HttpHandlerOptions } from '../../../adapters/http/index.ts'
import { fakeEngine, type FakeEngine } from './fake-engine.ts'
import { say, serving } from './transport.ts'

const it = suite('the handler for Node and the handler of Request and Response')

const BODY_MAX = 2000
const OPTIONS: HttpHandlerOptions = { basePath: '/a%2Fb', bodyBytesMax: BODY_MAX, trustedProxies: ['127.0.0.1'] }

type Case = {
  readonly method: string
  readonly path: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly chunks: readonly Uint8Array[]
  readonly saysLength: boolean
}

const anyPath = fc
  .tuple(
    fc.constantFrom('/a%2Fb', '/a%2fb', '/a%2Fb/', '/a/b', '', '/A%2Fb'),
    fc.constantFrom(
      '/public/v1/submit/do_it',
      '/public/v1/query/ask',
      '/public/v1/submit/DO',
      '',
      '/',
      '/healthz',
      '/readyz',
      '/metrics',
      '/x',
    ),
    fc.constantFrom('', '?', '?a=/b'),
  )
  .map(([base, path, query]) => `${base}${path}${query}`.replace(/^(?!\/)/, '/'))

const anyHeader = fc.oneof(
  fc.tuple(
    fc.constantFrom('X-Stamp', 'x-stamp', 'X-Session', 'X-Stamp-Attested'),
    fc.base64String({ minLength: 1, maxLength: 20 }),
  ),
  fc.tuple(fc.constant('X-Stamp-WebAuthn'), fc.constant('{"a":1,"b":[2]}')),
  fc.tuple(
    fc.constant('X-Forwarded-For'),
    fc.constantFrom('203.0.113.7', '192.0.2.9, 2001:DB8::7', 'nonsense', '127.0.0.1'),
  ),
  fc.tuple(fc.constant('Content-Encoding'), fc.constantFrom('gzip', 'identity', 'Identity')),
  fc.tuple(fc.constant('User-Agent'), fc.constantFrom('curl/8', 'turnkey-go/2')),
  fc.tuple(fc.constant('X-Client-Version'), fc.constant('1')),
)

const anyCase: fc.Arbitrary<Case> = fc.record({
  method: fc.constantFrom('POST', 'POST', 'POST', 'GET', 'OPTIONS', 'PUT', 'DELETE', 'PATCH'),
  path: fc.oneof(fc.constant('/a%2Fb/public/v1/submit/do_it'), anyPath),
  headers: fc.uniqueArray(anyHeader, { maxLength: 4, selector: ([name]) => name }),
  chunks: fc.array(fc.uint8Array({ minLength: 1, maxLength: 700 }), { maxLength: 5 }),
  saysLength: fc.boolean(),
})

/** What is compared: all that is not of the connection. */
type Answer = {
  readonly status: number
  readonly headers: { readonly [name: string]: string | null }
  readonly body: string
}
const COMPARED = [
  'content-type',
  'content-length',
  'cache-control',
  'allow',
  'access-control-allow-origin',
  'access-control-allow-methods',
  'access-control-allow-headers',
  'retry-after',
]
const compared = (read: (name: string) => string | null | undefined): Answer['headers'] =>
  Object.fromEntries(COMPARED.map((name) => [name, read(name) ?? null]))

const hasBody = ({ method, chunks }: Case): boolean => method !== 'GET' && chunks.length > 0
const lengthOf = ({ chunks }: Case): number => chunks.reduce((length, chunk) => length + chunk.length, 0)
const sentHeaders = (one: Case): Case['headers'] =>
  hasBody(one) && one.saysLength ? [...one.headers, ['Content-Length', String(lengthOf(one))]] : one.headers

const overSocket = async (url: string, one: Case): Promise<Answer> => {
  const isChunked = hasBody(one) && !one.saysLength
  const lines = sentHeaders(one).map(([name, value]) => `${name}: ${value}`)
  const head = [
    `${one.method} ${one.path} HTTP/1.1`,
    'Host: test',
    ...lines,
    ...(isChunked ? ['Transfer-Encoding: chunked'] : []),
    '',
    '',
  ]
  const pieces = hasBody(one)
    ? one.chunks.flatMap((chunk) => (isChunked ? [`${chunk.length.toString(16)}\r\n`, chunk, '\r\n'] : [chunk]))
    : []
  const bytes = [head.join('\r\n'), ...pieces, ...(isChunked ? ['0\r\n\r\n'] : [])].map((piece) => Buffer.from(piece))
  const [reply] = await say(url, Buffer.concat(bytes))
  if (reply === undefined) throw new Error('no answer')
  return {
    status: reply.status,
    headers: compared((name) => reply.headers[name]),
    body: Buffer.from(reply.body, 'latin1').toString(),
  }
}

const throughFetch = async (handler: ReturnType<typeof fetchHandler>, one: Case): Promise<Answer | undefined> => {
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const chunk of one.chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
  const headers = sentHeaders(one).map(([name, value]): [string, string] => [name, value])
  const init = hasBody(one) ? { body: stream, duplex: 'half' } : {}
  const request = new Request(`http://test${one.path}`, { method: one.method, headers, ...init })
  const response = await handler(request, { address: '127.0.0.1' })
  return (
    response && {
      status: response.status,
      headers: compared((name) => response.headers.get(name)),
      body: await response.text(),
    }
  )
}

const lastAsked = (engine: FakeEngine): unknown =>
  engine.asked.splice(0).map(({ request, ...rest }) => ({ ...rest, ...request, body: [...request.body] }))

it('answer alike and hand the same to the engine, however a body comes in pieces', async () => {
  const [node, web] = [fakeEngine(), fakeEngine()]
  const handler = fetchHandler(web, OPTIONS)
  let [answered, left] = [0, 0]
  await serving(node, OPTIONS, async (url) => {
    await fc.assert(
      fc.asyncProperty(anyCase, async (one) => {
        const [overNode, overFetch] = [await overSocket(url, one), await throughFetch(handler, one)]
        if (overFetch === undefined) {
          left += 1
          assert.is(overNode.status, 404)
        } else {
          answered += 1
          assert.equal(overFetch, overNode)
        }
        assert.equal(lastAsked(web), lastAsked(node))
      }),
      { numRuns: 500 },
    )
  })
  assert.ok(answered > 50 && left > 10, `${answered} answered, ${left} left to the host`)
})

it.run()
