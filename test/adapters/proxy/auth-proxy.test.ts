import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Json } from '../../../core/failure.ts'
import { until } from '../../until.ts'
import { packagesLoadedBy } from '../../system/tidy/imports.ts'
import { sources } from '../../system/tidy/source.ts'
import { dial, say } from '../http/transport.ts'
import { activity, onProxy, textIn, type Members, type Scene } from './scene.ts'

const it = suite('auth-proxy')

const CODE = { otpType: 'OTP_TYPE_EMAIL', contact: 'ada@example.com' }
const INIT = '/v1/otp_init'
const fieldOf = (json: Members): unknown => {
  const [, second] = json['details'] as readonly Json[] // every refusal has details
  return ((second as Members)['fieldViolations'] as readonly Members[])[0]?.['field']
}

const enemies: readonly (readonly [string, string | Uint8Array, number])[] = [
  ['two meanings', '{"otpType":"OTP_TYPE_EMAIL","contact":"a@example.com","contact":"b@example.com"}', 400],
  ['two meanings by an escape', '{"otpType":"OTP_TYPE_EMAIL","contact":"a@example.com","cont\\u0061ct":"b"}', 400],
  ['a prototype', '{"__proto__":{"contact":"a@example.com"},"otpType":"OTP_TYPE_EMAIL"}', 400],
  ['an end too early', '{"otpType":', 400],
  ['bytes that are no text', new Uint8Array([0x22, 0xff, 0x22]), 400],
  ['a byte order mark', `\uFEFF${JSON.stringify(CODE)}`, 400],
  ['half of a character', '{"contact":"\\ud800"}', 400],
  ['a number that is too large', '{"contact":1e999}', 400],
  ['a form', 'otpType=OTP_TYPE_EMAIL', 400],
  ['a nesting that is too deep', `${'['.repeat(100)}${']'.repeat(100)}`, 413],
  ['too many values', `[${'0,'.repeat(40_000)}0]`, 413],
  ['too many bytes', `{"contact":"${'a'.repeat(200_000)}"}`, 413],
]
for (const [what, body, status] of enemies)
  it(`refuses a body with ${what}`, () =>
    onProxy(async ({ api, tenant, of, post }) => {
      const reply = await post(INIT, body, of(tenant))
      assert.is(reply.status, status)
      assert.is(reply.json['code'], 3)
      assert.ok(api.asked.every(({ path }) => path === 'query/get_auth_proxy_config'))
    }))

const wrong: readonly (readonly [string, Json, string])[] = [
  [INIT, [], ''],
  [INIT, null, ''],
  [INIT, '"text"', ''],
  [INIT, { ...CODE, contact: 5 }, 'contact'],
  [INIT, { ...CODE, contact: ['ada@example.com'] }, 'contact'],
  [INIT, { ...CODE, otpType: 'OTP_TYPE_FAX' }, 'otpType'],
  [INIT, { ...CODE, emailCustomization: 'x' }, 'emailCustomization'],
  [INIT, { otpType: 'OTP_TYPE_EMAIL' }, 'contact'],
  ['/v1/otp_verify', { otpId: 1, otpCode: '123456' }, 'otpId'],
  ['/v1/otp_login', { verificationToken: {}, publicKey: '02' }, 'verificationToken'],
  ['/v1/signup', { apiKeys: {}, authenticators: [], oauthProviders: [] }, 'apiKeys'],
  ['/v1/account', { filterType: 'EVERYBODY', filterValue: 'x' }, 'filterType'],
  ['/v1/oauth2_authenticate', {}, 'provider'],
  ['/v1/wallet_kit_config', [], ''],
]
for (const [path, body, field] of wrong)
  it(`names the field that is wrong in ${path} with ${JSON.stringify(body)}`, () =>
    onProxy(async ({ tenant, of, post }) => {
      const { status, json } = await post(path, body, of(tenant))
      assert.is(status, 400)
      assert.is(json['code'], 3)
      assert.is(fieldOf(json), field)
    }))

it('takes no body that never ends', () =>
  onProxy(async ({ url, tenant }) => {
    const line = dial(url)
    const headers = ['Host: test', `X-Auth-Proxy-Config-Id: ${tenant.id}`, 'Transfer-Encoding: chunked']
    line.send(`POST ${INIT} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`)
    for (let chunks = 0; chunks < 20; chunks += 1) line.send(`4000\r\n${'x'.repeat(0x4000)}\r\n`) // and no last one
    const [reply] = await line.closed
    assert.is(reply?.status, 413)
  }))

it('reads no body of a page whose origin is not allowed', () =>
  onProxy(async ({ url, api, tenant }) => {
    api.configure(tenant.id, { allowedOrigins: ['https://app.example.com'] })
    const headers = [`X-Auth-Proxy-Config-Id: ${tenant.id}`, 'Origin: https://evil.example.com']
    const begin = [`POST ${INIT} HTTP/1.1`, 'Host: test', 'Content-Length: 1000', ...headers, '', '{'].join('\r\n')
    const line = dial(url)
    line.send(begin) // and nothing more
    const reply = await until(() => line.replies()[0])
    line.socket.destroy()
    assert.is(reply.status, 403)
    assert.is(reply.body, '{"code":7,"message":"origin not allowed","details":[]}')
  }))

