import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Json } from '../../../core/failure.ts'
import { until } from '../../until.ts'
import { folder, json, run, serve, start, type Started } from './run-cli.ts'

const it = suite('proxy')

const APP = 'https://app.example.com'
const CONTACT = 'ada@shop.example'
const KEYS = { apiKeys: [], authenticators: [], oauthProviders: [] }
const PUBLIC_KEY = '036b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296' // the generator of P-256

/** All members that are read are texts. */
type Answer = { readonly status: number; readonly body: { readonly [member: string]: string | undefined } }

/** Starts the proxy on a free port; gives its URL, too. */
const startProxy = async (args: readonly string[], cwd: string): Promise<Started & { readonly url: string }> => {
  const started = start(['proxy', '--port', '0', '--log', 'json', '--log-level', 'trace', ...args], { cwd })
  const [, url = ''] = await started.said(/^listening on (http:\/\/\S+)\n/)
  return { ...started, url }
}

it('signs somebody up and in through a server, and tells nobody about it', async () => {
  const cwd = folder()
  assert.is((await run(['proxy', 'init', '--out', 'proxy.json'], { cwd })).code, 0)
  const messages = ['--mail', 'console:', '--metrics']
  const server = await serve(
    ['--store', 'memory:', '--init', '--credentials', 'c.json', '--auth-proxy', 'proxy.pub.json', ...messages],
    { cwd },
  )
  const ask = async (path: string, parameters: Json) => {
    const asked = await run(['request', path, JSON.stringify(parameters), '--credentials', 'c.json'], { cwd })
    assert.is(asked.code, 0, asked.stderr)
  }
  await ask('enable_auth_proxy', {})
  await ask('update_auth_proxy_config', { allowedOrigins: [`${APP}/`], otpLength: 6, otpAlphanumeric: false })
  const proxy = await startProxy(['--api', server.url, '--config', 'proxy.json', '--metrics'], cwd)
  const id = String(json(join(cwd, 'c.json'))['organizationId'])
  const post = async (path: string, body: Json, origin = APP): Promise<Answer> => {
    const headers = { 'X-Auth-Proxy-Config-ID': id, Origin: origin, 'Content-Type': 'application/json' }
    const answer = await fetch(`${proxy.url}/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: answer.status, body: (await answer.json()) as Answer['body'] } // all answers are objects
  }
  const got = async (path: string, body: Json): Promise<Answer['body']> => {
    const answer = await post(path, body)
    assert.is(answer.status, 200, JSON.stringify(answer))
    return answer.body
  }

  assert.is((await got('wallet_kit_config', {}))['otpLength'], '6')
  const { otpId = '' } = await got('otp_init', { otpType: 'OTP_TYPE_EMAIL', contact: CONTACT })
  const [, code = ''] = await server.said(/^\D*\b(\d{6})\b/m)
  const { verificationToken = '' } = await got('otp_verify', { otpId, otpCode: code })
  const signedUp = await got('signup', { ...KEYS, userEmail: CONTACT, verificationToken })
  const { organizationId } = await got('account', { filterType: 'EMAIL', filterValue: CONTACT })
  assert.is(organizationId, signedUp['organizationId'])
  const { session } = await got('otp_login', { verificationToken, publicKey: PUBLIC_KEY })
  assert.type(session, 'string')

  const evil = await post('otp_init', { otpType: 'OTP_TYPE_EMAIL', contact: CONTACT }, 'https://evil.example.com')
  assert.equal([evil.status, evil.body['message']], [403, 'origin not allowed'])
  const wrong = await post('otp_verify', { otpId, otpCode: '000000' })
  assert.is(wrong.body['message'], 'Invalid OTP code')

  await ask('disable_auth_proxy', {})
  assert.is((await post('account', { filterType: 'EMAIL', filterValue: CONTACT })).status, 403)

  const metrics = await (await fetch(`${proxy.url}/metrics`)).text()
  assert.match(metrics, 'countersign_auth_proxy_requests_total{path="/v1/otp_init",status="200"} 1')
  assert.is((await fetch(`${proxy.url}/readyz`)).status, 200)
  const ended = await server.stop()
  assert.is(ended.code, 0)
  assert.is((await fetch(`${proxy.url}/readyz`)).status, 503)
  assert.is((await post('account', { filterType: 'EMAIL', filterValue: CONTACT })).status, 403) // it is known for some seconds
  proxy.child.kill('SIGTERM')
  const { code: exit, stdout, stderr } = await proxy.ended
  assert.equal([exit, stdout], [0, `listening on ${proxy.url}\n`])
  const keys = json(join(cwd, 'proxy.json')) as { readonly [name: string]: { readonly privateKey: string } }
  const secrets = [CONTACT, code, verificationToken, session ?? '', 'shop.example']
  for (const secret of [...secrets, ...Object.values(keys).map(({ privateKey }) => privateKey)])
    assert.not.ok(`${stderr}${metrics}`.includes(secret), `${secret.slice(0, 8)} is in a log or metric`)
  assert.match(stderr, '"path":"/v1/otp_init"')
})

it('takes no keys that others can read', async () => {
  const cwd = folder()
  await run(['proxy', 'init', '--out', 'proxy.json'], { cwd })
  chmodSync(join(cwd, 'proxy.json'), 0o640)
  const { code, stderr } = await run(['proxy', '--api', 'http://127.0.0.1:1', '--config', 'proxy.json'], { cwd })
  assert.is(code, 2)
  assert.match(stderr, /others than the owner have rights on the keys of the proxy proxy\.json: chmod 600/)
})

const mistakes: readonly (readonly [readonly string[], RegExp])[] = [
  [['--api', 'countersign'], /^countersign: --api: expected the URL of a server/],
  [['--trusted-proxy', '10.0.0.0/99'], /^countersign: --trusted-proxy: expected IP addresses/],
  [['--captcha', 'turnstile'], /^countersign: --captcha: expected a URL/],
  [['--captcha', 'https://captcha.example.com'], /^countersign: --captcha needs --captcha-secret/],
  [['--captcha-secret', 'abc'], /^countersign: --captcha-secret: expected @FILE/],
  [['--host', '192.0.2.1'], /^countersign: cannot listen on 192\.0\.2\.1/],
]
for (const [flags, says] of mistakes)
  it(`says what is wrong with ${flags.join(' ')}`, async () => {
    const cwd = folder()
    await run(['proxy', 'init', '--out', 'proxy.json'], { cwd })
    const { code, stderr, stdout } = await run(
      ['proxy', '--api', 'http://127.0.0.1:1', '--config', 'proxy.json', '--port', '0', '--log', 'json', ...flags],
      { cwd },
    )
    assert.equal([code, stdout], [2, ''])
    assert.match(stderr, says)
  })

it('takes its flags from the environment, and the secret of captchas from a file', async () => {
  const cwd = folder()
  await run(['proxy', 'init', '--out', 'proxy.json'], { cwd })
  writeFileSync(join(cwd, 'secret'), 'secret-of-captchas\n')
  const env = {
    ...{ COUNTERSIGN_API: 'http://127.0.0.1:1', COUNTERSIGN_PROXY_CONFIG: 'proxy.json', COUNTERSIGN_PROXY_PORT: '0' },
    ...{ COUNTERSIGN_CAPTCHA: 'http://127.0.0.1:1', COUNTERSIGN_CAPTCHA_SECRET: '@secret' },
    ...{ COUNTERSIGN_CAPTCHA_SITE_KEY: 'site', COUNTERSIGN_REQUIRE_ORIGIN: 'no', COUNTERSIGN_METRICS: 'off' },
  }
  const proxy = start(['proxy'], { cwd, env })
  const [, url = ''] = await proxy.said(/^listening on (http:\/\/\S+)\n/)
  assert.is((await fetch(`${url}/metrics`)).status, 404)
  assert.is((await fetch(`${url}/healthz`)).status, 200)
  proxy.child.kill('SIGINT')
  const { code, stderr } = await until(() => proxy.ended)
  assert.is(code, 0)
  assert.not.match(stderr, 'secret-of-captchas')
})

it.run()
