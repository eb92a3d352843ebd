import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { fetchHandler, type HandledRequest } from '../../../adapters/http/index.ts'
import type { Notice } from '../../../core/ports/notice.ts'
import { until } from '../../until.ts'
import { fakeEngine, holding, refusing, textOf } from './fake-engine.ts'

const it = suite('the public API as a function of Request and Response')

const HOST = 'https://api.example.com'
const SUBMIT = `${HOST}/public/v1/submit/create_user_tag`
const QUERY = `${HOST}/public/v1/query/get_activity`

const post = (url: string, body: BodyOf = '{}', init: RequestInit = {}): Request =>
  new Request(url, { method: 'POST', body, ...(body instanceof ReadableStream ? { duplex: 'half' } : {}), ...init })
type BodyOf = string | ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const jsonOf = async (response: Response | undefined): Promise<{ readonly [member: string]: unknown }> =>
  JSON.parse((await response?.text()) ?? '{}') as { readonly [member: string]: unknown } // every answer is an object
const messageOf = async (response: Response | undefined): Promise<string> => String((await jsonOf(response))['message'])

it('hands the operation, the raw body, the stamp and the address to submit', async () => {
  const engine = fakeEngine()
  const body = '{ "b":1,\n"a":"\u00e4" }'
  const request = post(SUBMIT, body, { headers: { 'X-Stamp': 'abc', Authorization: 'no' } })
  const response = await fetchHandler(engine)(request, { address: '::FFFF:203.0.113.7' })
  assert.is(response?.status, 200)
  assert.is(response?.headers.get('content-type'), 'application/json')
  const [asked] = engine.asked
  assert.is(asked?.operation, 'create_user_tag')
  assert.is(asked && textOf(asked.request), body)
  assert.equal(asked?.request.headers, { 'x-stamp': 'abc' })
  assert.is(asked?.request.address, '203.0.113.7')
})

it('knows no address unless the host says it, and believes trusted proxies alone', async () => {
  const engine = fakeEngine()
  const handler = fetchHandler(engine, { trustedProxies: ['10.0.0.0/8'] })
  const headers = { 'X-Forwarded-For': '192.0.2.9, 203.0.113.7' }
  const callers = [
    undefined,
    {},
    { address: null },
    { address: 'socket' },
    { address: '198.51.100.1' },
    { address: '10.0.0.1' },
  ]
  for (const caller of callers) await handler(post(QUERY, '{}', { headers }), caller)
  // Servers pass things of their own as the second argument; a host in JavaScript may pass the handler itself to such a server.
  await handler(post(QUERY), { address: { port: 1 } } as never)
  assert.equal(
    engine.asked.map(({ request }) => request.address),
    [null, null, null, null, '198.51.100.1', '203.0.113.7', null],
  )
})

it('hands over a stamp that was sent twice as two', async () => {
  const engine = fakeEngine()
  const request = post(SUBMIT)
  for (const value of ['one', 'two']) request.headers.append('X-Stamp', value)
  request.headers.set('X-Stamp-WebAuthn', '{"a":1,"b":2}')
  await fetchHandler(engine)(request)
  assert.equal(engine.asked[0]?.request.headers, { 'x-stamp': ['one', 'two'], 'x-stamp-webauthn': '{"a":1,"b":2}' })
})

it('leaves requests without a route to the host, with their bodies', async () => {
  const handler = fetchHandler(fakeEngine(), { basePath: '/countersign/' })
  for (const path of [
    '/',
    '/healthz',
    '/countersigns/healthz',
    '/countersign/nowhere',
    '/countersign/metrics',
    '/public/v1/submit/a',
  ]) {
    const request = post(HOST + path, 'mine')
    assert.is(await handler(request), undefined, path)
    assert.is(await request.text(), 'mine')
  }
  const found = ['', '/', '/healthz', '//healthz', '/healthz?a=/b', '/openapi.json', '/readyz']
  for (const path of found) assert.is((await handler(new Request(`${HOST}/countersign${path}`)))?.status, 200, path)
  assert.is((await handler(post(`${HOST}/countersign/public/v1/submit/a`)))?.status, 200)
})

