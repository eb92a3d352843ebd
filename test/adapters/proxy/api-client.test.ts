import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { apiClient } from '../../../adapters/proxy/api-client.ts'
import { failureOf } from '../../../core/countersign-error.ts'
import type { Json } from '../../../core/failure.ts'
import { until } from '../../until.ts'
import { activity, onProxy, refusedBy, type Members, type Reply, type Scene, type Told } from './scene.ts'

const it = suite('api-client')

const CODE = { otpType: 'OTP_TYPE_EMAIL', contact: 'ada@example.com' }
const begun = ({ post, of, tenant }: Scene): Promise<Reply> => post('/v1/otp_init', CODE, of(tenant))
const SENT = activity('COMPLETED', { result: { initOtpResult: { otpId: 'otp' } } })

it('sends what the API is asked for, stamped by the key of the tenant', () =>
  onProxy(async (scene) => {
    scene.api.says.set('submit/init_otp', SENT)
    assert.equal((await begun(scene)).json, { otpId: 'otp' })
    const [, asked] = scene.api.asked
    if (asked === undefined) throw new Error('expected two questions')
    const { path, body, publicKey } = asked
    assert.is(path, 'submit/init_otp')
    assert.is(publicKey, scene.tenant.key.publicKey) // the stamp fits the bytes that came
    assert.equal(Object.keys(body), ['type', 'timestampMs', 'organizationId', 'parameters'])
    assert.is(body['organizationId'], scene.tenant.id)
  }))

it('never sends two requests with one time, because equal bytes would be one activity', () =>
  onProxy(async (scene) => {
    scene.api.says.set('submit/init_otp', SENT)
    await Promise.all([begun(scene), begun(scene), begun(scene)])
    const times = scene.api.asked.flatMap(({ body }) => body['timestampMs'] ?? [])
    assert.is(new Set(times).size, 3)
  }))

it('waits for the end of an activity', () =>
  onProxy(async (scene) => {
    let asks = 0
    scene.api.says.set('submit/init_otp', activity('PENDING'))
    scene.api.says.set('query/get_activity', ({ body, publicKey }) => {
      assert.equal(body, { organizationId: scene.tenant.id, activityId: 'one' })
      assert.is(publicKey, scene.tenant.key.publicKey)
      asks += 1
      return asks < 3 ? activity('PENDING') : SENT
    })
    assert.equal((await begun(scene)).json, { otpId: 'otp' })
    assert.is(asks, 3)
  }))

const refusals: readonly (readonly [string, number, number, string, string])[] = [
  ['a wrong code', 400, 3, 'REQUEST_INVALID', 'Invalid OTP code'],
  ['too many codes', 429, 8, 'MAX_OTP_INITIATED', 'Max number of OTPs have been initiated'],
  ['a method that is switched off', 403, 7, 'REQUEST_NOT_AUTHORIZED', 'OAUTH disallowed'],
  ['an API that is closed for a while', 503, 14, 'INTERNAL', 'the organization takes no commands'],
  ['a code that only a newer API has', 409, 6, 'SOMETHING_NEW', 'there is one already'],
]
for (const [what, status, code, wire, message] of refusals)
  it(`passes on ${what}: body, status and texts unchanged`, () =>
    onProxy(async (scene) => {
      const told = refusedBy(status, code, wire, message, { 'Retry-After': '7' })
      scene.api.says.set('submit/init_otp', told)
      const reply = await begun(scene)
      assert.is(reply.status, status)
      assert.is(reply.text, (told as { readonly raw: string }).raw)
      assert.is(reply.headers['retry-after'], '7')
    }))

it('passes on the failure of an activity as if it had been refused', () =>
  onProxy(async (scene) => {
    const failure = { code: 3, message: 'Invalid OTP code', details: [{ '@type': 'x', reason: 'y' }] }
    scene.api.says.set('submit/init_otp', activity('FAILED', { failure }))
    const { status, json } = await begun(scene)
    assert.is(status, 400)
    assert.is(json['code'], 3)
    assert.is(json['message'], 'Invalid OTP code')
    assert.ok((json['details'] as readonly Json[]).some((one) => (one as Members)['reason'] === 'y'))
  }))

for (const status of ['CONSENSUS_NEEDED', 'AUTHENTICATORS_NEEDED', 'REJECTED', 'SOMETHING_NEW'])
  it(`refuses an activity that ends as ${status}`, () =>
    onProxy(async (scene) => {
      scene.api.says.set('submit/init_otp', activity(status))
      const reply = await begun(scene)
      assert.is(reply.status, 403)
      assert.is(reply.json['code'], 7)
    }))

