import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { httpHandler } from '../../../adapters/http/index.ts'
import type { JsonObject } from '../../../core/codec/codec.ts'
import { failure } from '../../../core/failure.ts'
import { TE } from '../../../core/prelude.ts'
import { getActivity } from '../../../core/resources/activity/get-activity.ts'
import { renderActivity } from '../../../core/view/activity-view.ts'
import { anyView, fakeEngine, refusing, textOf } from './fake-engine.ts'
import { hosting, json, post, say, serving } from './transport.ts'

const it = suite('the public API over HTTP')

const SUBMIT = '/public/v1/submit/create_user_tag'
const QUERY = '/public/v1/query/get_activity'

it('hands the operation, the raw body, the stamp and the address to submit', async () => {
  const engine = fakeEngine()
  const body = '{ "b":1,\n"a":"\u00e4" }'
  await serving(engine, {}, async (url) => {
    const reply = await fetch(url + SUBMIT, {
      method: 'POST',
      body,
      headers: { 'X-Stamp': 'abc', Authorization: 'no' },
    })
    assert.is(reply.status, 200)
    assert.is(reply.headers.get('content-type'), 'application/json')
    const { activity } = (await reply.json()) as { activity: { intent: unknown; timestampMs: string } }
    assert.equal(activity.intent, { text: body })
    assert.is(activity.timestampMs, '1763599999999')
  })
  const [asked] = engine.asked
  assert.is(asked?.operation, 'create_user_tag')
  assert.equal(asked?.request.headers, { 'x-stamp': 'abc' })
  assert.is(asked?.request.address, '127.0.0.1')
})

it('answers a query with what the engine says', async () => {
  await serving(fakeEngine(), {}, async (url) => {
    const reply = await fetch(url + QUERY, { method: 'POST', body: '{"organizationId":"x"}' })
    assert.is(reply.status, 200)
    assert.is(reply.headers.get('content-type'), 'application/json')
    assert.equal(await reply.json(), { text: '{"organizationId":"x"}' })
  })
})

it('asks for no header: neither a content type nor a stamp', async () => {
  const engine = fakeEngine()
  await serving(engine, {}, async (url) => {
    const [reply] = await say(url, post(SUBMIT, '{}'))
    assert.is(reply?.status, 200)
  })
  assert.equal(engine.asked[0]?.request.headers, {})
})

it('hands over a stamp that was sent twice as two, of whatever kind', async () => {
  const engine = fakeEngine()
  await serving(engine, {}, async (url) => {
    await say(url, post(SUBMIT, '{}', ['X-Stamp: one', 'x-stamp: two', 'X-STAMP: three', 'X-Session: s']))
    await say(url, post(SUBMIT, '{}', ['X-Stamp-Webauthn: w', 'X-Stamp-Attested: a']))
    await say(url, post(SUBMIT, '{}', [...Array.from({ length: 2100 }, () => 'a:'), 'X-Stamp: 1', 'X-Stamp: 2']))
  })
  assert.equal(
    engine.asked.map(({ request }) => request.headers),
    [
      { 'x-stamp': ['one', 'two', 'three'], 'x-session': 's' },
      { 'x-stamp-webauthn': 'w', 'x-stamp-attested': 'a' },
      { 'x-stamp': ['1', '2'] },
    ],
  )
})

it('hands over all stamps in their order, as many as fit into the headers', async () => {
  const engine = fakeEngine()
  const stamps = Array.from({ length: 1200 }, (_, n) => String(n))
  const headers = stamps.map((stamp) => `X-Stamp:${stamp}`)
  await serving(engine, {}, async (url) => void (await say(url, post(SUBMIT, '{}', headers))))
  assert.equal(engine.asked[0]?.request.headers, { 'x-stamp': stamps })
})

it('takes a base URL that ends in a slash, and the absolute form', async () => {
  await serving(fakeEngine(), {}, async (url) => {
    assert.is((await fetch(`${url}/${SUBMIT}`, { method: 'POST', body: '{}' })).status, 200)
    assert.is((await say(url, post(`http://test${QUERY}`)))[0]?.status, 200)
  })
})

