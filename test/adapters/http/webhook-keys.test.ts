import { verify, createPublicKey, type JsonWebKey } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { failure } from '../../../core/failure.ts'
import { TE } from '../../../core/prelude.ts'
import { webhookKeys } from '../../../core/resources/deployment-key/webhook-keys.ts'
import { right } from '../../../adapters/testing/expect.ts'
import { testKeyring } from '../../core/world/keyring.ts'
import { world } from '../../core/world/world.ts'
import { sealedOf } from '../../sealed-of.ts'
import { fakeEngine } from './fake-engine.ts'
import { serving } from './transport.ts'

const it = suite('the published keys of webhooks')

const PATH = '/public/v1/discovery/webhooks/jwks'
/** What RFC 8032 publishes for its first test. */
const PUBLIC_KEY = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'

type Shown = { readonly keys: readonly (JsonWebKey & { readonly kid: string })[] }

it('are a set of JSON Web Keys in their order, which everybody may keep for a day', async () => {
  const keys = [
    { id: '0123456789abcdef', publicKey: PUBLIC_KEY },
    { id: 'fedcba9876543210', publicKey: 'fb'.repeat(32) },
  ]
  await serving(fakeEngine({ webhookKeys: () => TE.right(keys) }), {}, async (url) => {
    const reply = await fetch(url + PATH)
    assert.is(reply.status, 200)
    assert.is(reply.headers.get('content-type'), 'application/json')
    assert.is(reply.headers.get('cache-control'), 'public, max-age=86400, s-maxage=86400, stale-if-error=604800')
    assert.is(reply.headers.get('access-control-allow-origin'), '*')
    const members = {
      ...{ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' },
      ...{ turnkey_signature_algorithm: 'ed25519', turnkey_signature_version: 'v1' },
    }
    assert.equal(await reply.json(), {
      keys: [
        { kid: '0123456789abcdef', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo', ...members }, // as in RFC 8037
        { kid: 'fedcba9876543210', x: '-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_v7-_s', ...members },
      ],
    })
  })
})

it('verify what the deployment signs, and change when there is another one', async () => {
  const w = await world()
  await serving(w.engine, {}, async (url) => {
    const keyring = testKeyring(w.storage)
    const signing = webhookKeys(keyring, sealedOf(w.storage))
    const signer = await right(signing.signer(w.clock.now()))
    const signature = await right(signing.sign(signer, Buffer.from('message')))
    const { keys } = (await (await fetch(url + PATH)).json()) as Shown // of our server
    const [first] = keys
    if (first === undefined) throw new Error('expected a key')
    assert.equal([keys.length, first.kid], [1, signer.id])
    const key = createPublicKey({ key: first, format: 'jwk' })
    assert.ok(verify(null, Buffer.from('message'), key, signature))
    await keyring.close()
  })
  await w.close()
})

it('are none where there is no keystore', async () => {
  const w = await world({ ports: { keyring: undefined } })
  await serving(w.engine, {}, async (url) => {
    const reply = await fetch(url + PATH)
    assert.is(reply.status, 200)
    assert.is(await reply.text(), '{"keys":[]}')
  })
  await w.close()
})

it('are read by GET and HEAD alone', async () => {
  await serving(fakeEngine({ webhookKeys: () => TE.right([]) }), {}, async (url) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const reply = await fetch(url + PATH, { method })
      assert.equal([reply.status, reply.headers.get('allow')], [405, 'GET, HEAD, OPTIONS'], method)
      assert.is(reply.headers.get('cache-control')?.includes('max-age') ?? false, false)
    }
    const head = await fetch(url + PATH, { method: 'HEAD' })
    assert.equal([head.status, await head.text()], [200, ''])
    assert.is(head.headers.get('content-length'), String('{"keys":[]}'.length))
    const preflight = { Origin: 'https://app.example.com', 'Access-Control-Request-Method': 'GET' }
    assert.is((await fetch(url + PATH, { method: 'OPTIONS', headers: preflight })).status, 204)
    assert.is((await fetch(`${url}${PATH}/`)).status, 404)
  })
})

it('are kept by nobody where they could not be read', async () => {
  const engine = fakeEngine({ webhookKeys: () => TE.left(failure('STORE_UNREADABLE', 'the store does not answer')) })
  await serving(engine, {}, async (url) => {
    const reply = await fetch(url + PATH)
    assert.is(reply.status, 500)
    assert.not.match(reply.headers.get('cache-control') ?? '', 'max-age')
  })
})

it.run()