it('says under which base path the API is', async () => {
  const handler = fetchHandler(fakeEngine(), { basePath: '/countersign' })
  assert.equal(await (await handler(new Request(`${HOST}/countersign`)))?.json(), {
    service: 'countersign',
    api: '/countersign/public/v1',
    openapi: '/countersign/openapi.json',
    keys: '/countersign/public/v1/discovery/keys',
  })
  const document = await jsonOf(await handler(new Request(`${HOST}/countersign/openapi.json`)))
  assert.equal(document['servers'], [{ url: '/countersign' }])
})

it('answers HEAD without a body and OPTIONS with the methods, and refuses other methods', async () => {
  const handler = fetchHandler(fakeEngine())
  const [get, head] = [
    await handler(new Request(`${HOST}/healthz`)),
    await handler(new Request(`${HOST}/healthz`, { method: 'HEAD' })),
  ]
  assert.is(head?.status, 200)
  assert.is(await head?.text(), '')
  assert.is(head?.headers.get('content-length'), String((await get?.text())?.length))
  const preflight = await handler(new Request(SUBMIT, { method: 'OPTIONS' }))
  assert.is(preflight?.status, 204)
  assert.is(preflight?.body, null)
  assert.is(preflight?.headers.get('access-control-allow-methods'), 'POST, OPTIONS')
  const put = await handler(new Request(SUBMIT, { method: 'PUT', body: '{}' }))
  assert.is(put?.status, 405)
  assert.is(put?.headers.get('allow'), 'POST, OPTIONS')
})

it('refuses a body that is too long, by what it says and by what it is', async () => {
  const handler = fetchHandler(fakeEngine(), { bodyBytesMax: 1000 })
  const untouched = post(SUBMIT, '{}', { headers: { 'Content-Length': '1001' } })
  assert.is((await handler(untouched))?.status, 413)
  assert.not.ok(untouched.bodyUsed)
  let isCancelled = false
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(bytes('x'.repeat(100))),
    cancel: () => void (isCancelled = true),
  })
  assert.is((await handler(post(SUBMIT, endless)))?.status, 413)
  assert.ok(isCancelled)
  for (const length of ['nonsense', '-1', '1e9', '5, 5', ''])
    assert.is((await handler(post(SUBMIT, '{}', { headers: { 'Content-Length': length } })))?.status, 200, length)
})

it('refuses a body in too many pieces, even if they are empty', async () => {
  const empty = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(new Uint8Array(0)) })
  const response = await fetchHandler(fakeEngine())(post(SUBMIT, empty))
  assert.is(response?.status, 413)
  assert.match(await messageOf(response), 'pieces')
})

it('waits no longer than the time limit for a body', async () => {
  let isCancelled = false
  const silent = new ReadableStream<Uint8Array>({ cancel: () => void (isCancelled = true) })
  const response = await fetchHandler(fakeEngine(), { requestTimeoutMs: 30 })(post(SUBMIT, silent))
  assert.is(response?.status, 408)
  assert.ok(isCancelled)
})

it('asks the engine nothing for a caller who leaves before the body is there, and says 499', async () => {
  const told: HandledRequest[] = []
  const engine = fakeEngine()
  const handler = fetchHandler(engine, { onRequest: (request) => told.push(request) })
  const leaving = new AbortController()
  const silent = new ReadableStream({ pull: () => leaving.abort() }, { highWaterMark: 0 })
  const answer = handler(post(SUBMIT, silent, { signal: leaving.signal }))
  assert.is((await answer)?.status, 499)
  assert.is((await handler(post(SUBMIT, '{}', { signal: AbortSignal.abort() })))?.status, 499)
  const broken = new ReadableStream({ start: (controller) => controller.error(new Error('reset')) })
  assert.is((await handler(post(SUBMIT, broken)))?.status, 499)
  const texts = new ReadableStream({ start: (controller) => controller.enqueue('no bytes') })
  assert.is((await handler(post(SUBMIT, texts)))?.status, 499)
  assert.equal(
    told.map(({ status }) => status),
    [499, 499, 499, 499],
  )
  assert.equal(engine.asked, [])
})