it('writes a failure as the clients of the API read it', async () => {
  const details = [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: [] }]
  await serving(refusing('REQUEST_INVALID', 'expected a name', details), {}, async (url) => {
    for (const path of [SUBMIT, QUERY]) {
      const reply = await fetch(url + path, { method: 'POST', body: '{}' })
      assert.is(reply.status, 400)
      assert.is(reply.headers.get('content-type'), 'application/json')
      assert.equal(await reply.json(), {
        code: 3,
        message: 'expected a name',
        details: [
          { '@type': 'type.googleapis.com/errors.v1.TurnkeyErrorDetail', turnkeyErrorCode: 'REQUEST_INVALID' },
          ...details,
        ],
        turnkeyErrorCode: 'REQUEST_INVALID',
      })
    }
  })
})

it('says when to come back where that helps', async () => {
  await serving(refusing('UNAVAILABLE'), {}, async (url) => {
    const reply = await fetch(url + SUBMIT, { method: 'POST', body: '{}' })
    assert.is(reply.status, 503)
    assert.is(reply.headers.get('retry-after'), '1')
    assert.is(reply.headers.get('access-control-expose-headers'), 'Retry-After, X-Request-Id')
  })
  await serving(refusing('ORGANIZATION_CLOSED'), {}, async (url) => {
    const reply = await fetch(url + SUBMIT, { method: 'POST', body: '{}' })
    assert.is(reply.status, 503)
    assert.ok(reply.headers.has('retry-after'))
  })
})

it('answers 404 for a path that it does not know, and 405 with the methods for one that it does', async () => {
  await serving(fakeEngine(), {}, async (url) => {
    const unknown = await fetch(`${url}/public/v1/delete/everything`, { method: 'POST', body: '{}' })
    assert.is(unknown.status, 404)
    assert.is(((await unknown.json()) as { code: number }).code, 5)

    for (const [path, method, allow] of [
      [SUBMIT, 'GET', 'POST, OPTIONS'],
      [SUBMIT, 'HEAD', 'POST, OPTIONS'],
      [QUERY, 'PUT', 'POST, OPTIONS'],
      ['/healthz', 'POST', 'GET, HEAD, OPTIONS'],
    ] as const) {
      const reply = await fetch(url + path, { method })
      assert.is(reply.status, 405, `${method} ${path}`)
      assert.is(reply.headers.get('allow'), allow)
      assert.is(reply.headers.get('content-type'), 'application/json')
    }
  })
})

it('tells that the process lives, whether it is ready, and what it is', async () => {
  await serving(fakeEngine(), {}, async (url) => {
    assert.equal(await (await fetch(`${url}/healthz`)).json(), { status: 'ok' })
    assert.equal(await (await fetch(`${url}/readyz`)).json(), { status: 'ready' })
    assert.equal(await (await fetch(url)).json(), {
      service: 'countersign',
      api: '/public/v1',
      openapi: '/openapi.json',
      keys: '/public/v1/discovery/keys',
    })
    assert.is((await fetch(`${url}/healthz`)).headers.get('cache-control'), 'no-store')
    assert.is((await fetch(`${url}/healthz`, { method: 'HEAD' })).status, 200)
  })
  await serving(refusing('STORE_UNREADABLE'), {}, async (url) => {
    assert.is((await fetch(`${url}/healthz`)).status, 200)
    const reply = await fetch(`${url}/readyz`)
    assert.is(reply.status, 503)
    assert.is(((await reply.json()) as { code: number }).code, 13)
  })
})

it('lets pages of every origin call it, without cookies', async () => {
  await serving(refusing('SIGNATURE_MISSING'), {}, async (url) => {
    const preflight = await fetch(url + SUBMIT, {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://app.example.com',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'x-stamp,content-type',
      },
    })
    assert.is(preflight.status, 204)
    assert.is(preflight.headers.get('access-control-allow-origin'), '*')
    assert.is(preflight.headers.get('access-control-allow-methods'), 'POST, OPTIONS')
    assert.is(
      preflight.headers.get('access-control-allow-headers'),
      'X-Stamp, X-Stamp-WebAuthn, X-Stamp-Attested, X-Session, X-Client-Version, Content-Type, Accept, ' +
        'X-Auth-Proxy-Config-Id, X-Captcha-Token',
    )
    assert.not.ok(preflight.headers.has('access-control-allow-credentials'))
    assert.is(await preflight.text(), '')

    const refused = await fetch(url + SUBMIT, { method: 'POST', body: '{}', headers: { Origin: 'null' } })
    assert.is(refused.status, 401)
    assert.is(refused.headers.get('access-control-allow-origin'), '*')
    const unknown = await fetch(`${url}/nowhere`, { method: 'POST', body: '{}' })
    assert.is(unknown.headers.get('access-control-allow-origin'), '*')
  })
})

