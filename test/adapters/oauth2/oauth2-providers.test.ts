import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeOutgoing } from '../../../adapters/outgoing/node-outgoing.ts'
import { oauth2Providers } from '../../../adapters/oauth2/index.ts'
import { encodeUtf8 } from '../../../core/bytes.ts'
import type { Oauth2Code } from '../../../core/ports/oauth2.ts'
import type { Outgoing } from '../../../core/ports/outgoing.ts'
import { E } from '../../../core/prelude.ts'
import { codeOf, right, testClock } from '../../core/world/world.ts'
import { until } from '../../until.ts'
import { CLIENT, oauth2Services, USER_IDS, type Mood, type ProviderName } from './providers.ts'

const it = suite('providers of OAuth2')

type Services = Awaited<ReturnType<typeof oauth2Services>>
const PROVIDERS = ['OAUTH2_PROVIDER_X', 'OAUTH2_PROVIDER_DISCORD'] as const

const withServices = async (use: (services: Services) => Promise<void>): Promise<void> => {
  const services = await oauth2Services()
  try {
    await use(services)
  } finally {
    await services.close()
  }
}

const asking = ({ url }: Services, outgoing?: Pick<Outgoing, 'ask'>) =>
  oauth2Providers({ xUrl: url, discordUrl: `${url}/`, allowPrivateNetwork: true, outgoing })

const codeFor = ({ signIn }: Services, provider: ProviderName): Oauth2Code => ({
  organizationId: 'a',
  provider,
  ...CLIENT,
  ...signIn(provider),
})

/** What must not be repeated. */
const SECRETS = /code-|verifier-|access-token|secret of a client|app\.example/

it('say who has signed in, and give what more can be asked by', () =>
  withServices(async (services) => {
    for (const provider of PROVIDERS) {
      const account = right(await asking(services).accountOf(codeFor(services, provider))())
      assert.is(account.id, USER_IDS[provider])
      assert.is(services.accessTokens.get(account.accessToken), provider)
    }
    assert.equal(
      services.asked.map(({ method, path }) => `${method} ${path}`),
      ['POST /2/oauth2/token', 'GET /2/users/me', 'POST /api/oauth2/token', 'GET /api/users/@me'],
    )
    for (const { headers } of services.asked) assert.is(headers['user-agent'], 'countersign')
  }))

it('refuse a code that was used, that is not theirs, or whose verifier, client or redirect URI is another one', () =>
  withServices(async (services) => {
    for (const provider of PROVIDERS) {
      const { accountOf } = asking(services)
      const used = codeFor(services, provider)
      right(await accountOf(used)())
      const wrong = [
        used,
        { ...codeFor(services, provider), code: 'code-of-nobody' },
        { ...codeFor(services, provider), codeVerifier: 'verifier-of-nobody' },
        { ...codeFor(services, provider), redirectUri: 'https://app.example.org/' },
        { ...codeFor(services, provider), clientSecret: 'another secret of a client' },
        { ...codeFor(services, PROVIDERS.find((one) => one !== provider) ?? provider), provider },
      ]
      for (const code of wrong) {
        const refused = await accountOf(code)()
        assert.is(codeOf(refused), 'REQUEST_INVALID')
        assert.not.match(JSON.stringify(refused), SECRETS)
      }
      services.be('forgetful')
      const untold = await accountOf(codeFor(services, provider))()
      assert.is(codeOf(untold), 'REQUEST_INVALID')
      assert.match(JSON.stringify(untold), /scopes/)
      assert.not.match(JSON.stringify(untold), SECRETS)
      services.be('well')
    }
  }))

const AWAY: readonly Mood[] = ['down', 'busy', 'rubbish', 'redirects', 'endless']

it('that answer nothing of use count as away, and nothing of what they say is repeated', () =>
  withServices(async (services) => {
    for (const provider of PROVIDERS)
      for (const at of ['token', 'me'])
        for (const mood of AWAY) {
          services.be(mood, at)
          const away = await asking(services).accountOf(codeFor(services, provider))()
          assert.is(codeOf(away), 'UNAVAILABLE', `${provider} ${mood} at ${at}`)
          assert.not.match(JSON.stringify(away), SECRETS)
        }
  }))

it('that say nothing are given up after five seconds, or when nobody waits any more', () =>
  withServices(async (services) => {
    services.be('silent')
    const clock = testClock()
    const outgoing = nodeOutgoing({ clock, allowPrivateNetwork: true })
    const given = asking(services, outgoing).accountOf(codeFor(services, 'OAUTH2_PROVIDER_X'))()
    await until(() => services.asked.length === 1)
    clock.pass(5_000)
    assert.is(codeOf(await given), 'UNAVAILABLE')
    const abort = new AbortController()
    const aborted = asking(services, outgoing).accountOf(codeFor(services, 'OAUTH2_PROVIDER_X'), abort.signal)()
    await until(() => services.asked.length === 2)
    abort.abort()
    assert.is(codeOf(await aborted), 'UNAVAILABLE')
  }))

it('that say what is no token and no id are not believed', async () => {
  const said = async (token: object, account: object) => {
    const answers = [token, account].map((body) => encodeUtf8(JSON.stringify(body)))
    const outgoing = {
      ask: async () => ({ _tag: 'answered' as const, status: 200, body: answers.shift() ?? new Uint8Array() }),
    }
    const code = {
      organizationId: 'a',
      provider: 'OAUTH2_PROVIDER_X',
      ...CLIENT,
      code: 'a',
      codeVerifier: 'b',
      redirectUri: 'c',
    }
    return oauth2Providers({ outgoing }).accountOf(code)()
  }
  const [token, account] = [{ access_token: 'a' }, { data: { id: '1' } }]
  assert.equal(right(await said(token, account)), { id: '1', accessToken: 'a' })
  for (const wrong of [{}, [], { access_token: '' }, { access_token: 'a\r\nb' }, { access_token: 1 }])
    assert.is(codeOf(await said(wrong, account)), 'UNAVAILABLE')
  for (const wrong of [
    {},
    { data: null },
    { data: {} },
    { data: { id: 1 } },
    { data: { id: '' } },
    { data: { id: 'a:b' } },
  ])
    assert.is(codeOf(await said(token, wrong)), 'UNAVAILABLE')
})

it('are asked at public addresses alone, and not at all where they are left out', () =>
  withServices(async (services) => {
    const code = codeFor(services, 'OAUTH2_PROVIDER_X')
    assert.is(codeOf(await oauth2Providers({ xUrl: services.url }).accountOf(code)()), 'UNAVAILABLE')
    assert.is(codeOf(await oauth2Providers({ xUrl: null }).accountOf(code)()), 'OAUTH2_PROVIDER_NOT_FOUND')
    assert.equal(services.asked, [])
  }))

it('are asked eight times at once for an organization', () =>
  withServices(async (services) => {
    services.be('silent')
    const abort = new AbortController()
    const { accountOf } = asking(services)
    const ask = (organizationId: string) =>
      accountOf({ ...codeFor(services, 'OAUTH2_PROVIDER_X'), organizationId }, abort.signal)()
    const waiting = Array.from({ length: 8 }, () => ask('a'))
    const tooMany = await ask('a')
    assert.is(codeOf(tooMany), 'RATE_LIMIT_EXCEEDED')
    assert.match(E.isLeft(tooMany) ? tooMany.left.message : '', 'requests')
    waiting.push(ask('b'))
    await until(() => services.asked.length === 9)
    abort.abort()
    for (const one of waiting) assert.is(codeOf(await one), 'UNAVAILABLE')
  }))

it.run()
