import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { configurations } from '../../../adapters/proxy/configurations.ts'
import { failureOf } from '../../../core/countersign-error.ts'
import { refuse } from '../../../core/definition/refuse.ts'
import type { Json } from '../../../core/failure.ts'
import { activity, onProxy, refusedBy, type Members } from './scene.ts'

const it = suite('configurations')

const ID = '11111111-1111-4111-8111-111111111111'
const CONFIG = '/v1/wallet_kit_config'
const configuration = (more: Members = {}): Members => ({
  ...{ configId: ID, organizationId: ID, organizationName: 'Default', isEnabled: true, allowedOrigins: ['*'] },
  ...{ publicKey: '02aa', encryptedApiKey: { encappedPublic: '04', ciphertext: '00' }, ...more },
})

const known = (answer: () => Json | Promise<Json>) => {
  let nowMs = 0
  let asks = 0
  const found = configurations({
    nowMs: () => nowMs,
    ask: async () => {
      asks += 1
      return answer()
    },
  })
  return { ...found, pass: (ms: number) => void (nowMs += ms), asks: () => asks }
}
const codeOf = (found: Promise<unknown>): Promise<string> =>
  found.then(
    () => 'found',
    (error: unknown) => failureOf(error)?.code ?? 'a bug',
  )

it('are kept for 30 seconds', async () => {
  const { find, pass, asks } = known(() => ({ authProxyConfig: configuration() }))
  await find(ID)
  pass(29_999)
  await find(ID)
  assert.is(asks(), 1)
  pass(1)
  await find(ID)
  assert.is(asks(), 2)
})

it('are not kept longer because a clock goes back', async () => {
  const { find, pass, asks } = known(() => ({ authProxyConfig: configuration() }))
  await find(ID)
  pass(-1_000)
  await find(ID)
  assert.is(asks(), 2)
})

it('are asked for once by all who wait', async () => {
  const { find, isAtHand, asks } = known(() => ({ authProxyConfig: configuration() }))
  const all = [find(ID), find(ID), find(ID)]
  assert.ok(isAtHand(ID))
  await Promise.all(all)
  assert.is(asks(), 1)
})

it('that are not there are kept for 5 seconds', async () => {
  const { find, pass, asks } = known(() => {
    throw refuse('ORGANIZATION_NOT_FOUND', 'organization not found')
  })
  assert.is(await codeOf(find(ID)), 'RESOURCE_NOT_FOUND')
  assert.is(await codeOf(find(ID)), 'RESOURCE_NOT_FOUND')
  assert.is(asks(), 1)
  pass(5_000)
  await codeOf(find(ID))
  assert.is(asks(), 2)
})

it('are never used longer because the API is away', async () => {
  let isAway = false
  const { find, pass } = known(() => {
    if (isAway) throw refuse('UNAVAILABLE', 'away')
    return { authProxyConfig: configuration() }
  })
  await find(ID)
  isAway = true
  assert.is(await codeOf(find(ID)), 'found')
  pass(30_000)
  assert.is(await codeOf(find(ID)), 'UNAVAILABLE')
  isAway = false
  assert.is(await codeOf(find(ID)), 'found')
})

const strange: readonly (readonly [string, Json])[] = [
  ['of another organization', { authProxyConfig: configuration({ organizationId: ID.replace('1', '2') }) }],
  ['with another id', { authProxyConfig: configuration({ configId: ID.replace('1', '2') }) }],
  ['without a key', { authProxyConfig: configuration({ encryptedApiKey: null }) }],
  ['without origins', { authProxyConfig: configuration({ allowedOrigins: null }) }],
  ['with settings of other types', { authProxyConfig: configuration({ otpLength: '6' }) }],
  ['in another form', []],
]
for (const [what, answer] of strange)
  it(`${what} are not used`, async () => assert.is(await codeOf(known(() => answer).find(ID)), 'UNAVAILABLE'))

it('serve nobody but their own tenant', () =>
  onProxy(async ({ api, clock, tenant, other, of, post }) => {
    api.configure(tenant.id, { organizationName: 'Default', otpLength: 6 })
    api.says.set('submit/init_otp', ({ publicKey }) =>
      activity('COMPLETED', { result: { initOtpResult: { otpId: publicKey } } }),
    )
    const code = { otpType: 'OTP_TYPE_EMAIL', contact: 'ada@example.com' }
    const [first, second] = await Promise.all([tenant, other].map((one) => post('/v1/otp_init', code, of(one))))
    assert.is(first?.json['otpId'], tenant.key.publicKey)
    assert.is(second?.json['otpId'], other.key.publicKey)
    const lengths = async () =>
      Promise.all([tenant, other].map(async (one) => (await post(CONFIG, {}, of(one))).json['otpLength']))
    assert.equal(await lengths(), ['6', '9'])
    clock.pass(30_000)
    assert.equal(await lengths(), ['6', '9'])
    for (const { path, body, publicKey } of api.asked)
      if (path === 'submit/init_otp')
        assert.is(publicKey, [tenant, other].find(({ id }) => id === body['organizationId'])?.key.publicKey)
  }))

