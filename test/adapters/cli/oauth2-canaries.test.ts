import { join } from 'node:path'
import { decryptCredentialBundle, encryptOauth2ClientSecret } from '@turnkey/crypto'
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Json } from '../../../core/failure.ts'
import { clientKey } from '../../core/resources/otp/scene.ts'
import { filesOf } from '../../system/canaries/erased/places.ts'
import { secretText, sightings } from '../../system/canaries/secret.ts'
import { CLIENT, oauth2Services, USER_IDS, type Mood } from '../oauth2/providers.ts'
import { done } from './leaver.ts'
import { rootClient } from './root-client.ts'
import { folder, run, serve } from './run-cli.ts'

const it = suite('secrets of sign-ins at providers of OAuth2, at the command line')

const STORE = ['--store', 'sqlite:store.db', '--init', '--credentials', 'c.json']

const NONCE = 'a'.repeat(64)
const MOODS: readonly Mood[] = ['down', 'busy', 'rubbish', 'redirects', 'endless', 'forgetful']

type Keys = { readonly keys: readonly { readonly purpose: string; readonly publicKey: string }[] }
type Shown = {
  readonly activity: { readonly result: { readonly [name: string]: { readonly [member: string]: string } } }
}

for (const form of ['json', 'pretty'])
  it(`are in no line of the log, in no number and in no refusal, however a provider behaves: ${form}`, async () => {
    const cwd = folder()
    const services = await oauth2Services()
    const at = ['--oauth2-x-url', services.url, '--oauth2-discord-url', services.url, '--allow-private-network']
    const store = [...STORE, '--public-url', 'https://id.example.com/']
    const flags = [...store, ...at, '--metrics', '--log-level', 'trace', '--log', form]
    const served = await serve(flags, { cwd })
    const client = await rootClient(join(cwd, 'c.json'), served.url)
    const [refusals, codes]: [string[], string[]] = [[], []]
    const submit = async (path: string, parameters: Json): Promise<{ readonly [name: string]: string }> => {
      const { activity } = done(await client.submit(path, parameters)) as Shown // the answer to a submit
      return Object.values(activity.result)[0] ?? {}
    }
    const refused = async (status: number, parameters: Json): Promise<void> => {
      const { body, ...answer } = await client.submit('oauth2_authenticate', parameters)
      assert.is(answer.status, status, JSON.stringify(body))
      refusals.push(JSON.stringify(body))
    }

    const { keys } = (await (await fetch(`${served.url}/public/v1/discovery/keys`)).json()) as Keys // of our server
    const key = keys.find(({ purpose }) => purpose === 'oauth2-encryption')?.publicKey
    const encryptedClientSecret = await encryptOauth2ClientSecret(CLIENT.clientSecret, key)
    const tokens: string[] = []
    for (const provider of ['OAUTH2_PROVIDER_X', 'OAUTH2_PROVIDER_DISCORD'] as const) {
      const given = { provider, clientId: CLIENT.clientId, encryptedClientSecret }
      const { oauth2CredentialId = '' } = await submit('create_oauth2_credential', given)
      const signIn = (): { readonly [member: string]: Json } => {
        const { code, codeVerifier, redirectUri } = services.signIn(provider)
        codes.push(code, codeVerifier)
        return { oauth2CredentialId, authCode: code, codeVerifier, redirectUri, nonce: NONCE }
      }
      for (const mood of MOODS) {
        services.be(mood)
        await refused(mood === 'forgetful' ? 400 : 503, signIn())
      }
      services.be('well')
      const target = clientKey()
      const parameters = { ...signIn(), bearerTokenTargetPublicKey: target.publicKey }
      const { oidcToken = '' } = await submit('oauth2_authenticate', parameters)
      tokens.push(oidcToken)
      await refused(400, parameters) // the code was used
      const { encrypted_bearer_token: bundle, sub, aud } = decodeJwt(oidcToken)
      assert.equal([String(sub).split(':')[1], aud], [USER_IDS[provider], CLIENT.clientId])
      const accessToken = Buffer.from(decryptCredentialBundle(String(bundle), target.privateKey), 'hex').toString()
      assert.ok(services.accessTokens.has(accessToken))
      const keySet = createRemoteJWKSet(new URL(`${served.url}/.well-known/jwks.json`))
      await jwtVerify(oidcToken, keySet, { issuer: 'https://id.example.com/', audience: CLIENT.clientId })
    }

    const numbers = await (await fetch(`${served.url}/metrics`)).text()
    const { stdout, stderr } = await served.stop()
    await services.close()
    const audited = await run(['audit', '--store', 'sqlite:store.db'], { cwd })
    assert.is(audited.code, 0, audited.stderr)

    const nowhere = [CLIENT.clientSecret, ...services.accessTokens.keys(), ...tokens.map((token) => token.slice(-80))]
    const secrets = nowhere.map((text) => secretText('a secret of a client, an access token or a token of ours', text))
    const ofPersons = [...codes, ...Object.values(USER_IDS)].map((text) => secretText('a code or an id', text))
    const said = [stdout, stderr, numbers, audited.stdout, audited.stderr, ...refusals].join('\n')
    assert.equal(sightings([...secrets, ...ofPersons], 'what it says', said), [])
    for (const { bytes } of filesOf(join(cwd, 'store.db'))) assert.equal(sightings(secrets, 'the store', bytes), [])
    // What was refused stands nowhere: a code that was not used may still be good.
    const unused = codes.filter((_, index) => index % (2 * (MOODS.length + 1)) < 2 * MOODS.length)
    for (const { bytes } of filesOf(join(cwd, 'store.db')))
      assert.equal(
        sightings(
          unused.map((text) => secretText('an unused code', text)),
          'the store',
          bytes,
        ),
        [],
      )
    assert.ok(
      services.asked.some(({ body }) => codes.some((code) => body.includes(code))),
      'the providers have had them',
    )
  })

it('need URLs, and are not asked for where the flags say none', async () => {
  for (const [flag, given] of [
    ['--oauth2-x-url', 'api.x.com'],
    ['--oauth2-discord-url', 'ftp://discord.com'],
    ['--public-url', 'id.example.com'],
    ['--public-url', 'https://id.example.com/?a'],
  ] as const) {
    const { code, stdout, stderr } = await run(['serve', flag, given], { cwd: folder() })
    assert.is(code, 2, stdout + stderr)
    assert.match(stderr, flag === '--public-url' ? 'publicUrl' : flag)
  }
})

it.run()
