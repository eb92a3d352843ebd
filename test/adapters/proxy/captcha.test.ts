import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { until } from '../../until.ts'
import { activity, onProxy, type Reply, type Scene, type SceneOptions } from './scene.ts'

const it = suite('captcha')

const CODE = { otpType: 'OTP_TYPE_EMAIL', contact: 'ada@example.com' }
const NOBODY = { apiKeys: [], authenticators: [], oauthProviders: [] }
const TOKEN = 'token-of-a-captcha'

type Examined = { readonly [name: string]: string }
/** A service that examines captchas: what it says, and what it was asked. */
type Service = { says: string; status: number; readonly asked: Examined[] }

const onService = async (
  play: (scene: Scene, service: Service) => Promise<void>,
  options: SceneOptions = {},
): Promise<void> => {
  const service: Service = { says: '{"success":true}', status: 200, asked: [] }
  const examine = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    assert.is(request.headers['content-type'], 'application/x-www-form-urlencoded;charset=UTF-8')
    service.asked.push(Object.fromEntries(new URLSearchParams(await text(request))))
    if (service.says !== 'nothing') response.writeHead(service.status).end(service.says)
  }
  const server = createServer((request, response) => void examine(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/siteverify` // it listens on a port
  try {
    await onProxy(
      async (scene) => {
        scene.api.configure(scene.tenant.id, { captchaEnabled: true })
        for (const path of ['init_otp', 'verify_otp', 'create_sub_organization'])
          scene.api.says.set(
            `submit/${path}`,
            activity('COMPLETED', {
              result: {
                initOtpResult: { otpId: 'otp' },
                verifyOtpResult: { verificationToken: 'token' },
                createSubOrganizationResultV7: { subOrganizationId: 'sub', rootUserIds: ['user'] },
                createSubOrganizationResultV8: { subOrganizationId: 'sub', rootUserIds: ['user'] },
              },
            }),
          )
        await play(scene, service)
      },
      {
        captcha: { url, secret: 'secret', siteKey: 'site' },
        captchaTimeLimit: () => new AbortController().signal,
        ...options,
      },
    )
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

const solved = ({ of, tenant }: Scene, token = TOKEN) => ({ ...of(tenant), 'X-Captcha-Token': token })
const begun = (scene: Scene, headers = solved(scene)): Promise<Reply> => scene.post('/v1/otp_init', CODE, headers)

it('is examined by the service, with the token and the address of the caller', () =>
  onService(async (scene, service) => {
    assert.is((await begun(scene)).status, 200)
    assert.equal(service.asked, [{ secret: 'secret', response: TOKEN, remoteip: '127.0.0.1' }])
  }))

it('is required where the configuration wants it', () =>
  onService(async (scene, service) => {
    for (const path of ['/v1/otp_init', '/v1/otp_init_v2', '/v1/signup', '/v1/signup_v2']) {
      const body = path.includes('otp') ? CODE : NOBODY
      const { status, json } = await scene.post(path, body, scene.of(scene.tenant))
      assert.is(status, 400)
      assert.is(json['code'], 3)
      assert.is(json['message'], 'X-Captcha-Token header is required when captcha is enabled')
    }
    assert.is(service.asked.length, 0)
  }))

it('that is wrong is refused', () =>
  onService(async (scene, service) => {
    service.says = '{"success":false,"error-codes":["invalid-input-response"]}'
    const { status, json } = await begun(scene)
    assert.is(status, 403)
    assert.is(json['code'], 7)
    assert.is(json['message'], 'captcha verification failed')
  }))

it('of a code is examined before the body is read', () =>
  onService(async (scene, service) => {
    service.says = '{"success":false}'
    assert.is((await scene.post('/v1/otp_init', '{', solved(scene))).status, 403)
  }))

it('is not wanted of a sign-up with a verification token', () =>
  onService(async (scene, service) => {
    const signUp = { ...NOBODY, verificationToken: 'token' }
    for (const path of ['/v1/signup', '/v1/signup_v2'])
      assert.is((await scene.post(path, signUp, scene.of(scene.tenant))).status, 200)
    assert.is((await scene.post('/v1/signup', NOBODY, solved(scene))).status, 200)
    assert.is(service.asked.length, 1)
  }))

it('is not wanted of anything else', () =>
  onService(async (scene, service) => {
    const { tenant, of, post } = scene
    assert.is((await post('/v1/otp_verify', { otpId: 'otp', otpCode: '123456' }, of(tenant))).status, 200)
    assert.is((await post('/v1/wallet_kit_config', {}, of(tenant))).status, 200)
    assert.is(service.asked.length, 0)
  }))

it('is not wanted where the configuration does not want it', () =>
  onService(async (scene, service) => {
    assert.is((await begun(scene, { ...scene.of(scene.other) } as ReturnType<typeof solved>)).status, 200)
    assert.is(service.asked.length, 0)
  }))

it('is not wanted by a proxy without a service, which names no site key either', () =>
  onProxy(async ({ api, tenant, of, post }) => {
    api.configure(tenant.id, { captchaEnabled: true })
    api.says.set('submit/init_otp', activity('COMPLETED', { result: { initOtpResult: { otpId: 'otp' } } }))
    assert.is((await post('/v1/otp_init', CODE, of(tenant))).status, 200)
    assert.equal((await post('/v1/wallet_kit_client_params', {}, of(tenant))).json, {})
  }))

const troubles: readonly (readonly [string, string, number])[] = [
  ['answers in another form', '<html>', 200],
  ['is in trouble', '', 503],
  ['has an error of its own', '{"success":false,"error-codes":["internal-error"]}', 200],
  ['does not take the secret', '{"success":false,"error-codes":["invalid-input-secret"]}', 200],
]
for (const [what, says, status] of troubles)
  it(`goes on if the service ${what}, and tells the operator`, () =>
    onService(async (scene, service) => {
      Object.assign(service, { says, status })
      assert.is((await begun(scene)).status, 200)
      assert.is(scene.notices.length, 1)
      assert.not.match(`${scene.notices[0]}${JSON.stringify(scene.requests)}`, new RegExp(TOKEN))
    }))

it('goes on if the service is away', () =>
  onService(async (scene) => assert.is((await begun(scene)).status, 200), {
    captcha: { url: 'http://127.0.0.1:1/', secret: 'secret', siteKey: 'site' },
  }))

it('goes on if the service takes too long', () => {
  const limit = new AbortController()
  return onService(
    async (scene, service) => {
      service.says = 'nothing'
      const reply = begun(scene)
      await until(() => service.asked.length === 1)
      limit.abort()
      assert.is((await reply).status, 200)
    },
    { captchaTimeLimit: () => limit.signal },
  )
})

it.run()