it('writes the times of activities as text, but for clients that read objects', async () => {
  const shown = TE.right({ activity: renderActivity(anyView()) as JsonObject }) // its members are JSON
  const engine = fakeEngine({ queries: [getActivity], query: () => shown })
  const asked = async (url: string, ...headers: readonly string[]): Promise<unknown> => {
    const [reply] = await say(url, post(QUERY, '{}', headers))
    const { activity } = JSON.parse(reply?.body ?? '') as { readonly activity: { readonly createdAt: unknown } }
    return activity.createdAt
  }
  const [text, object] = ['2025-11-20T00:53:20.123Z', { seconds: '1763600000', nanos: '123000000' }]
  await serving(engine, {}, async (url) => {
    assert.is(await asked(url, 'User-Agent: curl/8'), text)
    assert.equal(await asked(url, 'X-Client-Version: @turnkey/http@6.6.0'), object)
    assert.equal(await asked(url, 'User-Agent: turnkey-go/2'), object)
    assert.is(await asked(url, 'User-Agent: not-turnkey-'), text)
    assert.is(await asked(url), text)
  })
  await serving(engine, { activityTimestamps: 'object' }, async (url) => assert.equal(await asked(url), object))
})

it('believes a trusted proxy about the address', async () => {
  const engine = fakeEngine()
  await serving(engine, { trustedProxies: ['127.0.0.0/8'] }, async (url) => {
    await say(url, post(SUBMIT, '{}', ['X-Forwarded-For: 192.0.2.9', 'X-Forwarded-For: 203.0.113.7']))
  })
  const trusting = fakeEngine()
  await serving(
    trusting,
    {},
    async (url) => void (await say(url, post(SUBMIT, '{}', ['X-Forwarded-For: 203.0.113.7']))),
  )
  assert.is(engine.asked[0]?.request.address, '203.0.113.7')
  assert.is(trusting.asked[0]?.request.address, '127.0.0.1')
})

it('gives each of many callers at once its own answer', async () => {
  const engine = fakeEngine({
    submit: (_, request) => async () => {
      for (let left = Math.random() * 10; left > 0; left -= 1) await new Promise((resolve) => setImmediate(resolve))
      const text = textOf(request)
      return (text.endsWith('7"}') ? TE.left(failure('CONFLICT', text)) : TE.right(anyView({ intent: { text } })))()
    },
  })
  await serving(engine, {}, async (url) => {
    await Promise.all(
      Array.from({ length: 300 }, async (_, n) => {
        const body = JSON.stringify({ n: `${n}` })
        const reply = await fetch(url + SUBMIT, { method: 'POST', body })
        const answer = (await reply.json()) as { message?: string; activity?: { intent: { text: string } } }
        assert.is(answer.message ?? answer.activity?.intent.text, body)
        assert.is(reply.status, n % 10 === 7 ? 409 : 200)
      }),
    )
  })
})

it('serves inside a server that the host has', async () => {
  await hosting(httpHandler(fakeEngine()), async (url) => {
    assert.is((await fetch(url + SUBMIT, { method: 'POST', body: '{}' })).status, 200)
    const [waited] = await say(url, post(SUBMIT, '{}', ['Expect: 100-continue']))
    assert.is(waited?.status, 100)
    assert.is(json((await say(url, post(SUBMIT, 'x'.repeat(2 ** 21))))[0]).code, 3)
  })
})

it('refuses options that make no sense', () => {
  assert.throws(() => httpHandler(fakeEngine(), { bodyBytesMax: 0 }), /bodyBytesMax: expected a positive whole number/)
  assert.throws(() => httpHandler(fakeEngine(), { requestsInFlightMax: Number.NaN }), /requestsInFlightMax/)
  assert.throws(() => httpHandler(fakeEngine(), { trustedProxies: ['proxy.local'] }), /trustedProxies/)
})

it.run()
