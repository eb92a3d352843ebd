import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { httpHandler, type HttpHandler } from '../../../adapters/http/index.ts'
import { until } from '../../until.ts'
import { fakeEngine, textOf } from './fake-engine.ts'
import { dial, heard, hosting, post, say, serving } from './transport.ts'

const it = suite('the handler in the server of a host')

const SUBMIT = '/public/v1/submit/create_user_tag'
const QUERY = '/public/v1/query/get_activity'

/** A request as a framework hands it over: it may have taken a prefix from the target, and read the body. */
type Mounted = IncomingMessage & { originalUrl?: string; body?: unknown }
type Before = (request: Mounted) => Promise<void> | void

const nothing: Before = () => undefined

/** Runs `use` against a server of the host, which has the handler behind `before` and answers `host` to what is left to it. */
const mounted = (handler: HttpHandler, before: Before, use: (url: string) => Promise<void>): Promise<void> =>
  hosting((request, response) => {
    void Promise.resolve(before(request)).then(() => handler(request, response, () => response.end('host')))
  }, use)

const get = (path: string, ...headers: readonly string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: test', 'Connection: close', ...headers, '', ''].join('\r\n')

/** The status of each path, or `host` for one that was left to the host. */
const answersTo = async (url: string, paths: readonly string[]): Promise<readonly unknown[]> => {
  const answers: unknown[] = []
  for (const path of paths) {
    const [reply] = await say(url, get(path))
    answers.push(reply?.body === 'host' ? 'host' : reply?.status)
  }
  return answers
}

it('answers under its base path, and leaves other requests to who comes next', async () => {
  const handler = httpHandler(fakeEngine(), { basePath: '/countersign/' })
  await mounted(handler, nothing, async (url) => {
    const own = ['', '/', '//healthz?a=/', '/openapi.json'].map((path) => `/countersign${path}`)
    assert.equal(await answersTo(url, [...own, 'http://test/countersign/readyz']), [200, 200, 200, 200, 200])
    const others = [
      '/',
      '/healthz',
      '/countersigns',
      '/countersign/nowhere',
      '/countersign/metrics',
      '*',
      'http://test/',
    ]
    assert.equal(await answersTo(url, others), Array(7).fill('host'))
    assert.equal(await answersTo(url, ['/countersign/public/v1/submit/a', '/countersign/healthz/']), [405, 'host'])
    assert.is((await fetch(`${url}/countersign${SUBMIT}`, { method: 'POST', body: '{}' })).status, 200)
  })
})

it('answers 404 to other requests if there is nobody else to ask', async () => {
  const options = { basePath: '/countersign' }
  const use = async (url: string): Promise<void> => {
    assert.equal(await answersTo(url, ['/countersign/healthz', '/healthz', '/']), [200, 404, 404])
    assert.match(await (await fetch(url)).text(), 'the API is under /countersign/public/v1/submit')
  }
  await serving(fakeEngine(), options, use)
  const handler = httpHandler(fakeEngine(), options)
  await mounted((request, response) => handler(request, response), nothing, use)
})

it('leaves to the host what RFC 9112 has a server refuse, if the path is not its own', async () => {
  await mounted(httpHandler(fakeEngine()), nothing, async (url) => {
    assert.is((await say(url, get('/mine', 'Host: another')))[0]?.body, 'host')
    assert.is((await say(url, get('/healthz', 'Host: another')))[0]?.status, 400)
  })
})

/** As Express does it: the prefix of a mount is taken from `url`, and `originalUrl` has the whole target. */
const strip =
  (prefix: string): Before =>
  (request) => {
    request.originalUrl = request.url ?? ''
    request.url = request.originalUrl.replace(prefix, '').replace(/^(?=[^/]|$)/, '/')
  }

it('finds its routes where a framework has taken the prefix of a mount, with a base path and without', async () => {
  const paths = [
    '/countersign/healthz',
    '/countersign',
    '/countersign?a',
    '/countersign/public/v1/query/a',
    '/countersign/b',
  ]
  for (const options of [{}, { basePath: '/countersign' }])
    await mounted(httpHandler(fakeEngine(), options), strip('/countersign'), async (url) => {
      assert.equal(await answersTo(url, paths), [200, 200, 200, 405, 'host'])
      assert.is((await fetch(`${url}/countersign${SUBMIT}`, { method: 'POST', body: '{}' })).status, 200)
    })
  await mounted(httpHandler(fakeEngine()), strip('/public/v1'), async (url) => {
    assert.is((await fetch(url + SUBMIT, { method: 'POST', body: '{}' })).status, 200)
    assert.equal(await answersTo(url, ['/public/v1/submit', '/public/v1/submit/a']), ['host', 405])
  })
})

it('tells the host the path as the caller sent it, and nothing of requests that are left to others', async () => {
  const told: unknown[] = []
  const handler = httpHandler(fakeEngine(), { onRequest: ({ path, status }) => told.push([path, status]) })
  await mounted(handler, strip('/countersign'), async (url) => {
    await answersTo(url, ['/countersign/healthz?secret', '/countersign/nowhere'])
  })
  assert.equal(told, [['/countersign/healthz', 200]])
})

it('takes a body that the host has read as bytes, within the limit', async () => {
  const engine = fakeEngine()
  const readRaw: Before = async (request) => {
    request.body = await buffer(request)
  }
  const bodies = ['{"a":1}', `"${'x'.repeat(9000)}"`]
  await mounted(httpHandler(engine, { bodyBytesMax: 10_000 }), readRaw, async (url) => {
    for (const body of bodies) assert.is((await fetch(url + SUBMIT, { method: 'POST', body })).status, 200)
    const chunked = `POST ${SUBMIT} HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n`
    const [long] = await say(url, `${chunked}2711\r\n${'x'.repeat(10_001)}\r\n0\r\n\r\n`)
    assert.is(long?.status, 413)
    assert.is(
      (await fetch(url + SUBMIT, { method: 'POST', body: '{}', headers: { 'Content-Encoding': 'gzip' } })).status,
      415,
    )
  })
  assert.equal(
    engine.asked.map(({ request }) => textOf(request)),
    bodies,
  )
})

it('says that it was mounted too late where the body is lost, to the caller and once to the operator', async () => {
  const late: readonly Before[] = [
    async (request) => void (request.body = JSON.parse((await buffer(request)).toString() || '{}')),
    async (request) => void (request.body = (await buffer(request)).toString()),
    async (request) => void (await buffer(request)),
    (request) => void request.setEncoding('utf8'),
  ]
  for (const before of late) {
    const notices: string[] = []
    const engine = fakeEngine()
    const handler = httpHandler(engine, { onNotice: ({ level, message }) => notices.push(`${level} ${message}`) })
    await mounted(handler, before, async (url) => {
      for (const path of [SUBMIT, QUERY]) {
        const reply = await fetch(url + path, { method: 'POST', body: '{"a":1}' })
        assert.is(reply.status, 500)
        const { message, turnkeyErrorCode } = (await reply.json()) as { message: string; turnkeyErrorCode: string }
        assert.match(message, 'mount Countersign before body parsers')
        assert.is(turnkeyErrorCode, 'INTERNAL')
      }
      assert.is((await fetch(`${url}/healthz`)).status, 200)
    })
    assert.is(notices.length, 1)
    assert.match(notices[0] ?? '', /^error .*mount before body parsers/)
    assert.equal(engine.asked, [])
  }
})

it('answers also if the hook for notices throws', async () => {
  const onNotice = (): void => {
    throw new Error('of the host')
  }
  await mounted(
    httpHandler(fakeEngine(), { onNotice }),
    async (request) => void (await buffer(request)),
    async (url) => {
      const reply = await fetch(url + SUBMIT, { method: 'POST', body: '{}' })
      assert.match(await reply.text(), 'mount Countersign before body parsers')
    },
  )
})

it('takes an empty body for what it is, also if somebody has read it', async () => {
  const engine = fakeEngine()
  await mounted(
    httpHandler(engine),
    async (request) => void (await buffer(request)),
    async (url) => {
      assert.is((await fetch(url + SUBMIT, { method: 'POST', body: '' })).status, 200)
    },
  )
  assert.is(engine.asked[0]?.request.body.length, 0)
})

it('does not wait for a caller who was gone before', async () => {
  const told: number[] = []
  const handler = httpHandler(fakeEngine(), { onRequest: ({ status }) => told.push(status) })
  const untilGone: Before = async (request) => void (await new Promise((resolve) => request.once('close', resolve)))
  await mounted(handler, untilGone, async (url) => {
    const line = dial(url)
    line.send(post(SUBMIT, '{}').slice(0, -1))
    await heard(line)
    line.socket.destroy()
    await until(() => told.length === 1)
  })
  assert.equal(told, [499])
})

it('refuses a base path that no request can have', () =>
  assert.throws(() => httpHandler(fakeEngine(), { basePath: 'countersign' }), /basePath/))

it.run()