it('tells of a caller who leaves while the engine works', async () => {
  const told: HandledRequest[] = []
  const { engine, waiting, release } = holding()
  const leaving = new AbortController()
  const answer = fetchHandler(engine, { onRequest: (request) => told.push(request) })(
    post(SUBMIT, '{}', { signal: leaving.signal }),
  )
  await until(() => waiting() === 1)
  leaving.abort()
  release()
  await answer
  assert.is(told[0]?.status, 499)
})

it('takes a clone of a request, whether the original is read or not', async () => {
  const engine = fakeEngine()
  const handler = fetchHandler(engine)
  const request = post(SUBMIT, '{"a":1}')
  assert.is((await handler(request.clone()))?.status, 200)
  const clone = request.clone()
  await request.text()
  assert.is((await handler(clone))?.status, 200)
  assert.equal(
    engine.asked.map(({ request }) => textOf(request)),
    ['{"a":1}', '{"a":1}'],
  )
})

it('says that it was mounted too late where somebody has read the body, and tells the operator once', async () => {
  const notices: Notice[] = []
  const engine = fakeEngine()
  const handler = fetchHandler(engine, { onNotice: (notice) => notices.push(notice) })
  const [read, locked] = [post(SUBMIT), post(QUERY)]
  await read.json()
  locked.body?.getReader()
  for (const request of [read, locked]) {
    const response = await handler(request)
    assert.is(response?.status, 500)
    assert.match(await messageOf(response), 'before body parsers')
  }
  assert.equal(
    notices.map(({ level }) => level),
    ['error'],
  )
  assert.match(notices[0]?.message ?? '', 'mount before body parsers')
  assert.is((await handler(new Request(`${HOST}/healthz`)))?.status, 200)
  assert.equal(engine.asked, [])
})

it('takes an empty body for what it is', async () => {
  const engine = fakeEngine()
  assert.is((await fetchHandler(engine)(new Request(SUBMIT, { method: 'POST' })))?.status, 200)
  assert.is(engine.asked[0]?.request.body.length, 0)
})

it('writes failures and bugs as the server does, and tells the host of each request', async () => {
  const told: HandledRequest[] = []
  const onRequest = (request: HandledRequest): void => {
    told.push(request)
    throw new Error('of the host')
  }
  const refused = await fetchHandler(refusing('SIGNATURE_INVALID'), { onRequest })(post(`${SUBMIT}?token=secret`))
  assert.is(refused?.status, 401)
  assert.is(refused?.headers.get('access-control-allow-origin'), '*')
  const bug = new Error('secret of the inside')
  const submit = () => () => Promise.reject(bug)
  const thrown = await fetchHandler(fakeEngine({ submit }), { onRequest, basePath: '/a' })(
    post(SUBMIT.replace('/public', '/a/public')),
  )
  assert.is(thrown?.status, 500)
  assert.match(await messageOf(thrown), /^internal error \([0-9a-f-]{36}\)$/)
  assert.equal(
    told.map(({ requestId }) => requestId),
    [refused, thrown].map((answer) => answer?.headers.get('x-request-id')),
  )
  assert.equal(
    told.map(({ durationMs, thrown: inside, method, path, status, code }) => ({
      method,
      path,
      status,
      code,
      tookTime: durationMs >= 0,
      error: inside?.error,
    })),
    [
      {
        method: 'POST',
        path: new URL(SUBMIT).pathname,
        status: 401,
        code: 'SIGNATURE_INVALID',
        tookTime: true,
        error: undefined,
      },
      {
        method: 'POST',
        path: '/a/public/v1/submit/create_user_tag',
        status: 500,
        code: 'INTERNAL',
        tookTime: true,
        error: bug,
      },
    ],
  )
})

it('refuses options that make no sense', () => {
  assert.throws(() => fetchHandler(fakeEngine(), { bodyBytesMax: 0 }), /bodyBytesMax/)
  assert.throws(() => fetchHandler(fakeEngine(), { basePath: 'countersign' }), /basePath/)
  assert.throws(() => fetchHandler(fakeEngine(), { trustedProxies: ['proxy.local'] }), /trustedProxies/)
})

it.run()