const strange: readonly (readonly [string, Told])[] = [
  ['a page', { raw: '<html>', status: 200 }],
  ['a page with an error', { raw: '<html>', status: 500 }],
  ['an error in another form', { raw: '{"error":"no"}', status: 400 }],
  ['nothing', { raw: '', status: 200 }],
  ['a redirect', { raw: '', status: 307, headers: { Location: 'http://127.0.0.1:1/' } }],
  ['no content', { raw: '', status: 204 }],
  ['an activity without a status', { activity: { id: 'one' } }],
  ['a result without its member', activity('COMPLETED', { result: { otherResult: {} } })],
  ['a result that is a list', activity('COMPLETED', { result: { initOtpResult: [] } })],
  ['a failed activity without a failure', { activity: { status: 'ACTIVITY_STATUS_FAILED' } }],
  ['more than anybody reads', { raw: `"${'x'.repeat(9 * 1024 * 1024)}"`, status: 200 }],
]
for (const [what, told] of strange)
  it(`answers 502 where the API gives ${what}`, () =>
    onProxy(async (scene) => {
      scene.api.says.set('submit/init_otp', told)
      const reply = await begun(scene)
      assert.is(reply.status, 502)
      assert.is(reply.json['code'], 14)
      assert.not.match(reply.text, /127\.0\.0\.1/)
    }))

it('answers 502 while the API is dead, and goes on when it is back', () =>
  onProxy(async (scene) => {
    scene.api.says.set('submit/init_otp', SENT)
    assert.is((await begun(scene)).status, 200)
    await scene.api.stop()
    const reply = await begun(scene)
    assert.is(reply.status, 502)
    assert.is(reply.json['message'], 'the API cannot be reached')
    assert.is((await scene.send('GET', '/readyz')).status, 503)
    assert.is((await scene.send('GET', '/healthz')).status, 200)
    scene.clock.pass(30_000)
    assert.is((await begun(scene)).status, 502) // also for the configuration
    await scene.api.start()
    assert.is((await begun(scene)).status, 200)
    assert.is((await scene.send('GET', '/readyz')).status, 200)
  }))

for (const path of ['query/get_auth_proxy_config', 'submit/init_otp', 'query/get_activity'])
  it(`answers 504 when the API hangs at ${path}, and goes on afterwards`, () => {
    let limit = new AbortController()
    return onProxy(
      async (scene) => {
        scene.api.says.set('submit/init_otp', path === 'query/get_activity' ? activity('PENDING') : SENT)
        scene.api.says.set(path, 'nothing')
        const reply = begun(scene)
        await until(() => scene.api.asked.some((asked) => asked.path === path))
        limit.abort()
        assert.is((await reply).status, 504)
        assert.is((await reply).json['code'], 14)
        limit = new AbortController()
        scene.api.says.delete(path)
        scene.api.says.set('submit/init_otp', SENT)
        assert.is((await begun(scene)).status, 200)
      },
      { timeLimit: () => limit.signal },
    )
  })

for (const url of [
  '',
  'countersign',
  'ftp://countersign.example.com',
  'https://user:secret@example.com',
  'https://a/?b',
])
  it(`takes no URL such as "${url}"`, () =>
    assert.throws(() => apiClient({ url, fetch, nowMs: () => 0, pause: async () => undefined }), TypeError))

it('gives the proofs of an activity where they are wanted', async () => {
  const answer = {
    activity: { id: 'one', status: 'ACTIVITY_STATUS_COMPLETED', result: { made: { a: 1 } }, appProofs: [{}] },
  }
  const send = (async () => new Response(JSON.stringify(answer))) as typeof fetch // it is called with nothing else
  const api = apiClient({ url: 'http://api.test', fetch: send, nowMs: () => 0, pause: async () => undefined })
  const asking = { stamper: () => ({ name: 'X-Stamp', value: '' }), signal: new AbortController().signal }
  const wanted = { type: 'T', path: 'make', organizationId: 'o', parameters: {}, resultName: 'made' }
  assert.equal(await api.submit(asking, wanted), { a: 1 })
  assert.equal(await api.submit(asking, { ...wanted, withProofs: true }), { a: 1, appProofs: [{}] })
})

it('tells nobody where the API is', async () => {
  const send = (async () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.1:8080'))) as typeof fetch // as above
  const api = apiClient({ url: 'http://api.test', fetch: send, nowMs: () => 0, pause: async () => undefined })
  const thrown: unknown = await api.mustBeReady(new AbortController().signal).catch((error: unknown) => error)
  assert.equal(failureOf(thrown), { code: 'UNAVAILABLE', message: 'the API cannot be reached' })
  assert.is((thrown as Error).cause, undefined)
})

it.run()