it('takes one configuration only', () =>
  onProxy(async ({ url, tenant, other }) => {
    const ids = [tenant, other].map(({ id }) => `X-Auth-Proxy-Config-Id: ${id}`)
    const head = ['POST /v1/wallet_kit_config HTTP/1.1', 'Host: test', 'Content-Length: 2', ...ids, 'Connection: close']
    const [reply] = await say(url, [...head, '', '{}'].join('\r\n'))
    assert.is(reply?.status, 404)
  }))

const SENT = activity('COMPLETED', { result: { initOtpResult: { otpId: 'otp' } } })
const methods: readonly (readonly [Json, number])[] = [
  [['email'], 200],
  [['passkey', 'sms'], 403],
  [[], 403],
]
for (const [allowed, status] of methods)
  it(`answers ${status} to a code by mail where ${JSON.stringify(allowed)} are allowed`, () =>
    onProxy(async ({ api, tenant, of, post }) => {
      api.configure(tenant.id, { allowedAuthMethods: allowed })
      api.says.set('submit/init_otp', SENT)
      assert.is((await post(INIT, CODE, of(tenant))).status, status)
    }))

const order: readonly (readonly [
  string,
  (scene: Scene) => void,
  { readonly [name: string]: string },
  number,
  string,
])[] = [
  ['the header', () => undefined, { 'X-Auth-Proxy-Config-ID': '' }, 400, 'X-Auth-Proxy-Config-Id header is required'],
  [
    'whether it is enabled',
    ({ api, tenant }) => api.configure(tenant.id, null),
    {},
    403,
    'the auth proxy is disabled for this configuration',
  ],
  [
    'the origin',
    ({ api, tenant }) =>
      api.configure(tenant.id, { allowedOrigins: ['https://app.example.com'], captchaEnabled: true }),
    { Origin: 'https://evil.example.com' },
    403,
    'origin not allowed',
  ],
  [
    'the captcha',
    ({ api, tenant }) => api.configure(tenant.id, { captchaEnabled: true }),
    {},
    400,
    'X-Captcha-Token header is required when captcha is enabled',
  ],
]
for (const [what, given, headers, status, message] of order)
  it(`looks at ${what} before it reads the body`, () =>
    onProxy(
      async (scene) => {
        given(scene)
        const { of, tenant, post } = scene
        const reply = await post(INIT, '{"two":1,"two":2}', { ...of(tenant), ...headers })
        assert.is(reply.status, status)
        assert.is(reply.json['message'], message)
      },
      { captcha: { url: 'http://127.0.0.1:1/', secret: 'secret', siteKey: 'site' } },
    ))

it('has no other paths', () =>
  onProxy(async ({ url, send, post, tenant, of, api }) => {
    for (const path of [
      '/',
      '/v1',
      '/v1/',
      '/v1/constructor',
      '/v1/otp_init/',
      '/public/v1/submit/create_users',
      '/metrics',
    ])
      assert.is((await post(path, {}, of(tenant))).status, 404, `${url}${path}`)
    assert.is((await send('GET', INIT, of(tenant))).status, 405)
    assert.is(api.asked.length, 0)
  }))

it('counts requests by path and status, and nothing else', () =>
  onProxy(
    async ({ api, tenant, of, post, send }) => {
      api.says.set('submit/init_otp', SENT)
      await post(INIT, CODE, of(tenant))
      await post('/v1/ada@example.com', CODE, of(tenant))
      const { text } = await send('GET', '/metrics')
      assert.match(text, 'countersign_auth_proxy_requests_total{path="/v1/otp_init",status="200"} 1')
      assert.match(text, 'countersign_auth_proxy_requests_total{path="other",status="404"} 1')
      assert.not.match(text, 'ada@example.com')
    },
    { metrics: true },
  ))

it('tells a log nothing of what it was asked', () =>
  onProxy(async ({ api, tenant, of, post, requests }) => {
    api.says.set('submit/init_otp', SENT)
    await post(INIT, CODE, { ...of(tenant), 'X-Captcha-Token': 'captcha-token' })
    await post('/v1/otp_verify', { otpId: 'otp', otpCode: '987654' }, of(tenant))
    assert.is(requests.length, 2)
    assert.not.match(JSON.stringify(requests), /ada@|987654|captcha-token/)
  }))

it('answers a hundred requests at once, each by its own tenant', () =>
  onProxy(async ({ api, tenant, other, of, post }) => {
    api.says.set('submit/init_otp', ({ body }) =>
      activity('COMPLETED', { result: { initOtpResult: { otpId: textIn(body, 'organizationId') } } }),
    )
    const all = Array.from({ length: 100 }, (_, at) => (at % 2 === 0 ? tenant : other))
    const replies = await Promise.all(all.map((one) => post(INIT, CODE, of(one))))
    assert.equal(
      replies.map(({ json }) => json['otpId']),
      all.map(({ id }) => id),
    )
  }))

it('has no database, and keeps nothing in files', () => {
  const all = sources('.')
  const loaded = packagesLoadedBy(all, 'adapters/proxy/proxy-server.ts')
  const kept = ['libsql', 'pg', '@eventstore/db-client', 'node:fs', 'node:fs/promises'].filter((name) =>
    loaded.has(name),
  )
  assert.equal(kept, [])
})

it.run()