it('with the key of another tenant open nothing', () =>
  onProxy(async ({ api, tenant, other, of, post }) => {
    api.says.set('query/get_auth_proxy_config', ({ body }) =>
      body['organizationId'] === tenant.id
        ? { authProxyConfig: { ...stolen, ...idsOf(tenant.id) } }
        : stolenFrom(other.id),
    )
    let stolen: Members = {}
    const stolenFrom = (id: string): Members => ({ authProxyConfig: { ...configuration(), ...idsOf(id) } })
    stolen = { ...configuration(), publicKey: other.key.publicKey }
    const reply = await post('/v1/otp_init', { otpType: 'OTP_TYPE_EMAIL', contact: 'ada@example.com' }, of(tenant))
    assert.is(reply.status, 502)
    assert.equal(
      api.asked.map(({ path }) => path),
      ['query/get_auth_proxy_config'],
    )
  }))

const idsOf = (id: string): Members => ({ organizationId: id, configId: id })

it('that are disabled are refused within 30 seconds', () =>
  onProxy(async ({ api, clock, tenant, of, post }) => {
    assert.is((await post(CONFIG, {}, of(tenant))).status, 200)
    api.configure(tenant.id, null)
    clock.pass(30_000)
    const reply = await post(CONFIG, {}, of(tenant))
    assert.is(reply.status, 403)
    assert.is(reply.json['code'], 7)
    assert.is(reply.json['message'], 'the auth proxy is disabled for this configuration')
  }))

it('of an organization that says that it is disabled are refused', () =>
  onProxy(async ({ api, tenant, of, post }) => {
    api.configure(tenant.id, { isEnabled: false })
    assert.is((await post(CONFIG, {}, of(tenant))).status, 403)
  }))

it('that are disabled are refused at once where the API does not know the key any more', () =>
  onProxy(async ({ api, tenant, of, post }) => {
    await post(CONFIG, {}, of(tenant))
    api.configure(tenant.id, null)
    api.says.set('submit/init_otp', refusedBy(401, 16, 'PUBLIC_KEY_NOT_FOUND', 'could not find public key'))
    const reply = await post('/v1/otp_init', { otpType: 'OTP_TYPE_EMAIL', contact: 'ada@example.com' }, of(tenant))
    assert.is(reply.status, 403)
    assert.is((await post(CONFIG, {}, of(tenant))).status, 403)
  }))

it('that are enabled anew act by the new key at once', () =>
  onProxy(async ({ api, tenant, other, of, post }) => {
    await post(CONFIG, {}, of(tenant))
    api.says.set('submit/init_otp', ({ publicKey }) =>
      publicKey === tenant.key.publicKey
        ? refusedBy(401, 16, 'PUBLIC_KEY_NOT_FOUND', 'could not find public key')
        : activity('COMPLETED', { result: { initOtpResult: { otpId: publicKey } } }),
    )
    const { key, settings } = await other.anewAs(tenant.id)
    api.configure(tenant.id, settings)
    const reply = await post('/v1/otp_init', { otpType: 'OTP_TYPE_EMAIL', contact: 'ada@example.com' }, of(tenant))
    assert.is(reply.json['otpId'], key.publicKey)
  }))

const headers: readonly (readonly [string, string | undefined, number, number])[] = [
  ['no header', undefined, 400, 3],
  ['an empty header', '', 400, 3],
  ['no UUID', 'config', 404, 5],
  ['an unknown UUID', ID, 404, 5],
  ['a very long text', 'a'.repeat(10_000), 404, 5],
]
for (const [what, id, status, code] of headers)
  it(`are asked for by an id: ${what} is refused with ${status}`, () =>
    onProxy(async ({ post }) => {
      const reply = await post(CONFIG, {}, id === undefined ? {} : { 'x-auth-proxy-config-id': id })
      assert.is(reply.status, status)
      assert.is(reply.json['code'], code)
    }))

it('are found by an id in any case', () =>
  onProxy(async ({ tenant, post }) => {
    assert.is((await post(CONFIG, {}, { 'X-AUTH-PROXY-CONFIG-ID': tenant.id.toUpperCase() })).status, 200)
  }))

it.run()
