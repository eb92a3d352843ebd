import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isAllowed } from '../../../adapters/proxy/origins.ts'
import { onProxy, type Reply } from './scene.ts'

const it = suite('origins')

const APP = 'https://app.example.com'
const CONFIG = '/v1/wallet_kit_config'
const CORS = ['access-control-allow-origin', 'access-control-expose-headers', 'access-control-allow-credentials']
const corsOf = ({ headers }: Reply): readonly unknown[] => CORS.map((name) => headers[name])

const strangers: readonly (readonly [string, string])[] = [
  ['another host', 'https://evil.example.com'],
  ['a host above', 'https://example.com'],
  ['a host below', 'https://x.app.example.com'],
  ['a host that begins alike', 'https://app.example.com.evil.example'],
  ['another port', `${APP}:8443`],
  ['another scheme', 'http://app.example.com'],
  ['the port of another scheme', `${APP}:80`],
  ['a page without an origin', 'null'],
  ['a path', `${APP}/`],
  ['two origins', `${APP}, https://evil.example.com`],
  ['a user in it', 'https://app.example.com@evil.example.com'],
  ['a pattern', 'https://*.example.com'],
  ['any', '*'],
  ['nothing', ''],
]

for (const [what, origin] of strangers)
  it(`refuse ${what}, and let no page read why`, () =>
    onProxy(async ({ api, tenant, of, post }) => {
      api.configure(tenant.id, { allowedOrigins: [APP] })
      const reply = await post(CONFIG, {}, of(tenant, origin))
      assert.is(reply.status, 403)
      assert.is(reply.text, '{"code":7,"message":"origin not allowed","details":[]}')
      assert.equal(corsOf(reply), [undefined, undefined, undefined])
      assert.is(reply.headers['vary'], 'Origin')
    }))

it('let pages of an allowed origin read every answer, errors too', () =>
  onProxy(async ({ api, tenant, of, post }) => {
    api.configure(tenant.id, { allowedOrigins: ['https://other.example.com:8443', APP] })
    for (const [path, body, status] of [
      [CONFIG, {}, 200],
      ['/v1/otp_init', {}, 400],
      ['/v1/otp_init', '{', 400],
      ['/v1/otp_init', 'x'.repeat(200_000), 413],
    ] as const) {
      const reply = await post(path, body, of(tenant, APP))
      assert.is(reply.status, status)
      assert.is(reply.headers['access-control-allow-origin'], APP)
      assert.is(reply.headers['vary'], 'Origin')
      assert.is(reply.headers['access-control-allow-credentials'], undefined)
    }
  }))

it('are compared without case of scheme and host, and without the default port', () => {
  for (const origin of [APP, 'HTTPS://App.Example.com', `${APP}:443`]) assert.ok(isAllowed(origin, [APP], false))
  assert.ok(isAllowed('http://localhost:80', ['http://localhost'], false))
  assert.not(isAllowed('http://localhost:443', ['http://localhost'], false))
})

it('allow a page without an origin only where all are allowed', () => {
  assert.ok(isAllowed('null', ['*'], false))
  assert.not(isAllowed('null', ['null'], false))
})

it('need not be named by programs that are no pages, unless they are required', () =>
  onProxy(async ({ api, tenant, of, post }) => {
    api.configure(tenant.id, { allowedOrigins: [APP] })
    const reply = await post(CONFIG, {}, of(tenant))
    assert.is(reply.status, 200)
    assert.is(reply.headers['access-control-allow-origin'], undefined)
  }))

it('are required where the operator wants it', () =>
  onProxy(
    async ({ tenant, of, post }) => {
      assert.is((await post(CONFIG, {}, of(tenant))).json['message'], 'origin not allowed')
      assert.is((await post(CONFIG, {}, of(tenant, APP))).status, 200)
    },
    { requireOrigin: true },
  ))

it('may read that a configuration is missing, unknown or disabled', () =>
  onProxy(async ({ api, tenant, of, post }) => {
    api.configure(tenant.id, null)
    const unknown = { 'X-Auth-Proxy-Config-Id': '00000000-0000-4000-8000-000000000000', Origin: APP }
    for (const [headers, status] of [
      [{ Origin: APP }, 400],
      [unknown, 404],
      [of(tenant, APP), 403],
    ] as const) {
      const reply = await post(CONFIG, {}, headers)
      assert.is(reply.status, status)
      assert.is(reply.headers['access-control-allow-origin'], APP)
    }
  }))

it('may all ask before they post, because that does not name the tenant', () =>
  onProxy(async ({ api, send }) => {
    const asked = { Origin: APP, 'Access-Control-Request-Headers': 'Content-Type, X-Trace-Id,x-auth-proxy-config-id' }
    const reply = await send('OPTIONS', '/v1/signup', asked)
    assert.is(reply.status, 204)
    assert.is(reply.text, '')
    assert.is(reply.headers['access-control-allow-origin'], APP)
    assert.is(reply.headers['vary'], 'Origin')
    assert.is(reply.headers['access-control-allow-methods'], 'POST, OPTIONS')
    assert.is(
      reply.headers['access-control-allow-headers'],
      'content-type, x-auth-proxy-config-id, x-captcha-token, x-trace-id',
    )
    assert.is(reply.headers['access-control-max-age'], '600')
    assert.is(reply.headers['access-control-allow-credentials'], undefined)
    assert.is(api.asked.length, 0)
  }))

it('get no header that they did not name by its name', () =>
  onProxy(async ({ send }) => {
    for (const names of ['x y', 'x-a;q=1', 'x-a,,x-b', `x-${'a'.repeat(70)}`, Array(40).fill('x-a').join(',')]) {
      const reply = await send('OPTIONS', '/v1/signup', { Origin: APP, 'Access-Control-Request-Headers': names })
      assert.is(reply.headers['access-control-allow-headers'], 'content-type, x-auth-proxy-config-id, x-captcha-token')
    }
  }))

it.run()
