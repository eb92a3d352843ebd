import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  fetchHandler,
  httpHandler,
  httpServer,
  type HttpHandlerOptions,
  type StaticFile,
} from '../../../adapters/http/index.ts'
import { fakeEngine } from './fake-engine.ts'
import { hosting, serving } from './transport.ts'

const it = suite('files that are served without a stamp')

const page: StaticFile = {
  path: '/console',
  type: 'text/html; charset=utf-8',
  headers: { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' },
  bytes: Buffer.from('<!doctype html>ä'),
}
/** Longer than what a connection takes at once, and no text. */
const script: StaticFile = {
  path: '/console/main-0AB.js',
  type: 'text/javascript; charset=utf-8',
  headers: {},
  bytes: new Uint8Array(1024 * 1024).map((_, at) => at % 251),
}
const FILES = [page, script]

type Ask = (path: string, init?: RequestInit) => Promise<Response>

/** Runs `use` against each of the three things that answer requests. */
const everywhere = async (
  options: HttpHandlerOptions,
  use: (ask: Ask, skin: string) => Promise<void>,
): Promise<void> => {
  const at =
    (url: string): Ask =>
    (path, init) =>
      fetch(url + path, init)
  await serving(fakeEngine(), options, (url) => use(at(url), 'httpServer'))
  await hosting(httpHandler(fakeEngine(), options), (url) => use(at(url), 'httpHandler'))
  const handler = fetchHandler(fakeEngine(), options)
  const ask: Ask = async (path, init) =>
    (await handler(new Request(`http://test${path}`, init))) ?? new Response(null, { status: 404 })
  await use(ask, 'fetchHandler')
}

it('are answered with their bytes, type and headers', () =>
  everywhere({ files: FILES }, async (ask, skin) => {
    for (const { path, type, headers, bytes } of FILES) {
      const reply = await ask(`${path}?a=b`)
      assert.equal([reply.status, reply.headers.get('content-type')], [200, type], skin)
      assert.is(reply.headers.get('content-length'), String(bytes.length), skin)
      for (const [name, value] of Object.entries(headers)) assert.is(reply.headers.get(name), value, skin)
      assert.ok(Buffer.from(await reply.arrayBuffer()).equals(bytes), `${skin} ${path}`)
      assert.ok(reply.headers.has('x-request-id'), skin)
    }
  }))

it('are answered alike to HEAD, without the bytes', () =>
  everywhere({ files: FILES }, async (ask, skin) => {
    for (const { path, type, bytes } of FILES) {
      const reply = await ask(path, { method: 'HEAD' })
      assert.equal([reply.status, reply.headers.get('content-type'), await reply.text()], [200, type, ''], skin)
      assert.is(reply.headers.get('content-length'), String(bytes.length), skin)
    }
  }))

it('are for no page of another origin, and take no other method', () =>
  everywhere({ files: FILES }, async (ask, skin) => {
    for (const { path } of FILES) {
      const { headers } = await ask(path, { headers: { Origin: 'https://other.example' } })
      assert.is(headers.get('access-control-allow-origin'), null, skin)
      for (const method of ['OPTIONS', 'POST', 'PUT', 'DELETE']) {
        const refused = await ask(path, { method })
        assert.equal([refused.status, refused.headers.get('allow')], [405, 'GET, HEAD'], `${skin} ${method}`)
        assert.is(refused.headers.get('access-control-allow-methods'), null, skin)
      }
    }
  }))

it('stand behind the base path, at their path alone', () =>
  everywhere({ files: FILES, basePath: '/countersign' }, async (ask, skin) => {
    const statuses = async (paths: readonly string[]): Promise<readonly number[]> =>
      Promise.all(paths.map(async (path) => (await ask(path)).status))
    assert.equal(await statuses(['/countersign/console', '/countersign/console/main-0AB.js']), [200, 200], skin)
    const others = ['/console', '/countersign/console/', '/countersign/Console', '/countersign/console/main-0ab.js']
    assert.equal(await statuses(others), [404, 404, 404, 404], skin)
  }))

it('are the bytes that they were when the handler was made', async () => {
  const bytes = Buffer.from('before')
  const handler = fetchHandler(fakeEngine(), { files: [{ ...page, bytes }] })
  bytes.fill('x')
  assert.is(await (await handler(new Request('http://test/console')))?.text(), 'before')
})

it('leave what is beside them to the host', async () => {
  const handler = fetchHandler(fakeEngine(), { files: FILES })
  assert.is(await handler(new Request('http://test/console/other.js')), undefined)
})

it('are refused where a path is one of the API, or another file has it', () => {
  const taken = [
    '/',
    '/healthz',
    '/openapi.json',
    '/public/v1/submit/do_it',
    '/public/v1/query/ask',
    '/public/v1/discovery/keys',
  ]
  for (const path of taken)
    refused({ files: [{ ...page, path }] }, path === '/' ? /^files: expected a path/ : /served already$/)
  refused({ files: [page, { ...script, path: page.path }] }, /^files: \/console is served already$/)
  refused({ files: [{ ...page, path: '/metrics' }], metrics: () => '' }, /^files: \/metrics is served already$/)
  assert.type(fetchHandler(fakeEngine(), { files: [{ ...page, path: '/metrics' }] }), 'function')
})

it('are refused where no request could have their path', () => {
  for (const path of [
    '',
    'console',
    'https://a.example/console',
    '//console',
    '/console/',
    '/a?b',
    '/a#b',
    '/a b',
    '/ä',
    '/a/../b',
    '/%2e',
  ])
    refused({ files: [{ ...page, path }] }, /^files: expected a path such as \/console, not "/)
})

const refused = (options: HttpHandlerOptions, message: RegExp): void => {
  for (const make of [httpServer, httpHandler, fetchHandler])
    assert.throws(
      () => make(fakeEngine(), options),
      (error: unknown) => error instanceof RangeError && message.test(error.message),
      JSON.stringify(options.files?.map(({ path }) => path)),
    )
}

it.run()
