import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createEngine } from '../../../../core/create-engine.ts'
import { failure } from '../../../../core/failure.ts'
import type { SigningKey } from '../../../../core/identity/signing-key.ts'
import type { IdentityTokens } from '../../../../core/ports/identity-tokens.ts'
import { TE } from '../../../../core/prelude.ts'
import {
  identityServices,
  ownIdentityToken,
  withOwnTokens,
} from '../../../../core/resources/deployment-key/identity-issuer.ts'
import { publishedKeys } from '../../../../core/resources/deployment-key/deployment-keys.ts'
import { memoryStore } from '../../../../adapters/store-memory/index.ts'
import { publicApi } from '../../../../core/resources/public-api.ts'
import { knownKeyring } from '../../world/keyring.ts'
import { testPorts } from '../../world/ports.ts'
import { codeOf, right, testClock } from '../../world/world.ts'

const it = suite('identity tokens of the deployment')

const URL_OF_OURS = 'https://id.example.com'
const keyring = knownKeyring()
const tokenOf = (iss: string): Promise<string> =>
  ownIdentityToken(keyring, { iss, aud: 'client', sub: 'x:1', nonce: 'a' }, 1_700_000_000_999)

const OTHER: SigningKey = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }
const others: IdentityTokens = { keyOf: () => TE.right(OTHER) }

it('are verified by our own key, and nobody is asked for it', async () => {
  const nobody: IdentityTokens = { keyOf: () => TE.left(failure('UNAVAILABLE', 'somebody was asked')) }
  const token = await tokenOf(URL_OF_OURS)
  for (const given of [undefined, nobody]) {
    const key = right(await withOwnTokens(URL_OF_OURS, keyring, given).keyOf(token)())
    const published = right(await publishedKeys(keyring)()).find(({ purpose }) => purpose === 'oidc')?.publicKey
    const point = key.kty === 'EC' ? [key.x, key.y].map((text) => Buffer.from(text, 'base64url').toString('hex')) : []
    assert.is(`04${point.join('')}`, published)
  }
})

it('that somebody else has signed are none, whatever their issuer would say', async () => {
  const { keyOf } = withOwnTokens(URL_OF_OURS, keyring, others)
  const token = await tokenOf(URL_OF_OURS)
  const [header, claims = '', signature = ''] = token.split('.')
  const said = Buffer.from(claims, 'base64url').toString()
  const changed = Buffer.from(said.replace('x:1', 'x:2')).toString('base64url')
  for (const wrong of [
    [header, claims, `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`],
    [header, changed, signature],
    [Buffer.from('{"alg":"none"}').toString('base64url'), claims, ''],
  ])
    assert.is(codeOf(await keyOf(wrong.join('.'))()), 'INVALID_OIDC_TOKEN')
})

it('of other issuers are left to the service that knows them, and are none where there is no such service', async () => {
  for (const iss of [`${URL_OF_OURS}/`, 'https://ID.example.com', 'https://accounts.example.com']) {
    const token = await tokenOf(iss)
    assert.equal(right(await withOwnTokens(URL_OF_OURS, keyring, others).keyOf(token)()), OTHER)
    assert.is(codeOf(await withOwnTokens(URL_OF_OURS, keyring, undefined).keyOf(token)()), 'INVALID_OIDC_TOKEN')
  }
})

it('are known to an engine that has a keyring and a public URL', () => {
  const names = (...given: Parameters<typeof identityServices>) => Object.keys(identityServices(...given)).length
  assert.is(names(URL_OF_OURS, keyring), 2)
  assert.is(names(URL_OF_OURS, undefined, { identityTokens: others }), 1)
  assert.is(names(undefined, keyring), 1)
})

it('have an issuer to which a path can be appended', async () => {
  const made = (publicUrl: string) =>
    createEngine({
      ...testPorts(),
      clock: testClock(),
      resources: publicApi,
      store: memoryStore(),
      publicUrl,
    })
  const wrong = ['id.example.com', 'ftp://id.example.com', 'https://id.example.com/?a=b', 'https://id.example.com/#a']
  for (const publicUrl of [...wrong, 'https://a:b@id.example.com', '', ' https://id.example.com'])
    await made(publicUrl).then(
      () => assert.unreachable(publicUrl),
      (error: unknown) => {
        const { code, message } = error as { readonly code: string; readonly message: string } // of the engine
        assert.is(code, 'CONFIGURATION_INVALID')
        assert.match(message, /^publicUrl: expected a URL/)
      },
    )
  const engine = await made('https://id.example.com/a/')
  assert.is(engine.publicUrl, 'https://id.example.com/a/')
  await engine.close()
})

it.run()
