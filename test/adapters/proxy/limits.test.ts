import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { limits, placeOf, type Rates } from '../../../adapters/proxy/limits.ts'
import { MANY, onProxy, UNLIMITED } from './scene.ts'

const it = suite('limits')

/** So long that no window ends while a test runs. */
const TWO = { points: 2, seconds: 1_000_000 }
const limitedBy = (kind: keyof Rates): { readonly rates: Rates } => ({ rates: { ...UNLIMITED, [kind]: TWO } })
const CONFIG = '/v1/wallet_kit_config'
const CODE = { otpType: 'OTP_TYPE_EMAIL', contact: 'ada@example.com' }

it('refuse an address that asks too often at one configuration, and say when to come again', () =>
  onProxy(async ({ tenant, other, of, post }) => {
    for (const status of [200, 200, 429]) assert.is((await post(CONFIG, {}, of(tenant))).status, status)
    const { json, headers } = await post('/v1/account', {}, of(tenant))
    assert.is(json['code'], 8)
    assert.is(json['message'], 'too many requests; try again later')
    assert.ok(Number(headers['retry-after']) > 0)
    assert.is((await post(CONFIG, {}, of(other))).status, 200)
  }, limitedBy('address')))

it('tell callers apart by the address that a trusted proxy has seen', () =>
  onProxy(
    async ({ tenant, of, post }) => {
      const from = (address: string) => ({ ...of(tenant), 'X-Forwarded-For': address })
      for (const status of [200, 200, 429]) assert.is((await post(CONFIG, {}, from('192.0.2.1'))).status, status)
      assert.is((await post(CONFIG, {}, from('192.0.2.2'))).status, 200)
    },
    { ...limitedBy('address'), trustedProxies: ['127.0.0.1'] },
  ))

it('do not believe an address that the caller names', () =>
  onProxy(async ({ tenant, of, post }) => {
    for (const [at, status] of [200, 200, 429].entries())
      assert.is((await post(CONFIG, {}, { ...of(tenant), 'X-Forwarded-For': `192.0.2.${at}` })).status, status)
  }, limitedBy('address')))

it('refuse requests about one contact, in any spelling of it', () =>
  onProxy(async ({ tenant, other, of, post }) => {
    const about = async (contact: string, whose = tenant) =>
      (await post('/v1/otp_init', { ...CODE, contact }, of(whose))).status
    await about('ada@example.com')
    await about('ADA@example.com')
    assert.is(await about('Ada@Example.COM'), 429)
    assert.is(
      (await post('/v1/account', { filterType: 'EMAIL', filterValue: 'ada@example.com' }, of(tenant))).status,
      429,
    )
    assert.is.not(await about('grace@example.com'), 429)
    assert.is.not(await about('ada@example.com', other), 429)
  }, limitedBy('contact')))

it('refuse more requests to a path than the configuration has', () =>
  onProxy(async ({ tenant, other, of, post }) => {
    for (const status of [200, 200, 429]) assert.is((await post(CONFIG, {}, of(tenant))).status, status)
    assert.is((await post('/v1/wallet_kit_client_params', {}, of(tenant))).status, 200)
    assert.is((await post(CONFIG, {}, of(other))).status, 200)
  }, limitedBy('path')))

it('let nobody make the proxy ask the API about many ids that nobody has', () =>
  onProxy(async ({ api, tenant, of, post }) => {
    const unknown = (at: number) => ({ 'X-Auth-Proxy-Config-Id': `00000000-0000-4000-8000-00000000000${at}` })
    for (const [at, status] of [404, 404, 429, 429].entries())
      assert.is((await post(CONFIG, {}, unknown(at))).status, status)
    assert.is(api.asked.length, 2)
    assert.is((await post(CONFIG, {}, unknown(0))).status, 404) // it is known to be none
    assert.is((await post(CONFIG, {}, of(tenant))).status, 429) // it is not known yet
  }, limitedBy('unknown')))

it('count no id that a configuration has', () =>
  onProxy(async ({ clock, tenant, other, of, post }) => {
    for (let at = 0; at < 5; at += 1) {
      for (const one of [tenant, other]) assert.is((await post(CONFIG, {}, of(one))).status, 200)
      clock.pass(60_000)
    }
  }, limitedBy('unknown')))

it('count nothing before the origin is allowed', () =>
  onProxy(async ({ api, tenant, of, post }) => {
    api.configure(tenant.id, { allowedOrigins: ['https://app.example.com'] })
    for (let at = 0; at < 3; at += 1)
      assert.is((await post(CONFIG, {}, of(tenant, 'https://evil.example.com'))).status, 403)
    assert.is((await post(CONFIG, {}, of(tenant, 'https://app.example.com'))).status, 200)
  }, limitedBy('address')))

it('keep a bounded number of counts', async () => {
  const counts = limits({ address: MANY, contact: MANY, path: MANY, unknown: MANY }, 10)
  for (let at = 0; at < 100; at += 1) await counts.count('address', 'config', String(at))
  assert.is(counts.size(), 10)
})

it('take the addresses of one network of IPv6 for one caller', () => {
  assert.is(placeOf('2001:db8:1:2:3:4:5:6'), placeOf('2001:db8:1:2::1'))
  assert.is.not(placeOf('2001:db8:1:2::1'), placeOf('2001:db8:1:3::1'))
  assert.is(placeOf('192.0.2.1'), '192.0.2.1')
  assert.is(placeOf(null), '')
})

it.run()
